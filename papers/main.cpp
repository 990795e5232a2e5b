// SPDX-License-Identifier: BSD-3-Clause
// The program tutti-papers, which `tutti reproduce` and `tutti explain --table2` start. Its
// messages name `tutti`, because that is the command its users know.
#include <new>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "papers/common/verbs.hpp"
#include "support/command_line.hpp"

int main(int argc, char** argv) try {
  tutti::base::open_missing_stdio();
  CLI::App app("tutti-papers: tables and figures of papers beside what tutti computes", "tutti");
  app.require_subcommand(1);
  int code = 0;
  tutti::papers::add_reproduce(app, code);
  tutti::papers::add_table2(app, code);
  return tutti::tools::run_command(app, {argv + 1, argv + argc}, code);
} catch (const std::bad_alloc&) {
  return tutti::tools::out_of_memory("tutti");
}
