// SPDX-License-Identifier: BSD-3-Clause
// The verb `complete`, which serves the completions of shells and appears in no help.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace tutti::tools {

// Removes the words that belong to a program from the arguments, and returns them.
using SplitProgram = std::function<std::vector<std::string>(std::vector<std::string>& arguments)>;

void add_complete(
    CLI::App& app,
    const SplitProgram& split_program = [](auto&) { return std::vector<std::string>(); });

}  // namespace tutti::tools
