// SPDX-License-Identifier: BSD-3-Clause
// Implements `tutti verify` for the algorithms of the registry.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "machine/profile.hpp"
#include "schedule/printer.hpp"
#include "selection/headers.hpp"
#include "selection/names.hpp"
#include "support/call.hpp"
#include "support/progress.hpp"
#include "support/table.hpp"
#include "traffic/load.hpp"
#include "verify/sweep.hpp"
#include "verify/verify.hpp"

namespace tutti::tools {
namespace {

using schedule::Generator;

constexpr const char* usual_ranks = "1..64";
constexpr int most_ranks = 4096;
constexpr std::size_t most_conflicts_shown = 5;

std::vector<int> ranks_for(const VerifyOptions& options, const machine::Topology* network) {
  std::vector<int> ranks = rank_list(options.call, most_ranks);
  if (network == nullptr) return ranks.empty() ? number_list(usual_ranks).value() : ranks;
  if (ranks.empty()) ranks.push_back(network->nodes());
  if (ranks.back() > network->nodes())
    base::fail(base::Status::invalid_argument, "{} ranks do not fit on the {} nodes of {}",
               ranks.back(), network->nodes(), network->name());
  if (ranks.back() > most_ranks)
    base::fail(base::Status::invalid_argument,
               "{} has {} nodes, but at most {} ranks can be verified; give -n", network->name(),
               ranks.back(), most_ranks);
  return ranks;
}

Range range_of(const VerifyOptions& options, const machine::Topology* network) {
  Range range;
  range.ranks = ranks_for(options, network);
  const std::string& text = options.call.root;
  range.all_roots = text == "all";
  if (range.all_roots || text.empty() || text == "some") return range;
  const auto root = numbers_named(text);
  range.root = root && root->first == root->second ? root->first : -1;
  if (range.root < 0 || range.root >= range.ranks.back())
    base::fail(base::Status::invalid_argument,
               "--root is '{}' but must be all, some or a rank below {}", text, range.ranks.back());
  return range;
}

std::vector<schedule::Operation> operations_of(const VerifyOptions& options) {
  std::vector<schedule::Operation> found;
  for (const std::string& word : operation_words(options.call))
    found.push_back(selection::operation_named(word));
  if (!found.empty()) return found;
  for (int i = 0; i < schedule::operation_kinds; ++i)
    found.push_back(static_cast<schedule::Operation>(i));
  return found;
}

// One line on a terminal, which each call overwrites.
class ProgressLine {
 public:
  explicit ProgressLine(std::size_t all) : shown_(isatty(STDERR_FILENO) == 1), all_(all) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::size_t index, const Generator& g, int p, int last) const {
    if (shown_)
      rewrite_line(fmt::format("[{}/{}] {} {}: p = {} of {}", index + 1, all_,
                               schedule::to_text(g.operation), g.name, p, last));
  }
  void clear() const {
    if (shown_) rewrite_line("");
  }

