// SPDX-License-Identifier: BSD-3-Clause
// The program tutti-papers, which `tutti reproduce` and `tutti explain --table2` start. Its
// messages name `tutti`, because that is the command its users know.
#include "base/descriptor.hpp"
#include "papers/common/verbs.hpp"
#include "support/command_line.hpp"

namespace {

void add_verbs(CLI::App& app, int& code) {
  tutti::papers::add_reproduce(app, code);
  tutti::papers::add_table2(app, code);
}

}  // namespace

int main(int argc, char** argv) {
  tutti::base::open_missing_stdio();
  return tutti::tools::run_verbs(
      "tutti-papers: tables and figures of papers beside what tutti computes", add_verbs, argc,
      argv);
}
