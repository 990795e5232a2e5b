// SPDX-License-Identifier: BSD-3-Clause
// Paper 002: the system's sum on a Paragon by the cost model, the overhead that its tables show, and the pictures of
// scatter and gather.
#include <fmt/format.h>

#include <algorithm>

#include "draw/picture.hpp"
#include "machine/topology.hpp"
#include "reproduce/runs.hpp"
#include "request.hpp"
#include "selection/explain.hpp"

namespace tutti::tools::reproduce {
namespace {

using schedule::Operation;

constexpr const char* lengths[] = {"1", "1000", "10000"};
constexpr double bytes_of_integer = 4;

void add_parameter(Result& result, const std::string& name, const machine::Number& number) {
  result.parameters.push_back(
      {name, number.value, "us", fmt::format("{}: {}", machine::to_text(number.status), number.source)});
}

// The most nearly square mesh, as partitions of the Paragon were.
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
  return selection::explain(question, static_cast<std::int64_t>(bytes_of_integer * integers), machine).rows.front();
}

Result table_5(const Item& item) {
  Result result;
  const machine::Profile machine = machine::load("paragon-nx");
  const std::vector<double> nodes = item.printed.numbers("nodes");
  for (const char* integers : lengths) {
    const std::vector<double> times = item.printed.numbers(integers);
    for (std::size_t i = 1; i < nodes.size(); ++i) {  // one node: nothing is sent
      const selection::Row found = fastest_sum(static_cast<int>(nodes[i]), std::stod(integers), machine);
      result.row(fmt::format("{} integers, {} nodes", integers, nodes[i]), times.at(i), found.time, "us",
                 fmt::format("the fastest by the cost model: {}", found.alternative.name));
    }
  }
  add_parameter(result, "alpha", machine.alpha);
  add_parameter(result, "beta", machine.beta);
  add_parameter(result, "gamma", machine.gamma);
  result.notes.emplace_back(
      "The machine file is that of 1994 (OSF/1 1.2 beta, paper 000); the paper's Paragon had release 1.3. What its "
      "gisum "
      "does is not known: ours is the best that this library could do at those rates.");
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
  result.notes.emplace_back("The mean that the text gives does not follow from the paper's own tables.");
  return result;
}

Result picture(Operation operation) {
  const schedule::Shape shape{.p = 5};
  const auto line = machine::parse_topology("line:5");
  const schedule::Generator& generator = algorithm_named(operation, "fully_connected");
  Result result;
  result.picture = draw::rounds_text(traffic::routed(traffic::messages_of(generator, shape), *line), *line);
  result.notes.push_back(
      fmt::format("Drawn: {}. The drawing itself is not in the text of the paper.", describe(generator, shape)));
  return result;
}

Result figure_2(const Item&) {
  return picture(Operation::scatter);
}
Result figure_3(const Item&) {
  return picture(Operation::gather);
}

constexpr Run runs[] = {
    {"002-table-5", table_5},
    {"002-overhead", overhead},
    {"002-figure-2", figure_2},
    {"002-figure-3", figure_3},
};

}  // namespace

std::span<const Run> pvm_groups() {
  return runs;
}

}  // namespace tutti::tools::reproduce