 private:
  bool shown_;
  std::size_t all_;
};

// The network and the machine that `tutti verify` uses beside the ranks.
struct Setup {
  std::shared_ptr<const machine::Topology> network;
  std::optional<machine::Profile> pricing;
};

struct Line {
  SweepResult result{};
  std::string name{};  // name with settings
  // Size of the vector, and the time that the counts of the last shape take on a machine with it.
  Extent extent{};
  double time = 0;
  // On a topology: the greatest load over all shapes, and the conflicts of the first shape that has
  // some.
  int load = 0;
  std::string shape{};
  std::vector<traffic::Conflict> conflicts{};
};

void add_links(Line& line, const Generator& g, const schedule::Shape& shape,
               const machine::Topology& topology) {
  const traffic::Messages messages = traffic::routed(traffic::messages_of(g, shape), topology);
  const int load = traffic::most_load(messages, topology);
  line.load = std::max(line.load, load);
  if (load < 2 || !line.conflicts.empty()) return;
  line.shape = describe(g, shape);
  line.conflicts = traffic::conflicts(messages);
}

// Returns the machine that prices the counts, or nothing if neither a machine nor a size is given.
std::optional<machine::Profile> pricing_of(const VerifyOptions& options) {
  if (options.call.machine.empty() && !sized(options.call)) return std::nullopt;
  // Throws if the size is none.
  static_cast<void>(extent_of(options.call, schedule::Operation::broadcast, 1));
  return machine::load(options.call.machine.empty() ? "host" : options.call.machine);
}

void price(Line& line, const VerifyOptions& options, const machine::Profile& machine) {
  const SweepResult& r = line.result;
  if (r.shapes == 0) return;
  line.extent = extent_of(options.call, r.generator->operation, r.p);
  const double part = static_cast<double>(line.extent.bytes) / r.parts;
  line.time = machine.alpha.value * static_cast<double>(r.counts.alpha) +
              part * (machine.beta.value * static_cast<double>(r.counts.beta) +
                      machine.gamma.value * static_cast<double>(r.counts.gamma));
}

Table table_of(const std::vector<Line>& lines, bool loads, bool times) {
  Table table(
      "operation<14; algorithm<24; shapes>7; correct<7; R0<9; R1<9; in order<9; one port<9; in "
      "place<8; rounds>6; alpha>6; beta>7; gamma>7");
  if (loads) table.add_columns("load>7");
  if (times) table.add_columns("time us>12.5g;  of<0");
  for (const Line& line : lines) {
    const SweepResult& r = line.result;
    const bool none = r.shapes == 0;
    Table::Row cells = {schedule::to_text(r.generator->operation), line.name, r.shapes,
                        none ? "-" : (r.correct() ? "yes" : "NO")};
    // Nothing else is known about a schedule that is wrong.
    if (r.correct())
      cells.insert(cells.end(), {r.same_tree.text(), r.canonical.text(), r.rank_order.text(),
                                 r.one_port.text(), r.in_place ? "yes" : "-", r.counts.rounds,
                                 r.counts.alpha, r.counts.beta, r.counts.gamma});
    else
      cells.insert(cells.end(), 9, "-");
    if (loads) cells.emplace_back(line.load);
    if (times && r.correct()) cells.insert(cells.end(), {line.time, to_text(line.extent)});
    if (times && !r.correct()) cells.insert(cells.end(), 2, "-");
    table.add(std::move(cells));
  }
  return table;
}

void print_table(const std::vector<Line>& lines, const Setup& setup) {
  const bool loads = setup.network != nullptr, times = setup.pricing.has_value();
  fmt::print("{}", table_of(lines, loads, times).text());
  fmt::print(
      "R0: the same expression on all ranks; R1: the canonical one, so the same bits for every "
      "such algorithm.\n"
      "Costs are counted for the last shape: coefficients of alpha, and of beta and gamma in "
      "blocks.\n");
  if (times) fmt::print("Times are those of these costs on {}.\n", setup.pricing->name);
}

void print_problems(const std::vector<Line>& lines, const machine::Topology* topology) {
  for (const Line& line : lines) {
    if (!line.result.correct())
      fmt::print("\n{} {}\n", painted("NOT CORRECT:", Paint::bad, screen().colours),
                 line.result.problem);
    for (std::size_t i = 0; i < std::min(line.conflicts.size(), most_conflicts_shown); ++i)
      fmt::print("{}{}: {}\n", i == 0 ? "\n" : "", line.shape,
                 traffic::to_text(line.conflicts[i], *topology));
    if (line.conflicts.size() > most_conflicts_shown)
      fmt::print("and {} more\n", line.conflicts.size() - most_conflicts_shown);
  }
}

nlohmann::json json_of(const Line& line, const Setup& setup) {
  const SweepResult& r = line.result;
  const schedule::Counts& c = r.counts;
  nlohmann::json out{{"operation", schedule::to_text(r.generator->operation)},
                     {"algorithm", line.name},
                     {"shape_count", r.shapes},
                     {"ranks", r.ranks},
                     {"correct", r.correct()},
                     {"problem", r.problem},
                     {"counterexample", nullptr},
                     {"same_tree", r.same_tree.text()},
                     {"canonical", r.canonical.text()},
                     {"rank_order", r.rank_order.text()},
                     {"one_port", r.one_port.text()},
                     {"in_place", r.in_place},
                     {"last_shape", r.largest}};
  out["counts"] = {{"rounds", c.rounds},     {"messages", c.messages}, {"volume", c.volume},
                   {"combines", c.combines}, {"alpha", c.alpha},       {"beta", c.beta},
                   {"gamma", c.gamma}};
  if (r.wrong)
    out["counterexample"] = counterexample_json(*r.wrong, has_root(r.generator->operation));
  if (setup.pricing) {
    out["machine"] = setup.pricing->name;
    out["bytes"] = line.extent.bytes;
    out["block_bytes"] = line.extent.block;
    out["time_us"] = line.time;
  }
  if (setup.network == nullptr) return out;
  out["load"] = line.load;
  out["conflicts_of"] = line.shape;
  out["conflicts"] = nlohmann::json::array();
  for (const traffic::Conflict& conflict : line.conflicts)
    out["conflicts"].push_back(traffic::to_text(conflict, *setup.network));
  return out;
}

Line verified(const selection::Forced& plan, Range range, const VerifyOptions& options,
              const Setup& setup, const std::function<void(int)>& progress) {
  const std::string& name = options.call.algorithm;
  range.settings = plan.settings;
  range.only_these = !algorithms::settings_in(name).empty();
  Line line;
  line.name = shown_name(*plan.generator, plan.settings);
  line.result =
      sweep(*plan.generator, range, {progress, [&](const schedule::Shape& shape) {
                                       if (setup.network != nullptr)
                                         add_links(line, *plan.generator, shape, *setup.network);
                                     }});
  if (setup.pricing) price(line, options, *setup.pricing);
  return line;
}

// Throws if an algorithm was requested by name but no shape was verified, so that it does not pass
// as verified.
void require_shapes(const std::vector<Line>& lines, const VerifyOptions& options) {
  const auto tried = [](const Line& line) {
    return line.result.shapes > 0 || !line.result.correct();
  };
  if (options.call.algorithm.empty() || std::any_of(lines.begin(), lines.end(), tried)) return;
  const Line& line = lines.front();
  base::fail(base::Status::invalid_argument,
             "{} {} serves none of these numbers of ranks and roots{}",
             schedule::to_text(line.result.generator->operation), line.name,
             needs_clause(*line.result.generator));
}

bool all_correct(const std::vector<Line>& lines, const VerifyOptions& options) {
  return std::all_of(lines.begin(), lines.end(), [&](const Line& line) {
    return line.result.correct() && (!options.conflict_free || line.conflicts.empty());
  });
}

void print(const std::vector<Line>& lines, const Setup& setup, const VerifyOptions& options) {
  if (!options.call.json) {
    print_table(lines, setup);
    return print_problems(lines, setup.network.get());
  }
  nlohmann::json out = nlohmann::json::array();
  for (const Line& line : lines) out.push_back(json_of(line, setup));
  fmt::print("{}", verify_answer("algorithms", all_correct(lines, options), std::move(out)));
}

}  // namespace

