// SPDX-License-Identifier: BSD-3-Clause
// What can be seen of a program before it starts: which functions of an interface it has, and which
// libraries it loads.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "launch/program.hpp"

namespace tutti::tools {

using Names = std::set<std::string, std::less<>>;

// The functions that a library offers. Throws base::Error when it cannot be read.
[[nodiscard]] Names functions_of(const std::string& library);

struct Linkage {
  enum class Kind {
    dynamic,
    fixed,
    foreign,
    script,
    unseen
  };  // fixed: static, the loader takes no part
  Kind kind = Kind::unseen;
  std::string reason;  // of unseen
  std::string own;     // a function of the interface that the program brings itself, if any
  bool uses = false;   // the program or a library of its has to do with the interface
  std::vector<std::string> libraries;  // paths, as the loader resolves them now
};

// `variables` ("NAME=VALUE") are those the program has of its own, `names` the functions of the
// interface. Starts the program's loader, not the program.
[[nodiscard]] Linkage linkage_of(const std::string& program,
                                 const std::vector<std::string>& variables, const Names& names);

// Names of the libraries that the loader does not find for the program. Starts the program's
// loader, not the program.
[[nodiscard]] std::vector<std::string> missing_libraries(const std::string& program,
                                                         const std::vector<std::string>& variables);

// The file that would run: that of the program, or where it is `env` with nothing but variables,
// that of the word behind them; looked up in PATH when it has no slash. Empty: there is none.
[[nodiscard]] std::string program_file(const launch::LaunchedProgram& program);

}  // namespace tutti::tools
