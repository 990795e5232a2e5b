// SPDX-License-Identifier: BSD-3-Clause
// `tutti verify` over the registry.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "selection/names.hpp"
#include "support/sizes.hpp"
#include "traffic/load.hpp"
#include "verify/sweep.hpp"
#include "verify/verify.hpp"

namespace tutti::tools {
namespace {

using schedule::Generator;

constexpr int most_ranks = 4096;
constexpr std::size_t most_conflicts_shown = 5;

Range range_of(const VerifyOptions& options, const machine::Topology* topology) {
  Range range;
  range.given = &options.parameters;
  const auto numbers = numbers_named(options.p);
  range.first = numbers ? numbers->first : 0;
  range.last = numbers ? numbers->second : 0;
  if (topology != nullptr) range.first = range.last = topology->nodes();
  if (range.first < 1 || range.last < range.first || range.last > most_ranks)
    base::fail(base::Status::invalid_argument, "--p is '{}' but must be a number or a range of them, 1 to {}",
               topology != nullptr ? topology->name() : options.p, most_ranks);
  range.all_roots = options.root == "all";
  if (range.all_roots || options.root == "some") return range;
  const auto root = numbers_named(options.root);
  range.root = root && root->first == root->second ? root->first : -1;
  if (range.root < 0 || range.root >= range.last)
    base::fail(base::Status::invalid_argument, "--root is '{}' but must be all, some or a rank", options.root);
  return range;
}

std::vector<const Generator*> chosen(const VerifyOptions& options) {
  require_schedule(options.algorithm);
  std::vector<const Generator*> found;
  for (const Generator* generator : algorithms::all()) {
    if (!options.operation.empty() && generator->operation != selection::operation_named(options.operation)) continue;
    if (!options.algorithm.empty() && algorithms::find(generator->operation, options.algorithm) != generator) continue;
    found.push_back(generator);
  }
  if (found.empty() && !options.operation.empty())
    static_cast<void>(algorithm_named(selection::operation_named(options.operation), options.algorithm));
  if (found.empty())
    base::fail(base::Status::invalid_argument, "there is no algorithm '{}'; see tutti info --algorithms",
               options.algorithm);
  return found;
}

// One line on a terminal, which each call writes anew.
class Progress {
 public:
  explicit Progress(std::size_t all) : shown_(isatty(STDERR_FILENO) == 1), all_(all) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::size_t index, const Generator& g, int p, int last) const {
    if (shown_)
      fmt::print(stderr, "\r\033[K[{}/{}] {} {}: p = {} of {}", index + 1, all_, schedule::to_text(g.operation), g.name,
                 p, last);
  }
  void clear() const {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool shown_;
  std::size_t all_;
};

struct Line {
  SweepResult result{};
  // On a topology: over all shapes, and what meets for the first shape for which something does.
  int load = 0;
  std::string shape{};
  std::vector<traffic::Conflict> conflicts{};
};

void add_links(Line& line, const Generator& g, const schedule::Shape& shape, const machine::Topology& topology) {
  const traffic::Messages messages = traffic::routed(traffic::messages_of(g, shape), topology);
  const int load = traffic::most_load(messages, topology);
  line.load = std::max(line.load, load);
  if (load < 2 || !line.conflicts.empty()) return;
  line.shape = describe(g, shape);
  line.conflicts = traffic::conflicts(messages);
}

void print_table(const std::vector<Line>& lines, const machine::Topology* topology) {
  fmt::print("{:<14} {:<24} {:>7} {:<7} {:<9} {:<9} {:<9} {:<9} {:<8} {:>6} {:>6} {:>7} {:>7}{}\n", "operation",
             "algorithm", "shapes", "correct", "R0", "R1", "in order", "one port", "in place", "rounds", "alpha",
             "beta", "gamma", topology != nullptr ? "   load" : "");
  for (const Line& line : lines) {
    const SweepResult& r = line.result;
    const bool none = r.shapes == 0;
    fmt::print("{:<14} {:<24} {:>7} {:<7} {:<9} {:<9} {:<9} {:<9} {:<8} {:>6} {:>6} {:>7} {:>7}{}\n",
               schedule::to_text(r.generator->operation), r.generator->name, r.shapes,
               none ? "-" : (r.correct() ? "yes" : "NO"), r.same_tree.text(), r.canonical.text(), r.rank_order.text(),
               r.one_port.text(), r.in_place ? "yes" : "-", r.counts.rounds, r.counts.alpha, r.counts.beta,
               r.counts.gamma, topology != nullptr ? fmt::format("{:>7}", line.load) : "");
  }
  fmt::print(
      "R0: the same expression on all ranks; R1: the canonical one, so the same bits for every such algorithm.\n"
      "Costs are counted for the last shape: coefficients of alpha, and of beta and gamma in blocks.\n");
}

void print_problems(const std::vector<Line>& lines, const machine::Topology* topology) {
  for (const Line& line : lines) {
    if (!line.result.correct()) fmt::print("\nNOT CORRECT: {}\n", line.result.problem);
    for (std::size_t i = 0; i < std::min(line.conflicts.size(), most_conflicts_shown); ++i)
      fmt::print("{}{}: {}\n", i == 0 ? "\n" : "", line.shape, traffic::to_text(line.conflicts[i], *topology));
    if (line.conflicts.size() > most_conflicts_shown)
      fmt::print("and {} more\n", line.conflicts.size() - most_conflicts_shown);
  }
}

nlohmann::json json_of(const Line& line, const machine::Topology* topology) {
  const SweepResult& r = line.result;
  const schedule::Counts& c = r.counts;
  nlohmann::json out{{"operation", schedule::to_text(r.generator->operation)},
                     {"algorithm", r.generator->name},
                     {"shapes", r.shapes},
                     {"correct", r.correct()},
                     {"problem", r.problem},
                     {"r0", r.same_tree.text()},
                     {"r1", r.canonical.text()},
                     {"rank_order", r.rank_order.text()},
                     {"one_port", r.one_port.text()},
                     {"in_place", r.in_place},
                     {"last_shape", r.largest}};
  out["counts"] = {{"rounds", c.rounds}, {"messages", c.messages}, {"volume", c.volume}, {"combines", c.combines},
                   {"alpha", c.alpha},   {"beta", c.beta},         {"gamma", c.gamma}};
  if (topology == nullptr) return out;
  out["load"] = line.load;
  out["conflicts_of"] = line.shape;
  out["conflicts"] = nlohmann::json::array();
  for (const traffic::Conflict& conflict : line.conflicts)
    out["conflicts"].push_back(traffic::to_text(conflict, *topology));
  return out;
}

}  // namespace

bool verify_algorithms(const VerifyOptions& options) {
  const auto topology = options.topology.empty() ? nullptr : machine::parse_topology(options.topology);
  if (options.conflict_free && topology == nullptr)
    base::fail(base::Status::invalid_argument, "--conflict-free needs a --topology");
  const Range range = range_of(options, topology.get());
  const std::vector<const Generator*> generators = chosen(options);
  std::vector<Line> lines;
  bool good = true;
  const Progress progress(generators.size());
  for (std::size_t i = 0; i < generators.size(); ++i) {
    const Generator& g = *generators[i];
    Line& line = lines.emplace_back();
    const Watch watch{[&](int p) { progress.show(i, g, p, range.last); },
                      [&](const schedule::Shape& shape) {
                        if (topology != nullptr) add_links(line, g, shape, *topology);
                      }};
    line.result = sweep(g, range, watch);
    good = good && line.result.correct() && (!options.conflict_free || line.conflicts.empty());
  }
  progress.clear();
  if (options.json) {
    nlohmann::json out = nlohmann::json::array();
    for (const Line& line : lines) out.push_back(json_of(line, topology.get()));
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    print_table(lines, topology.get());
    print_problems(lines, topology.get());
  }
  return good;
}

}  // namespace tutti::tools