std::vector<selection::Forced> chosen_plans(const VerifyOptions& options) {
  const std::string& name = options.call.algorithm;
  const std::vector<schedule::Operation> operations = operations_of(options);
  std::vector<selection::Forced> found;
  require_schedule(algorithms::name_in(name));
  for (const Generator* generator : algorithms::all()) {
    const bool asked =
        std::find(operations.begin(), operations.end(), generator->operation) != operations.end();
    if (asked && name.empty()) found.push_back({generator, options.call.old_settings.settings()});
  }
  for (const schedule::Operation operation : operations) {
    if (!name.empty() && algorithms::find(operation, algorithms::name_in(name)) != nullptr)
      found.push_back(plan_of(options.call, operation, name));
  }
  if (!found.empty()) return found;
  if (operations.size() == 1) static_cast<void>(plan_of(options.call, operations.front(), name));
  base::fail(base::Status::invalid_argument,
             "there is no algorithm '{}'{}; see tutti info --algorithms", name,
             base::did_you_mean(name, algorithm_names()));
}

bool verify_algorithms(const VerifyOptions& options) {
  const Setup setup{network_of(options.call), pricing_of(options)};
  if (options.conflict_free && setup.network == nullptr)
    base::fail(base::Status::invalid_argument, "--conflict-free needs a --topology");
  const Range range = range_of(options, setup.network.get());
  const std::vector<selection::Forced> plans = chosen_plans(options);
  std::vector<Line> lines;
  const ProgressLine progress(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i)
    lines.push_back(verified(plans[i], range, options, setup, [&](int p) {
      progress.show(i, *plans[i].generator, p, range.ranks.back());
    }));
  progress.clear();
  require_shapes(lines, options);
  print(lines, setup, options);
  return all_correct(lines, options);
}

}  // namespace tutti::tools
