// SPDX-License-Identifier: BSD-3-Clause
// Finds out about a program before it starts: which functions of an interface it has, and which
// libraries it loads. `tutti run` and `tutti preload` use it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "launch/program.hpp"

namespace tutti::tools {

using Names = std::set<std::string, std::less<>>;

// Returns the functions that a library offers. Throws base::Error if it cannot be read.
[[nodiscard]] Names functions_of(const std::string& library);

struct Linkage {
  enum class Kind {
    dynamic,
    fixed,
    foreign,
    script,
    unseen
  };  // fixed: static, so that no loader takes part
  Kind kind = Kind::unseen;
  std::string reason;  // why nothing can be seen, if `kind` is unseen
  std::string own;     // a function of the interface that the program defines itself, if any
  bool uses = false;   // true if the program or one of its libraries uses the interface
  std::vector<std::string> libraries;  // paths that the loader finds now
  std::vector<std::string> needed;     // names of the libraries that the program itself asks for
};

// `variables` ("NAME=VALUE") are added to the program's environment; `names` are the functions of
// the interface. Starts the program's loader, not the program.
[[nodiscard]] Linkage linkage_of(const std::string& program,
                                 const std::vector<std::string>& variables, const Names& names);

// Returns the names of the libraries that the loader does not find for the program. Starts the
// program's loader, not the program.
[[nodiscard]] std::vector<std::string> missing_libraries(const std::string& program,
                                                         const std::vector<std::string>& variables);

// Returns the file that would run, or an empty text if there is none. If the program is `env` with
// only variables before the next word, that word names the file. A name without a slash is looked
// up in PATH.
[[nodiscard]] std::string program_file(const launch::LaunchedProgram& program);

}  // namespace tutti::tools
