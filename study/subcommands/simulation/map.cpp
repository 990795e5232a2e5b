// SPDX-License-Identifier: BSD-3-Clause
// Shows which candidate is best for which size and setting.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/printer.hpp"
#include "selection/explain.hpp"
#include "simulation/print.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

// The best outcome for each size.
using Best = std::vector<const Outcome*>;

// Returns the best outcome for each size; among equal ones, the first.
Best best_of(const SimulateResult& result) {
  Best best;
  for (const Outcome& outcome : result.outcomes) {
    if (best.empty() || best.back()->asked != outcome.asked) {
      best.push_back(&outcome);
    } else if (outcome.most < best.back()->most) {
      best.back() = &outcome;
    }
  }
  return best;
}

// Assigns a letter to each name, in the order in which names occur.
class Letters {
 public:
  char of(const std::string& name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    const auto index = static_cast<std::size_t>(found - names_.begin());
    if (found == names_.end()) names_.push_back(name);
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return index < letters.size() ? letters[index] : '?';
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

// Returns the network, with the number of ranks where it has more nodes.
std::string place_of(const Setting& setting) {
  const machine::Topology& network = *setting.machine.network.topology;
  return setting.ranks == network.nodes()
             ? network.name()
             : fmt::format("{}, {} ranks", network.name(), setting.ranks);
}

}  // namespace

std::string name_of(const Setting& setting, const Outcome& outcome) {
  return setting.sync ? fmt::format("{}, {}", outcome.name, to_text(outcome.sync)) : outcome.name;
}

std::string map_text(const std::vector<SimulateResult>& results) {
  Letters letters;
  std::string text = fmt::format(
      "{} on {}, the fastest for each size of {}\n",
      schedule::to_text(results.front().setting.operation), results.front().setting.machine.name,
      results.front().setting.sized_by == Sizes::Of::block ? "a block" : "the whole vector");
  Table table("<16");
  for (const Outcome* outcome : best_of(results.front()))
    table.add_columns(size_text(outcome->asked) + ">6");
  for (const SimulateResult& result : results) {
    Table::Row cells = {place_of(result.setting)};
    for (const Outcome* outcome : best_of(result))
      cells.emplace_back(std::string(1, letters.of(name_of(result.setting, *outcome))));
    table.add(std::move(cells));
  }
  text += table.text();
  for (const std::string& name : letters.names())
    text += fmt::format("{} = {}\n", letters.of(name), name);
  return text;
}

Table map_table(const std::vector<SimulateResult>& results, const std::string& time) {
  Table table("topology;ranks;bytes;block_bytes;algorithm;sync;" + time);
  for (const SimulateResult& result : results)
    for (const Outcome* o : best_of(result))
      table.add({result.setting.machine.network.topology->name(), result.setting.ranks,
                 o->extent.bytes, o->extent.block, o->name, to_text(o->sync), o->most});
  return table;
}

}  // namespace tutti::tools
