// SPDX-License-Identifier: BSD-3-Clause
// Paper 002: the system's sum on a Paragon by the cost model, the overhead that its tables show,
// and the pictures of scatter and gather.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "machine/topology.hpp"
#include "papers/common/drawn_rounds.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"
#include "selection/explain.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace pvm_groups_items {
namespace {

using schedule::Operation;

constexpr const char* lengths[] = {"1", "1000", "10000"};
constexpr const char* not_fitted = "10000";  // the machine file is fitted to the other two
constexpr double bytes_of_integer = 4;

void add_parameter(Result& result, const std::string& name, const machine::Number& number) {
  result.parameters.push_back(
      {name, number.value, "us",
       fmt::format("{}: {}", machine::to_text(number.status), number.source)});
}

// Returns the most nearly square mesh. Partitions of the Paragon had this form.
std::vector<int> mesh_of(int p) {
  int rows = 1;
  for (int r = 1; r * r <= p; ++r)
    if (p % r == 0) rows = r;
  return {rows, p / rows};
}

selection::Row fastest_sum(int p, double integers, const machine::Profile& machine) {
  selection::Question question;
  question.operation = Operation::allreduce;
  question.p = p;
  question.mesh = mesh_of(p);
  return selection::explain(question, static_cast<std::int64_t>(bytes_of_integer * integers),
                            machine)
      .rows.front();
}

Result table_5(const Item& item) {
  Result result;
  const machine::Profile machine = machine::load("paragon-nx");
  const std::vector<double> nodes = item.printed.numbers("nodes");
  for (const char* integers : lengths) {
    const std::vector<double> times = item.printed.numbers(integers);
    for (std::size_t i = 1; i < nodes.size(); ++i) {  // one node sends nothing
      const selection::Row found =
          fastest_sum(static_cast<int>(nodes[i]), std::stod(integers), machine);
      result.row(fmt::format("{} integers, {} nodes", integers, nodes[i]), times.at(i), found.time,
                 "us", fmt::format("the fastest by the cost model: {}", found.alternative.name));
    }
  }
  add_parameter(result, "alpha", machine.alpha);
  add_parameter(result, "beta", machine.beta);
  add_parameter(result, "gamma", machine.gamma);
  result.notes.emplace_back(
      "The machine file is that of 1994 (OSF/1 1.2 beta, paper 000); the paper's Paragon had "
      "release 1.3. What its gisum does is not known: ours is the best that this library could do "
      "at those rates.");
  return result;
}

enum class GroupKind { dynamic, frozen };

// All tasks run on one computer. Its coordinator, here the root, receives all parts and adds them
// up. In a dynamic group every member first asks the group server, which answers one question after
// the other.
double reduction_time(const machine::Machine& machine, int p, double integers, GroupKind kind) {
  simulate::JobOperation operation;
  operation.generator = &algorithm_named(Operation::reduce, "fully_connected");
  operation.shape.p = p;
  operation.bytes = static_cast<std::int64_t>(bytes_of_integer * integers);
  simulate::Job job{p, {}};
  if (kind == GroupKind::dynamic) {
    const double questions = p * machine.group_server.queries.value_or(0);
    job.phases.emplace_back(
        simulate::Computation{{questions * machine.group_server.service.value_or(0)}});
  }
  job.phases.emplace_back(simulate::Operations{{operation}});
  return time_of(machine, job);
}

Result daemon_table(const char* table, GroupKind kind) {
  Result result;
  const Printed& printed_table = printed(table);
  const machine::Machine machine = machine::load_machine("pvm-sparc");
  const std::vector<double> nodes = printed_table.numbers("nodes");
  for (const char* integers : lengths) {
    const std::vector<double> times = printed_table.numbers(integers);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Row& row =
          result.row(fmt::format("{} integers, {} tasks", integers, nodes[i]), times.at(i),
                     reduction_time(machine, static_cast<int>(nodes[i]), std::stod(integers), kind),
                     "us", "simulator");
      row.fitted = std::string_view(integers) != not_fitted;
    }
  }
  add_parameters(result, machine);
  result.notes.emplace_back(
      "The machine is fitted to these tables at 1 and 1000 integers, so those rows show how well "
      "one start-up, one rate and one time per question describe them; 10000 integers are not "
      "fitted.");
  return result;
}

