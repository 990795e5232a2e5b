// SPDX-License-Identifier: BSD-3-Clause
// How the help of the command looks.
#pragma once

#include <CLI/CLI.hpp>

namespace tutti::tools {

// Gives the command and its verbs their form of help, and each verb its example.
void style_help(CLI::App& app);

}  // namespace tutti::tools
