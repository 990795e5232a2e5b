// SPDX-License-Identifier: BSD-3-Clause
// The verbs of tutti-papers. Each adds itself to the command line and leaves its exit code in
// `code`.
#pragma once

#include <CLI/CLI.hpp>

namespace tutti::papers {

// Takes the options of `tutti reproduce`.
void add_reproduce(CLI::App& app, int& code);
// Takes what `tutti explain --table2` passes on.
void add_table2(CLI::App& app, int& code);

}  // namespace tutti::papers