Result table_1(const Item&) {
  return daemon_table("002-table-1", GroupKind::dynamic);
}
Result table_2(const Item&) {
  return daemon_table("002-table-2", GroupKind::frozen);
}

Result figure_7(const Item&) {
  Result result;
  const machine::Machine machine = machine::load_machine("pvm-sparc");
  const Printed& dynamic = printed("002-table-1");
  const Printed& frozen = printed("002-table-2");
  const std::vector<double> nodes = dynamic.numbers("nodes");
  for (const char* integers : lengths) {
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const int p = static_cast<int>(nodes[i]);
      const double size = std::stod(integers);
      Row& row = result.row(fmt::format("{} integers, {} tasks: dynamic over frozen", integers, p),
                            dynamic.numbers(integers).at(i) / frozen.numbers(integers).at(i),
                            reduction_time(machine, p, size, GroupKind::dynamic) /
                                reduction_time(machine, p, size, GroupKind::frozen),
                            "", "simulator");
      row.fitted = std::string_view(integers) != not_fitted;
      row.on(fmt::format("{} integers", integers), p);
    }
  }
  result.x_axis = "tasks";
  add_parameters(result, machine);
  result.notes.emplace_back("The paper's ratios are those of its tables 1 and 2.");
  return result;
}

Result overhead(const Item& item) {
  Result result;
  const auto mean = [](std::size_t first) {
    double sum = 0;
    int count = 0;
    for (const char* integers : lengths) {
      const std::vector<double> system = printed("002-table-5").numbers(integers);
      const std::vector<double> pvm = printed("002-table-6").numbers(integers);
      for (std::size_t i = first; i < system.size(); ++i, ++count) sum += pvm.at(i) - system.at(i);
    }
    return sum / count;
  };
  result.row("PVM less the system, mean of all entries", item.printed.number("mean"), mean(0), "us",
             "difference of the paper's tables 6 and 5");
  result.row("the same from 2 nodes on", item.printed.number("mean"), mean(1), "us",
             "difference of the paper's tables 6 and 5");
  result.notes.emplace_back(
      "The mean that the text gives does not follow from the paper's own tables.");
  return result;
}

Result figure_2(const Item& item) {
  return drawn_rounds(item, algorithm_named(Operation::scatter, "fully_connected"), {.p = 5});
}
Result figure_3(const Item& item) {
  return drawn_rounds(item, algorithm_named(Operation::gather, "fully_connected"), {.p = 5});
}

// The paper's text names the hosts of figure 6: four and six nodes of two Paragons, and a third
// host.
Result over_hosts(const Item& item, std::span<const int> hosts, int root, const char* note) {
  schedule::Shape shape;
  shape.p = std::accumulate(hosts.begin(), hosts.end(), 0);
  shape.root = root;
  shape.factors = hosts;
  Result result = drawn_rounds(item, algorithm_named(Operation::reduce, "coordinators"), shape);
  result.notes.emplace_back(note);
  return result;
}

Result figure_4(const Item& item) {
  static constexpr int hosts[] = {3, 3, 3};
  return over_hosts(item, hosts, 0,
                    "Three hosts of three tasks; how many the drawing has is not in the text.");
}
Result figure_6(const Item& item) {
  static constexpr int hosts[] = {4, 6, 1};
  return over_hosts(item, hosts, 10,
                    "Hosts of four, six and one task. The root is on the third; which it is, is "
                    "not in the text.");
}

constexpr Run runs[] = {
    {"002-table-1", table_1},   {"002-table-2", table_2},   {"002-figure-7", figure_7},
    {"002-table-5", table_5},   {"002-overhead", overhead}, {"002-figure-2", figure_2},
    {"002-figure-3", figure_3}, {"002-figure-4", figure_4}, {"002-figure-6", figure_6},
};

}  // namespace
}  // namespace pvm_groups_items

std::span<const Run> pvm_groups() {
  return pvm_groups_items::runs;
}

}  // namespace tutti::papers
