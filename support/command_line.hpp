// SPDX-License-Identifier: BSD-3-Clause
// The parts of the command that surround its verbs: help for a verb, messages for words that are
// not understood, and a check that all output was written.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace tutti::tools {

// Adds `tutti help [VERB]`.
void add_help(CLI::App& app);

// Runs the verb that the arguments name and returns the command's exit code: `code`, which the verb
// sets, or that of an error, which is printed. `take_program` removes the words that belong to a
// program from the arguments.
[[nodiscard]] int run_command(
    CLI::App& app, const std::vector<std::string>& arguments, const int& code,
    const std::function<void(std::vector<std::string>&)>& take_program = [](auto&) {});

// Does what is left of main() in a program that `tutti` starts: runs the verb that the arguments
// name, of those that `add` adds, and returns the exit code.
[[nodiscard]] int run_verbs(const char* about, const std::function<void(CLI::App&, int& code)>& add,
                            int argc, char** argv);

// Prints that the command has no memory, for which it needs none, and returns its exit code.
[[nodiscard]] int out_of_memory(const char* command);

}  // namespace tutti::tools
