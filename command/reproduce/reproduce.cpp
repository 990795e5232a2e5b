// SPDX-License-Identifier: BSD-3-Clause
// `tutti reproduce`: passes its arguments on to tutti-papers, which knows the papers' tables and
// figures.
#include <memory>

#include "commands.hpp"
#include "reproduce/options.hpp"
#include "support/child.hpp"

namespace tutti::tools {

CLI::App& add_reproduce_options(CLI::App& app, ReproduceOptions& options) {
  CLI::App* command = app.add_subcommand(
      "reproduce", "Prints tables and figures of the papers beside what we compute.");
  command->add_option("names", options.names, "such as 000-table-12 or 004-figure-9");
  command->add_flag("--list", options.list,
                    "one line for each table and figure: its state and what it shows");
  command->add_flag("--counts", options.counts,
                    "how many tables and figures of each paper are in each state");
  command->add_flag("--headlines", options.headlines,
                    "what the papers are read for, with the paper's figure, ours and the state");
  command->add_flag("--all", options.all, "everything there is");
  command->add_option("--paper", options.paper, "only this paper: 000 to 004")->type_name("NNN");
  command->add_option("--write", options.folder, "write a page for each paper into this folder")
      ->type_name("DIR");
  command->add_option("--svg", options.pictures, "draw those that are figures into this folder")
      ->type_name("DIR");
  command->add_option("--measure", options.measure, "time what this paper times, here: 000 or 003")
      ->type_name("NNN");
  command->add_flag(
      "--quick", options.quick,
      "with --measure fewer sizes, once: about a minute; with names as few as possible");
  command->add_option("--save", options.save, "keep the measured times in this file")
      ->type_name("FILE");
  command
      ->add_option("--from", options.from, "take the times of this file instead of measuring them")
      ->type_name("FILE");
  command
      ->add_option("--against", options.against,
                   "compare slopes and orders with the times of this file")
      ->type_name("FILE");
  command->add_flag("--json", options.json, "as JSON");
  return *command;
}

void add_reproduce(CLI::App& app, const std::vector<std::string>& arguments, int& code) {
  auto options = std::make_shared<ReproduceOptions>();
  add_reproduce_options(app, *options).callback([options, &arguments, &code] {
    code = reporting_errors(
        "reproduce", [&]() -> int { become_helper(papers_program, arguments); }, 1);
  });
}

}  // namespace tutti::tools
