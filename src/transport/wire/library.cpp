// SPDX-License-Identifier: BSD-3-Clause
// Chooses and loads the library for an MPI or PVM. TUTTI_TRANSPORT decides if it names one; then an
// MPI library that is already in the process; then the launcher that started it. PVM is taken only
// where TUTTI_TRANSPORT asks for it.
#include "transport/wire/library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "base/advice.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/packages.hpp"

namespace tutti::transport::wire {
namespace {

// An MPI's binary interface, and the names of libraries that programs of it are linked with.
struct Flavour {
  std::string_view name;
  std::array<const char*, 2> libraries;  // nullptr behind the last one
};
// MPICH's library is libmpi.so.12 for Intel MPI, MVAPICH and PyPI, libmpich.so.12 for Debian. The
// last one is the standard interface of MPI 5, which several MPIs offer.
constexpr Flavour flavours[] = {{"openmpi", {"libmpi.so.40"}},
                                {"mpich", {"libmpich.so.12", "libmpi.so.12"}},
                                {"abi", {"libmpi_abi.so.1"}}};

// A library of an MPI in this process.
struct Present {
  const Flavour* flavour;
  const char* library;
  void* handle;
};

// Returns the handle of a library that is already loaded, or nullptr. The library stays loaded, so
// the reference that dlopen counts is never released.
void* loaded(const char* library) {
  return ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
}

bool is_initialised(const Present& mpi) {
  using Function = int (*)(int*);
  const auto function = reinterpret_cast<Function>(::dlsym(mpi.handle, "PMPI_Initialized"));
  int begun = 0;
  return function != nullptr && function(&begun) == 0 && begun != 0;
}

// Returns the MPIs in this process. A library with two names counts once.
std::vector<Present> loaded_mpis() {
  std::vector<Present> found;
  for (const Flavour& flavour : flavours) {
    for (const char* library : flavour.libraries) {
      void* const handle = library == nullptr ? nullptr : loaded(library);
      const bool is_new = std::ranges::find(found, handle, &Present::handle) == found.end();
      if (handle != nullptr && is_new) found.push_back({&flavour, library, handle});
    }
  }
  return found;
}

// Returns the MPI of this process: the one that it has loaded, or the initialised one of several.
// Only those of one flavour count, if one is asked for.
std::optional<Present> mpi_in_process(const Flavour* asked = nullptr) {
  std::vector<Present> all = loaded_mpis(), begun;
  if (asked != nullptr)
    std::erase_if(all, [&](const Present& one) { return one.flavour != asked; });
  if (all.empty()) return std::nullopt;
  if (all.size() == 1) return all.front();
  std::ranges::copy_if(all, std::back_inserter(begun), is_initialised);
  if (begun.size() == 1) return begun.front();
  base::fail(base::Status::bad_environment,
             "this process has loaded two MPIs, {} and {}: it must use only one of them, and "
             "TUTTI_TRANSPORT may say which",
             all[0].library, all[1].library);
}

const Flavour& flavour_named(std::string_view name) {
  const auto* const found = std::ranges::find(flavours, name, &Flavour::name);
  if (found == std::end(flavours))
    base::fail(base::Status::invalid_argument, "there is no MPI '{}'", name);
  return *found;
}

// Loads a library of that MPI for the whole process.
void* load_mpi(const Flavour& flavour) {
  std::string reasons;
  for (const char* library : flavour.libraries) {
    if (library == nullptr) continue;
    if (void* const handle = ::dlopen(library, RTLD_NOW | RTLD_GLOBAL)) return handle;
    reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ", ::dlerror());
  }
  base::fail(base::Status::system_error,
             "no library of {} can be loaded (LD_LIBRARY_PATH must name its folder): {}",
             flavour.name, reasons);
}

std::string directory_of_this_library() {
  static const char here = 0;
  Dl_info info{};
  if (::dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return {};
  const std::string path = info.dli_fname;
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

// Fails because the library was not built: its MPI was not installed when tutti was built.
[[noreturn]] void fail_without(const std::string& flavour, const std::string& path) {
  const auto launcher = base::mpi_launcher();
  const std::string otherwise = launcher ? fmt::format(", or start the program with {}",
                                                       base::run_line("tutti run", launcher->size))
                                         : "";
  base::fail(base::Status::system_error,
             "tutti was built without {}: there is no {}. Install {} and build tutti again{}",
             flavour, path, base::packages_for(flavour), otherwise);
}

}  // namespace

std::optional<JobEnvironment> wanted() {
  const std::string asked = base::one_of(base::Variable::transport,
                                         {"auto", "shm", "mpi", "openmpi", "mpich", "abi", "pvmd"});
  if (asked == "shm") return std::nullopt;
  const auto launcher = base::mpi_launcher();
  const bool by_name = asked != "auto" && asked != "mpi";
  const std::optional<Present> present = by_name ? std::nullopt : mpi_in_process();
  if (asked == "auto" && !launcher && (!present || !is_initialised(*present))) return std::nullopt;
  JobEnvironment result{asked, asked != "auto", launcher ? launcher->size : 0};
  if (by_name) return result;
  if (present) {
    result.flavour = present->flavour->name;
  } else if (launcher && !launcher->flavour.empty()) {
    result.flavour = launcher->flavour;
  } else {
    base::fail(base::Status::bad_environment,
               "which MPI started this process cannot be seen: say TUTTI_TRANSPORT=openmpi or "
               "TUTTI_TRANSPORT=mpich, or start the program with {}",
               base::run_line("tutti run", result.launched_size));
  }
  return result;
}

std::string flavour_of_library(std::string_view file_name) {
  for (const Flavour& flavour : flavours) {
    for (const char* library : flavour.libraries)
      if (library != nullptr && file_name == library) return std::string(flavour.name);
  }
  return {};
}

// tutti's library for an MPI takes the MPI's functions from the whole process, so the MPI that the
// process uses has to be the one that is found there.
void provide_mpi(const std::string& name) {
  const Flavour& flavour = flavour_named(name);
  const std::optional<Present> mpi = mpi_in_process(&flavour);
  void* const handle =
      mpi ? ::dlopen(mpi->library, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL) : load_mpi(flavour);
  constexpr const char* some_function = "PMPI_Init_thread";
  if (::dlsym(RTLD_DEFAULT, some_function) == ::dlsym(handle, some_function)) return;
  base::fail(base::Status::bad_environment,
             "this process uses the functions of another MPI than {}, so tutti cannot use {}", name,
             name);
}

namespace {

const tutti_wire& load_anew(const std::string& flavour) {
  const std::string file = (flavour == "pvmd" ? "libtutti-" : "libtutti-mpi-") + flavour + ".so.0";
  const std::string path = directory_of_this_library() + file;
  if (::access(path.c_str(), F_OK) != 0) {
    if (errno != ENOENT) base::fail_errno("looking at " + path);
    fail_without(flavour, path);
  }
  if (flavour != "pvmd") provide_mpi(flavour);
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    base::fail(base::Status::system_error, "tutti's library for {} cannot be loaded: {}", flavour,
               ::dlerror());
  }
  using Entry = const tutti_wire* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, TUTTI_WIRE_ENTRY));
  const tutti_wire* table = entry == nullptr ? nullptr : entry();
  if (table == nullptr || table->version != TUTTI_WIRE_VERSION) {
    base::fail(base::Status::system_error, "{} is of another version of tutti", file);
  }
  return *table;
}

}  // namespace

// A library stays loaded.
const tutti_wire& load(const std::string& flavour) {
  static std::map<std::string, const tutti_wire*> loaded;
  const tutti_wire*& wire = loaded[flavour];
  if (wire == nullptr) wire = &load_anew(flavour);
  return *wire;
}

void load_wanted() {
  if (const auto found = wanted()) load(found->flavour);
}

}  // namespace tutti::transport::wire
