// SPDX-License-Identifier: BSD-3-Clause
// `tutti pvm-cc` prints the flags that a compiler needs for a program of PVM.
#include <filesystem>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "pvm/folder.hpp"
#include "support/child.hpp"

namespace tutti::tools {

namespace fs = std::filesystem;

// The folder is installed beside the library or lies in the build tree.
fs::path pvm_folder() {
  const fs::path here = fs::path(command_path()).parent_path();
  for (const fs::path& folder : {here / TUTTI_PVM_FROM_BIN, here / "../frontends/pvm"}) {
    if (fs::exists(folder / "include/pvm3.h")) return fs::weakly_canonical(folder);
  }
  base::fail(base::Status::system_error,
             "the libraries of PVM are not where this command looks for them, at {}",
             (here / TUTTI_PVM_FROM_BIN).string());
}

namespace {

// Returns a path as a word of the shell: special characters are escaped, so that `eval` reads it
// back unchanged.
std::string shell_word(const fs::path& path) {
  constexpr std::string_view special = " \t\n\"'\\$`&;()<>|*?[]{}~#!";
  std::string word;
  for (const char c : path.string()) {
    if (special.find(c) != std::string_view::npos) word += '\\';
    word += c;
  }
  return word;
}

struct Request {
  bool fortran = false;
  bool pvmd = false;
  bool exports = false;
};

// Prints the flags to link with the system's own libpvm3; its development files need not be
// installed.
int print_pvmd_flags(const Request& request) {
  const fs::path folder = pvm_folder(), libraries = (folder / "../pvmd/lib").lexically_normal();
  if (!fs::exists(libraries / "libgpvm3.so")) {
    base::fail(base::Status::system_error,
               "there is no libgpvm3 for a real PVM at {}: tutti was built where libpvm3.so.3 was "
               "not installed",
               libraries.string());
  }
  const std::string fortran = request.fortran ? " " + shell_word(folder / "lib/libfpvm3.a") : "",
                    at = shell_word(libraries);
  fmt::print("-I{} -L{} -Wl,-rpath,{}{} -lgpvm3 -l:libpvm3.so.3\n", shell_word(folder / "include"),
             at, at, fortran);
  return 0;
}

// Prints variables of the compiler and the linker, for makefiles that name the folders of another
// PVM. A value that is set already stays behind ours.
int print_exports() {
  const fs::path folder = pvm_folder();
  const auto print = [](const char* name, const std::string& value) {
    fmt::print("export {0}={1}${{{0}:+:${0}}}\n", name, value);
  };
  print("CPATH", shell_word(folder / "include"));
  print("LIBRARY_PATH", shell_word(folder / "lib"));
  print("LD_RUN_PATH", shell_word(folder / "lib"));
  fmt::print("export PVM_ARCH=${{PVM_ARCH:-LINUX64}}\n");
  return 0;
}

int print_flags(const Request& request) {
  if (request.exports) return print_exports();
  if (request.pvmd) return print_pvmd_flags(request);
  const fs::path folder = pvm_folder();
  const std::string libraries = shell_word(folder / "lib");
  fmt::print("-I{} -L{} -Wl,-rpath,{}{} -lgpvm3 -lpvm3\n", shell_word(folder / "include"),
             libraries, libraries, request.fortran ? " -lfpvm3" : "");
  return 0;
}

}  // namespace

void add_pvm_cc(CLI::App& app, int& code) {
  const auto request = std::make_shared<Request>();
  CLI::App* command =
      app.add_subcommand("pvm-cc", "Prints the flags to compile and link programs of PVM.");
  command->add_flag("--fortran", request->fortran, "for a Fortran program: also libfpvm3");
  command->add_flag("--pvmd", request->pvmd,
                    "for tasks of a real PVM: its libpvm3 and pvmd, our libgpvm3");
  command->add_flag("--exports", request->exports,
                    "variables of the shell instead, by which a makefile of PVM needs no change");
  command->callback([&code, request] {
    code = reporting_errors("pvm-cc", [&request] { return print_flags(*request); });
  });
}

}  // namespace tutti::tools
