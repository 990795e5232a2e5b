// SPDX-License-Identifier: BSD-3-Clause
// What the command as a whole does around its verbs: help for one of them, words for what is not
// understood, and a look at whether all output was written.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tutti::tools {

// `tutti help [VERB]`.
void add_help(CLI::App& app);

// Throws base::Error(invalid_argument) if the first argument is neither an option nor a verb.
void require_verb(const CLI::App& app, const std::vector<std::string>& arguments);

// One line without the command's name: what is wrong with the arguments, and whose help says more.
[[nodiscard]] std::string complaint(const CLI::App& app, const std::vector<std::string>& arguments,
                                    const std::string& parser_says);

// `code`, or 1 with a message if that was 0 and standard output could not take everything.
[[nodiscard]] int after_output(const std::string& command, int code);

// "tutti run", or "tutti".
[[nodiscard]] std::string name_of_command(const CLI::App& app,
                                          const std::vector<std::string>& arguments);

}  // namespace tutti::tools
