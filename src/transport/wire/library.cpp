// SPDX-License-Identifier: BSD-3-Clause
// Chooses and loads the library for an MPI or PVM. TUTTI_TRANSPORT decides if it names one; then an
// MPI library that is already in the process; then the launcher that started it. PVM is taken only
// where TUTTI_TRANSPORT asks for it.
#include "transport/wire/library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include "base/advice.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/packages.hpp"

namespace tutti::transport::wire {
namespace {

struct Flavour {
  const char* name;
  const char* program_library;  // library with which programs of this flavour are linked
};
constexpr Flavour flavours[] = {{"openmpi", "libmpi.so.40"}, {"mpich", "libmpich.so.12"}};

// Returns the handle of a library that is already loaded, or nullptr. The library stays loaded, so
// the reference that dlopen counts is never released.
void* loaded(const char* library) {
  return ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
}

const Flavour* flavour_in_process() {
  const Flavour* found = nullptr;
  for (const Flavour& flavour : flavours) {
    if (loaded(flavour.program_library) == nullptr) continue;
    if (found != nullptr) {
      base::fail(base::Status::bad_environment,
                 "this process has loaded two MPIs, {} and {}: say which with TUTTI_TRANSPORT",
                 found->program_library, flavour.program_library);
    }
    found = &flavour;
  }
  return found;
}

bool is_initialised(const Flavour& flavour) {
  using Function = int (*)(int*);
  const auto function =
      reinterpret_cast<Function>(::dlsym(loaded(flavour.program_library), "MPI_Initialized"));
  int begun = 0;
  return function != nullptr && function(&begun) == 0 && begun != 0;
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
  const std::string asked =
      base::one_of(base::Variable::transport, {"auto", "shm", "mpi", "openmpi", "mpich", "pvmd"});
  if (asked == "shm") return std::nullopt;
  const auto launcher = base::mpi_launcher();
  const bool by_name = asked == "openmpi" || asked == "mpich" || asked == "pvmd";
  const Flavour* present = by_name ? nullptr : flavour_in_process();
  if (asked == "auto" && !launcher && (present == nullptr || !is_initialised(*present)))
    return std::nullopt;
  JobEnvironment result{asked, asked != "auto", launcher ? launcher->size : 0};
  if (by_name) return result;
  if (present != nullptr) {
    result.flavour = present->name;
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
    if (file_name == flavour.program_library) return flavour.name;
  }
  return {};
}

std::string program_library_of(std::string_view name) {
  for (const Flavour& flavour : flavours) {
    if (name == flavour.name) return flavour.program_library;
  }
  return {};
}

// RTLD_GLOBAL makes the names of the MPI visible, because its components look for them in the whole
// process.
const tutti_wire& load(const std::string& flavour) {
  const std::string file = (flavour == "pvmd" ? "libtutti-" : "libtutti-mpi-") + flavour + ".so.0";
  const std::string path = directory_of_this_library() + file;
  if (::access(path.c_str(), F_OK) != 0) fail_without(flavour, path);
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

}  // namespace tutti::transport::wire
