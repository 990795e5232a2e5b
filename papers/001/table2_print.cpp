// SPDX-License-Identifier: BSD-3-Clause
// Table 2 of paper 001 as text and as JSON, and the verb that prints it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "explain/print.hpp"
#include "papers/001/table2.hpp"
#include "papers/common/verbs.hpp"
#include "schedule/printer.hpp"
#include "selection/explain.hpp"
#include "support/reporting.hpp"
#include "support/table.hpp"

namespace tutti::papers {
namespace {

using selection::bytes_text;

struct Table2Options {
  std::string machine = "paragon-512-R1.2";
  bool json = false;
};

std::string cell(const Priced& priced) {
  return fmt::format("{:>8.4g} {:<11}", priced.time / 1e3, priced.strategy);
}

tools::Table columns_of(const std::vector<Table2Row>& lines) {
  tools::Table table(
      "<9; >8; | short, ms<20; long, ms<20; one factor each, ms<20; best hybrid, ms<26; | "
      "short/>6.2f; short/>7.2f; | BLACS/>6.2f; paper>6.1f; >6");
  table.add(
      {"", "bytes", "", "", "(as iCC R2.0)", "", "one f.", "hybrid", "one f.", "prints", "off by"});
  for (const Table2Row& row : lines) {
    const double ratio = row.blacs / row.one_factor.time;
    table.add({schedule::to_text(row.operation), bytes_text(static_cast<double>(row.bytes)),
               cell(row.shortest), cell(row.longest), cell(row.one_factor), cell(row.hybrid),
               row.shortest.time / row.one_factor.time, row.shortest.time / row.hybrid.time, ratio,
               row.printed, fmt::format("{:+.0f}%", 100 * (ratio / row.printed - 1))});
  }
  return table;
}

std::string table2_text(const std::vector<Table2Row>& table, const machine::Profile& machine) {
  std::string text = fmt::format(
      "Mitra and others (1995), table 2 (mesh {}), by the model of {}: {}\n{}\n\n",
      fmt::join(machine.mesh, "x"), machine.name, machine.about, tools::rates_text(machine));
  text += columns_of(table).text();
  const auto rate = [&](const char* name) { return machine.more.at(name).value; };
  text += fmt::format(
      "\nAll times and ratios are computed from the profile, except the column 'paper prints', "
      "which is BLACS/iCC as the\n"
      "paper measured it. BLACS: the tree with alpha {:g} us, beta {:g} us/B, gamma {:g} us/B:\n"
      "  alpha: {} ({})\n  beta: {} ({})\n  gamma: {} ({})\n"
      "With equal rates for both libraries the broadcast ratio cannot exceed 9/(2*511/512) = 4.51, "
      "and the paper prints\n"
      "6.1: it is not reproducible from its own formulas. 20 % is the tolerance that the rates "
      "above deserve.\n",
      rate("blacs_alpha"), rate("blacs_beta"), rate("blacs_gamma"),
      machine.more.at("blacs_alpha").source,
      machine::to_text(machine.more.at("blacs_alpha").status), machine.more.at("blacs_beta").source,
      machine::to_text(machine.more.at("blacs_beta").status), machine.more.at("blacs_gamma").source,
      machine::to_text(machine.more.at("blacs_gamma").status));
  return text;
}

nlohmann::json to_json(const Priced& priced) {
  return {{"strategy", priced.strategy},
          {"terms", tools::to_json(priced.terms)},
          {"time_us", priced.time}};
}

nlohmann::json to_json(const std::vector<Table2Row>& table, const machine::Profile& machine) {
  tools::Table found(
      "operation;bytes;short;long;one_factor;hybrid;blacs_us;predicted_ratio;paper_ratio");
  for (const Table2Row& row : table)
    found.add({schedule::to_text(row.operation), row.bytes, to_json(row.shortest),
               to_json(row.longest), to_json(row.one_factor), to_json(row.hybrid), row.blacs,
               row.blacs / row.one_factor.time, row.printed});
  return {{"machine", tools::to_json(machine)}, {"rows", found.json()}};
}

int print_table2(const Table2Options& options) {
  // The user asked for `tutti explain --table2`.
  return tools::reporting_errors("explain", [&] {
    const machine::Profile machine = machine::load(options.machine);
    const auto table = table2(machine);
    fmt::print("{}", options.json ? tools::answer_text("table2", to_json(table, machine))
                                  : table2_text(table, machine) + "\n");
    return 0;
  });
}

}  // namespace

void add_table2(CLI::App& app, int& code) {
  auto options = std::make_shared<Table2Options>();
  CLI::App* command =
      app.add_subcommand("table2", "Prints table 2 of Mitra and others (1995) by a cost model.");
  command->add_option("--machine", options->machine, "the machine profile");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &code] { code = print_table2(*options); });
}

}  // namespace tutti::papers
