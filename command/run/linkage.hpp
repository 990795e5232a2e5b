// SPDX-License-Identifier: BSD-3-Clause
// Finds out about a program before it starts: which functions of an interface it has, and which
// libraries it loads. `tutti run` and `tutti preload` use it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "launch/program.hpp"

namespace tutti::tools {

using Names = std::set<std::string, std::less<>>;

// Returns the functions that a library offers. Throws base::Error if it cannot be read.
[[nodiscard]] Names functions_of(const std::string& library);

class Linkage {
 public:
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
  std::vector<std::string> needed;  // names of the libraries that the program itself asks for

  // Returns the paths of all libraries that the loader finds now. The first call starts the
  // program's loader, which takes as long as a small program.
  [[nodiscard]] const std::vector<std::string>& libraries() const;
  // Returns true if the program or one of its libraries uses a function of the interface.
  [[nodiscard]] bool uses(const Names& names) const;

 private:
  friend Linkage linkage_of(const std::string& program, const std::vector<std::string>& variables,
                            const Names& names);
  void look(const Names& names);

  std::string program_, loader_;
  std::vector<std::string> variables_;
  bool uses_itself_ = false;
  mutable std::optional<std::vector<std::string>> libraries_;
};

// `variables` ("NAME=VALUE") are added to the program's environment; `names` are the functions of
// the interface.
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
