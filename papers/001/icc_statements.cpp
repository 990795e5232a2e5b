// SPDX-License-Identifier: BSD-3-Clause
// Paper 001: that its building blocks meet on no link, and which strategy is the fastest for which
// length of a vector.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "machine/profile.hpp"
#include "machine/topology.hpp"
#include "papers/001/icc_rates.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"
#include "schedule/printer.hpp"
#include "support/request.hpp"
#include "traffic/load.hpp"

namespace tutti::papers {
namespace icc_statements_items {
namespace {

using schedule::Operation;
using schedule::Shape;

// ---- section 3.1 ----

// The paper's building blocks. The last two go round a line as if it were a ring.
struct Block {
  const char* name;
  Operation operation;
  const char* algorithm;
};
constexpr Block blocks[] = {
    {"broadcast", Operation::broadcast, "mst"},
    {"combine-to-one", Operation::reduce, "mst"},
    {"scatter", Operation::scatter, "mst"},
    {"gather", Operation::gather, "mst"},
    {"bucket collect", Operation::allgather, "ring"},
    {"bucket distributed combine", Operation::reduce_scatter, "ring"},
};
constexpr int longest_line = 24;

// The most messages that any link of a line carries in a step, for lines of 2 to `longest_line`
// nodes and all roots.
int busiest_link(const Block& block, bool powers_of_two) {
  const schedule::Generator& generator = algorithm_named(block.operation, block.algorithm);
  int most = 0;
  for (int p = 2; p <= longest_line; ++p) {
    if (((p & (p - 1)) == 0) != powers_of_two) continue;
    const auto line = machine::parse_topology(fmt::format("line:{}", p));
    const bool rooted = schedule::has_root(block.operation);
    for (int root = 0; root < (rooted ? p : 1); ++root) {
      const Shape shape{.p = p, .root = root};
      most = std::max(
          most, traffic::most_load(traffic::routed(traffic::messages_of(generator, shape), *line),
                                   *line));
    }
  }
  return most;
}

Result section_3_1(const Item&) {
  Result result;
  for (const Block& block : blocks) {
    for (const bool powers : {true, false})
      result.row(fmt::format("{}, {} of 2 to {} nodes: most messages on a link in a step",
                             block.name, powers ? "powers of two" : "all others", longest_line),
                 1.0, static_cast<double>(busiest_link(block, powers)), "", "loads of links",
                 exact());
  }
  result.notes.emplace_back("Lines of nodes with a link in each direction, and all roots.");
  return result;
}

// ---- section 3.4 ----

constexpr int rows = 16, columns = 32;
constexpr double largest_error = 0.18;  // of its ratios in table 2

// The times of a vector by short algorithms alone, by long ones alone, and by the fastest strategy
// that begins with a long one and goes on with a short one. Each dimension of the mesh is one step.
struct Kinds {
  double shorter, longer, hybrid;
};
Kinds times_of(Operation operation, const machine::Profile& profile, double bytes) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Kinds kinds{never, never, never};
  for (const auto& [strategy, terms] : one_factor_each(operation, rows, columns, profile)) {
    double& fastest = is_short(strategy)  ? kinds.shorter
                      : is_long(strategy) ? kinds.longer
                                          : kinds.hybrid;
    fastest = std::min(fastest, selection::time(terms, selection::rates_of(profile), bytes));
  }
  return kinds;
}

// Tells if there is a length, of those that double from one to the next, for which the fastest
// hybrid is ahead by more than the model's error.
bool hybrid_wins(Operation operation, const machine::Profile& profile, double least, double most) {
  for (double bytes = least; bytes <= most; bytes *= 2) {
    const Kinds times = times_of(operation, profile, bytes);
    if (times.hybrid < (1 - largest_error) * std::min(times.shorter, times.longer)) return true;
  }
  return false;
}

Result section_3_4(const Item&) {
  Result result;
  const machine::Profile profile = machine::load(icc_profile);
  const Tolerance error{largest_error, 0,
                        "the largest error of these rates for table 2, to which they are not "
                        "fitted"};
  constexpr const char* by = "cost model, a factor for each dimension of 16 x 32 nodes";
  for (const Operation operation : {Operation::broadcast, Operation::reduce, Operation::allgather,
                                    Operation::reduce_scatter, Operation::allreduce}) {
    const auto label = [&](double bytes, const char* what) {
      return fmt::format("{}, {} B: {}", schedule::to_text(operation), bytes, what);
    };
    constexpr double least = 16, most = 16777216;
    const Kinds few = times_of(operation, profile, least);
    result.says_shorter(label(least, "short is faster than long"), few.shorter, few.longer, by,
                        error);
    const Kinds many = times_of(operation, profile, most);
    result.says_shorter(label(most, "long is faster than short"), many.longer, many.shorter, by,
                        error);
    result.says(fmt::format("{}: for some length in between a hybrid is faster than both",
                            schedule::to_text(operation)),
                hybrid_wins(operation, profile, least, most), by);
  }
  for (const auto& [name, number] :
       {std::pair{"alpha", profile.alpha}, std::pair{"beta", profile.beta},
        std::pair{"gamma", profile.gamma}})
    result.parameters.push_back(parameter_of(fmt::format("{} {}", profile.name, name), number));
  result.notes.emplace_back(
      "A hybrid is a strategy that uses long algorithms in some steps and short ones in others. "
      "The paper names no lengths: these are a short and a long one. A hybrid is ahead if it is so "
      "by more than the error of the rates.");
  return result;
}

constexpr Run runs[] = {{"001-section-3.1", section_3_1}, {"001-section-3.4", section_3_4}};

}  // namespace
}  // namespace icc_statements_items

std::span<const Run> icc_statements() {
  return icc_statements_items::runs;
}

}  // namespace tutti::papers
