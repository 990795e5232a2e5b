// SPDX-License-Identifier: BSD-3-Clause
// Looks for the MPI of a program (mpi.hpp).
#include "run/mpi.hpp"

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

FoundMpi among(const std::vector<std::string>& libraries, const std::string& user) {
  for (const std::string& library : libraries) {
    const std::string name = fs::path(library).filename().string();
    std::string flavour = transport::wire::flavour_of_library(name);
    if (!flavour.empty())
      return {std::move(flavour), fmt::format("{} is linked with {}", user, name)};
  }
  return {};
}

// Returns the interpreter that a script names; the file itself if it is no script.
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
  return words.substr(end + 1);
}

bool is_python(const std::string& program) {
  return fs::path(program).filename().string().starts_with("python");
}

// Returns the folder of Python's package mpi4py; an empty text if the interpreter has none.
std::string folder_of_mpi4py(const std::string& python) {
  constexpr const char* question =
      "import importlib.util as u; s = u.find_spec('mpi4py'); "
      "print(list(s.submodule_search_locations)[0] if s else '')";
  std::string folder;
  try {
    static_cast<void>(read_lines({{python, "-c", question}, {}},
                                 [&folder](const std::string& line) { folder = line; }));
  } catch (const base::Error&) {  // what cannot be started has no package
  }
  return folder;
}

FoundMpi mpi_of_python(const std::string& python) {
  const std::string folder = folder_of_mpi4py(python);
  std::error_code none;
  if (folder.empty()) return {};
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("MPI") || entry.path().extension() != ".so") continue;
    try {
      FoundMpi found = among(ElfFile(entry.path().string()).needed(), "its package mpi4py");
      if (!found.flavour.empty()) return found;
    } catch (const base::Error&) {  // a file that cannot be read tells nothing
    }
  }
  return {};
}

}  // namespace

FoundMpi mpi_of_program(const std::string& file, const Linkage& linkage) {
  FoundMpi found = among(linkage.libraries, fs::path(file).filename().string());
  if (!found.flavour.empty()) return found;
  const std::string interpreter = interpreter_of(file);
  if (is_python(interpreter)) found = mpi_of_python(interpreter);
  if (!found.flavour.empty()) return found;
  const auto launcher = base::mpi_launcher();
  if (launcher && !launcher->flavour.empty())
    return {launcher->flavour, "its launcher has started this process"};
  return {};
}

}  // namespace tutti::tools
