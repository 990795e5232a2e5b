// SPDX-License-Identifier: BSD-3-Clause
// Looks for the MPI of a program (mpi.hpp).
#include "run/mpi.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "run/elf.hpp"
#include "support/child.hpp"
#include "transport/wire/library.hpp"

namespace tutti::tools {

namespace fs = std::filesystem;

namespace {

// Returns the MPI that is among libraries, which are names or paths.
FoundMpi among(const std::vector<std::string>& libraries, const std::string& user) {
  for (const std::string& library : libraries) {
    const std::string name = fs::path(library).filename().string();
    std::string flavour = transport::wire::flavour_of_library(name);
    if (!flavour.empty()) {
      return {std::move(flavour), fmt::format("{} is linked with {}", user, name),
              [library] { return library; }, name};
    }
  }
  return {};
}

// Most programs ask for the MPI themselves. Then its path is looked up only if that is asked for,
// because the loader takes as long as a small program.
FoundMpi among_libraries(const Linkage& linkage, const std::string& user) {
  FoundMpi found = among(linkage.needed, user);
  if (found.flavour.empty()) return among(linkage.libraries(), user);
  found.library = [linkage, user] {
    const FoundMpi whole = among(linkage.libraries(), user);
    return whole.library == nullptr ? "" : whole.library();
  };
  return found;
}

// Returns the interpreter that a script names, also as `env python3` or `env -S python3 -u`; the
// file itself if it is no script.
std::string interpreter_of(const std::string& file) {
  std::ifstream script(file, std::ios::binary);
  std::string line;
  if (!std::getline(script, line) || !line.starts_with("#!")) return file;
  std::string words = line.substr(2);
  const auto first = words.find_first_not_of(' ');
  words = first == std::string::npos ? "" : words.substr(first);
  const auto end = words.find(' ');
  const std::string program = words.substr(0, end);
  if (fs::path(program).filename() != "env" || end == std::string::npos) return program;
  std::string behind_env = words.substr(end + 1);
  if (behind_env.starts_with("-S ")) behind_env = behind_env.substr(3);
  return behind_env.substr(0, behind_env.find(' '));
}

bool is_python(const std::string& program) {
  return fs::path(program).filename().string().starts_with("python");
}

// The package mpi4py may have extensions for several MPIs. When it is asked where its module is, it
// loads an MPI and chooses the extension. The answer is the path of the extension, and of the MPI
// if it was loaded.
constexpr const char* question_to_python = R"(
import importlib.util
try:
    print(importlib.util.find_spec('mpi4py.MPI').origin)
    paths = [line.split(None, 5)[-1].strip() for line in open('/proc/self/maps')]
    print(next(path for path in paths if any(
        f'/{name}.so' in path for name in ('libmpi', 'libmpich', 'libmpi_abi'))))
except Exception: pass
)";

FoundMpi mpi_of_python(const std::string& python) {
  constexpr const char* user = "its package mpi4py";
  std::vector<std::string> paths;
  try {
    // Failure is harmless: a Python that prints nothing has no mpi4py.
    static_cast<void>(read_lines({{python, "-W", "ignore", "-c", question_to_python}, {}},
                                 [&paths](const std::string& line) { paths.push_back(line); }));
    if (paths.empty()) return {};
    FoundMpi found = among(ElfFile(paths.front()).needed(), user);
    found.library = [path = paths.size() > 1 ? paths[1] : ""] { return path; };
    return found;
  } catch (const base::Error&) {  // what cannot be started or read tells nothing
    return {};
  }
}

// Returns what the MPI's library says that it is, such as "Intel(R) MPI Library 2021.18 ..."; an
// empty text if it cannot be asked. MPI_Get_library_version may be called before MPI_Init.
std::string version_of(const FoundMpi& mpi) {
  using Function = int (*)(char*, int*);
  constexpr std::size_t more_than_any_mpi_writes = 65536;
  std::string text(more_than_any_mpi_writes, '\0');
  int length = 0;
  const std::string library = mpi.library == nullptr ? "" : mpi.library();
  if (library.empty()) return {};
  void* const file = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  const auto ask = file == nullptr
                       ? nullptr
                       : reinterpret_cast<Function>(::dlsym(file, "PMPI_Get_library_version"));
  if (ask == nullptr || ask(text.data(), &length) != 0) return {};
  return text.c_str();
}

// Loading an MPI to ask it takes milliseconds, so its name is looked at first: Intel's library is
// never called libmpich, as that of Debian's MPICH is.
bool is_intel(const FoundMpi& mpi) {
  return !mpi.name.starts_with("libmpich.so") && version_of(mpi).starts_with("Intel");
}

// Returns whose launcher starts programs of the MPI: openmpi or mpich. Several MPIs have the
// standard interface.
std::string launched_by(const FoundMpi& mpi) {
  if (mpi.flavour != "abi") return mpi.flavour;
  return version_of(mpi).starts_with("Open MPI") ? "openmpi" : "mpich";
}

// Returns the launcher of the folder in which the MPI is installed, else words for it. In /usr
// there may be several MPIs.
std::string launcher_of(const FoundMpi& mpi) {
  const std::string library = mpi.library == nullptr ? "" : mpi.library();
  const fs::path folder = fs::path(library).parent_path().parent_path();
  const fs::path beside = folder / "bin" / "mpiexec";
  std::error_code none;
  if (!folder.empty() && folder != "/usr" && fs::exists(beside, none)) return beside.string();
  return fmt::format("the launcher of {}", launched_by(mpi) == "openmpi" ? "Open MPI" : "MPICH");
}

}  // namespace

FoundMpi mpi_of_program(const std::string& file, const Linkage& linkage) {
  FoundMpi found = among_libraries(linkage, fs::path(file).filename().string());
  if (!found.flavour.empty()) return found;
  const std::string interpreter = interpreter_of(file);
  if (is_python(interpreter)) found = mpi_of_python(interpreter);
  if (!found.flavour.empty()) return found;
  const auto launcher = base::mpi_launcher();
  if (launcher && !launcher->flavour.empty())
    return {launcher->flavour, "its launcher has started this process", {}};
  return {};
}

std::string wrong_launcher(const FoundMpi& mpi) {
  const auto launcher = base::mpi_launcher();
  if (!launcher || launcher->flavour.empty()) return {};
  if (launcher->flavour == launched_by(mpi) && (launcher->suits_intel || !is_intel(mpi))) return {};
  return fmt::format(
      "{}, but the launcher of {} has started it, so its processes are no job together; start it "
      "with {}",
      mpi.how, launcher->name, launcher_of(mpi));
}

}  // namespace tutti::tools
