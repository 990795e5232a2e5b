// SPDX-License-Identifier: BSD-3-Clause
// `tutti explain`: which algorithm a call would get on a machine, and why not the others.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "commands.hpp"
#include "explain/print.hpp"
#include "schedule/printer.hpp"
#include "selection/guidance.hpp"
#include "selection/names.hpp"

namespace tutti::tools {
namespace {

struct ExplainOptions {
  std::string operation;
  int ranks = 0;
  std::string mesh;
  std::string hosts;
  std::string bytes = "8";
  std::string machine = "host";
  int root = 0;
  bool ordered = false;
  bool reproducible = false;
  bool table2 = false;
  bool all = false;
  bool json = false;
};

constexpr int most_ranks_explained = 1 << 16;

// "16x32"
std::vector<int> parse_mesh(const std::string& text) {
  const std::size_t cross = text.find('x');
  const int rows = base::number_in<int>(text.substr(0, cross)).value_or(0);
  const int columns = cross == std::string::npos ? 0 : base::number_in<int>(text.substr(cross + 1)).value_or(0);
  if (rows < 1 || columns < 1 || rows > most_ranks_explained / columns) {
    base::fail(base::Status::invalid_argument, "--mesh is '{}' but must be rows and columns such as 16x32", text);
  }
  return {rows, columns};
}

// "3": as evenly as can be; "4,2,1": so many ranks on each. The host of each rank, in order.
selection::Hosts parse_hosts(const std::string& text, int p) {
  std::vector<int> sizes;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    sizes.push_back(base::number_in<int>(text.substr(at, end - at)).value_or(0));
    at = end + 1;
  }
  const bool even = sizes.size() == 1;
  std::int64_t sum = 0;
  for (const int size : sizes) sum += size;
  if (*std::min_element(sizes.begin(), sizes.end()) < 1 || (even ? sum > p : sum != p)) {
    base::fail(base::Status::invalid_argument,
               "--hosts is '{}' but must be a number of hosts or a list of how many of the {} ranks each has", text, p);
  }
  selection::Hosts hosts;
  for (int rank = 0; even && rank < p; ++rank) hosts.push_back(static_cast<int>(sum * rank / p));
  for (int host = 0; !even && host < static_cast<int>(sizes.size()); ++host) {
    hosts.insert(hosts.end(), static_cast<std::size_t>(sizes[static_cast<std::size_t>(host)]), host);
  }
  return selection::numbered_hosts(hosts);
}

// The ranks and how they lie: as asked for, else as on the machine if that has so many.
void place(selection::Question& question, const ExplainOptions& options, const machine::Profile& machine) {
  if (!options.mesh.empty()) question.mesh = parse_mesh(options.mesh);
  if (question.mesh.empty() && machine.mesh.size() == 2) {
    const int nodes = machine.mesh[0] * machine.mesh[1];
    if (options.ranks == 0 || options.ranks == nodes) question.mesh = machine.mesh;
  }
  const int nodes = question.mesh.empty() ? 0 : question.mesh[0] * question.mesh[1];
  question.p = options.ranks > 0 ? options.ranks : nodes;
  if (options.ranks == 0 && nodes == 0) base::fail(base::Status::invalid_argument, "-n or --mesh is needed");
  if (question.p < 1 || question.p > most_ranks_explained) {
    base::fail(base::Status::invalid_argument, "-n is {} but must be a number of ranks, 1 to {}", options.ranks,
               most_ranks_explained);
  }
  if (!options.hosts.empty()) question.hosts = parse_hosts(options.hosts, question.p);
  if (!question.hosts.empty()) {
    question.mesh = selection::mesh_of(question.hosts);
    return;
  }
  if (nodes > 0 && nodes != question.p) {
    base::fail(base::Status::invalid_argument, "-n is {} but a mesh of {} has {} nodes", question.p, options.mesh,
               nodes);
  }
}

std::int64_t parse_size(const std::string& text) {
  const auto bytes = base::parse_bytes(text);
  if (!bytes)
    base::fail(base::Status::invalid_argument, "--bytes is '{}' but must be a size such as 1000 or 64K", text);
  return *bytes;
}

// On shared memory a rule made by measurements comes before the model; so does what the user forces and what a table
// says, and the model then goes by what was measured here.
selection::Choice choice_of_the_library(const selection::Question& question, std::int64_t bytes) {
  return selection::chooser_of(selection::policy_of_environment(), selection::guidance_of_environment())
      .choose(question, bytes);
}

void print_table2(const ExplainOptions& options) {
  const machine::Profile machine = machine::load(options.machine == "host" ? "paragon-512-R1.2" : options.machine);
  const auto table = selection::table2(machine);
  fmt::print("{}\n", options.json ? to_json(table, machine).dump(2) : to_text(table, machine));
}

void print_explanation(const ExplainOptions& options) {
  const machine::Profile machine = machine::load(options.machine);
  if (options.operation.empty())
    base::fail(base::Status::invalid_argument, "an operation is needed, such as allreduce");
  selection::Question question;
  question.operation = selection::operation_named(options.operation);
  place(question, options, machine);
  if (options.root < 0 || options.root >= question.p) {
    base::fail(base::Status::invalid_argument, "--root is {} but there are {} ranks", options.root, question.p);
  }
  question.root = options.root;
  question.commutative = !options.ordered;
  question.reproducible = options.reproducible;
  const std::int64_t bytes = parse_size(options.bytes);
  const selection::Explanation explanation = selection::explain(question, bytes, machine);
  std::optional<selection::Choice> choice;
  if (machine.name == "host") choice = choice_of_the_library(question, bytes);
  if (options.json) {
    nlohmann::json json = to_json(explanation);
    if (choice) json["library"] = to_json(*choice);
    return fmt::print("{}\n", json.dump(2));
  }
  fmt::print("{}", to_text(explanation, options.all ? Detail::all : Detail::best));
  if (choice) fmt::print("\nprocesses that share memory here get {}\n", to_text(*choice));
}

int explain(const ExplainOptions& options) {
  return reporting_errors("explain", [&] {
    options.table2 ? print_table2(options) : print_explanation(options);
    return 0;
  });
}

}  // namespace

void add_explain(CLI::App& app, int& code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "Says which algorithm a call gets on a machine, and why not the others.");
  command->add_option("operation", options->operation, "such as allreduce or bcast");
  command->add_option("-n,--ranks", options->ranks, "number of ranks; default the machine's mesh")->type_name("N");
  command
      ->add_option("--hosts", options->hosts, "machines without common memory, to which the ranks are dealt in order")
      ->type_name("H");
  command->add_option("--mesh", options->mesh, "rows and columns in which they lie, such as 16x32")->type_name("RxC");
  command->add_option("--bytes", options->bytes, "size of the whole vector; default 8")->type_name("SIZE");
  command->add_option("--machine", options->machine, "a machine profile by name or path; default host")
      ->type_name("NAME");
  command->add_option("--root", options->root, "the root; default 0")->type_name("RANK");
  command->add_flag("--ordered", options->ordered, "the operator is not commutative");
  command->add_flag("--reproducible", options->reproducible, "only what combines in the canonical order");
  command->add_flag("--all", options->all, "show all settings of every algorithm");
  command->add_flag("--table2", options->table2, "instead, table 2 of paper 001 by the model of a Paragon's profile");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &code] { code = explain(*options); });
}

}  // namespace tutti::tools
