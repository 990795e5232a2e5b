// SPDX-License-Identifier: BSD-3-Clause
// What the command as a whole does around its verbs: help for one of them, words for what is not
// understood, and a look at whether all output was written.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace tutti::tools {

// `tutti help [VERB]`.
void add_help(CLI::App& app);

// Runs the verb that the arguments name and returns the exit code of the command: `code`, which the
// verb sets, or that of an error, which is printed. `take_program` removes from the arguments what
// belongs to a program.
[[nodiscard]] int run_command(
    CLI::App& app, const std::vector<std::string>& arguments, const int& code,
    const std::function<void(std::vector<std::string>&)>& take_program = [](auto&) {});

}  // namespace tutti::tools
