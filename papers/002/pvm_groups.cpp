// SPDX-License-Identifier: BSD-3-Clause
// Paper 002: reductions on a workstation, dynamic groups against frozen ones, and the pictures of
// scatter and gather.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "machine/topology.hpp"
#include "papers/common/drawn_rounds.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace pvm_groups_items {
namespace {

using schedule::Operation;

constexpr const char* lengths[] = {"1", "1000", "10000"};
constexpr const char* not_fitted = "10000";  // the machine file is fitted to the other two
constexpr double bytes_of_integer = 4;

enum class GroupKind { dynamic, frozen };

// All tasks run on one computer. Its coordinator, here the root, receives all parts and adds them
// up. In a dynamic group every member first asks the group server, which answers one question after
// the other.
double reduction_time(const machine::Machine& machine, int p, double integers, GroupKind kind) {
  simulate::JobOperation operation;
  operation.generator = &algorithm_named(Operation::reduce, "fully_connected");
  operation.shape.p = p;
  operation.bytes = static_cast<std::int64_t>(bytes_of_integer * integers);
  simulate::SimulatedJob job{p, {}};
  job.phases.emplace_back(simulate::Computation{{machine.library.call.value_or(0)}});
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

// The times of both tables, on the axes that the text names: a semi-log plot.
Chart times_of_groups(const Item& item, const machine::Machine& machine) {
  Chart chart{item.name,
              item.subject,
              {draw::axis_of("tasks", draw::Scale::linear), draw::axis_of("us")},
              {}};
  for (const auto& [words, table, kind] :
       {std::tuple{"dynamic", "002-table-1", GroupKind::dynamic},
        std::tuple{"frozen", "002-table-2", GroupKind::frozen}}) {
    const std::vector<double> nodes = printed(table).numbers("nodes");
    for (const char* integers : lengths) {
      draw::Curve ours{
          fmt::format("{}, {} integers", words, integers), {}, draw::Curve::Kind::plain};
      draw::Curve theirs{"the paper's", {}, draw::Curve::Kind::crosses};
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const int p = static_cast<int>(nodes[i]);
        ours.points.push_back({nodes[i], reduction_time(machine, p, std::stod(integers), kind)});
        theirs.points.push_back({nodes[i], printed(table).numbers(integers).at(i)});
      }
      chart.curves.push_back(std::move(ours));
      chart.curves.push_back(std::move(theirs));
    }
  }
  return chart;
}

Result figure_7(const Item& item) {
  Result result;
  const machine::Machine machine = machine::load_machine("pvm-sparc");
  const Printed& dynamic = printed("002-table-1");
  const Printed& frozen = printed("002-table-2");
  const std::vector<double> nodes = dynamic.numbers("nodes");
  for (const char* integers : lengths) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const int p = static_cast<int>(nodes[i]);
      const double size = std::stod(integers);
      Row& row = result.row(fmt::format("{} integers, {} tasks: dynamic over frozen", integers, p),
                            dynamic.numbers(integers).at(i) / frozen.numbers(integers).at(i),
                            reduction_time(machine, p, size, GroupKind::dynamic) /
                                reduction_time(machine, p, size, GroupKind::frozen),
                            "", "simulator");
      row.fitted = std::string_view(integers) != not_fitted;
    }
  }
  result.charts.push_back(times_of_groups(item, machine));
  add_parameters(result, machine);
  result.notes.emplace_back(
      "The paper's ratios are those of its tables 1 and 2. The picture has the times themselves, "
      "on "
      "a semi-log plot as in the paper.");
  return result;
}

// The times of a dynamic group over those of a frozen one, of all cells of two tables.
std::vector<double> slowed_down(const char* dynamic, const char* frozen) {
  std::vector<double> ratios;
  for (const char* integers : lengths) {
    const std::vector<double> slow = printed(dynamic).numbers(integers),
                              fast = printed(frozen).numbers(integers);
    for (std::size_t i = 0; i < fast.size(); ++i) ratios.push_back(slow.at(i) / fast[i]);
  }
  return ratios;
}

// An order of magnitude is a factor of ten.
Result section_5_3(const Item& item) {
  Result result;
  const double orders = item.printed.number("paragon");
  const std::vector<double> here = slowed_down("002-table-1", "002-table-2"),
                            paragon = slowed_down("002-table-3", "002-table-4");
  const double most = *std::max_element(here.begin(), here.end());
  result.row("workstation: the largest ratio", item.printed.number("workstation"), most, "",
             "tables 1 and 2 of the paper");
  const auto slow =
      std::count_if(paragon.begin(), paragon.end(), [&](double ratio) { return ratio >= orders; });
  result.row(
      fmt::format("Paragon: cells, of {}, with a ratio of {} or more", paragon.size(), orders), {},
      static_cast<double>(slow), "", "tables 3 and 4 of the paper");
  result.says("Paragon: typically three orders of magnitude", 2 * slow > std::ssize(paragon),
              "most cells of tables 3 and 4 of the paper");
  result.row("Paragon: the smallest ratio", {}, *std::min_element(paragon.begin(), paragon.end()),
             "", "tables 3 and 4 of the paper");
  result.within_paper_from(0);
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
    {"002-table-1", table_1},   {"002-table-2", table_2},         {"002-figure-7", figure_7},
    {"002-figure-2", figure_2}, {"002-figure-3", figure_3},       {"002-figure-4", figure_4},
    {"002-figure-6", figure_6}, {"002-section-5.3", section_5_3},
};

}  // namespace
}  // namespace pvm_groups_items

std::span<const Run> pvm_groups() {
  return pvm_groups_items::runs;
}

}  // namespace tutti::papers
