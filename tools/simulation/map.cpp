// SPDX-License-Identifier: BSD-3-Clause
// Which candidate is best where.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/printer.hpp"
#include "selection/explain.hpp"
#include "simulation/print.hpp"

namespace tutti::tools {
namespace {

// Of the outcomes of one size.
using Best = std::vector<const Outcome*>;

// The best of each size; of equal ones the first.
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

std::string name_of(const Setting& setting, const Outcome& outcome) {
  return setting.sync ? fmt::format("{}, {}", outcome.name, to_text(outcome.sync)) : outcome.name;
}

// One letter for each name, in the order in which they are met.
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

}  // namespace

std::string map_text(const std::vector<SimulateResult>& results) {
  Letters letters;
  std::string text = fmt::format(
      "{} on {}, the fastest for each size of {}\n{:<16}",
      schedule::to_text(results.front().setting.operation), results.front().setting.machine.name,
      results.front().setting.sized_by == Sizes::Of::block ? "a block" : "the whole vector", "");
  for (const Outcome* outcome : best_of(results.front()))
    text += fmt::format("{:>6}", size_text(outcome->asked));
  text += "\n";
  for (const SimulateResult& result : results) {
    text += fmt::format("{:<16}", result.setting.machine.network.topology->name());
    for (const Outcome* outcome : best_of(result))
      text += fmt::format("{:>6}", letters.of(name_of(result.setting, *outcome)));
    text += "\n";
  }
  for (const std::string& name : letters.names())
    text += fmt::format("{} = {}\n", letters.of(name), name);
  return text;
}

std::string map_csv(const std::vector<SimulateResult>& results) {
  std::string text = "topology,ranks,bytes,block_bytes,algorithm,sync,most_us\n";
  for (const SimulateResult& result : results)
    for (const Outcome* o : best_of(result))
      text += fmt::format("{},{},{},{},{},{},{}\n", result.setting.machine.network.topology->name(),
                          result.setting.ranks, o->extent.bytes, o->extent.block, o->name,
                          to_text(o->sync), o->most);
  return text;
}

nlohmann::json map_json(const std::vector<SimulateResult>& results) {
  nlohmann::json all = nlohmann::json::array();
  for (const SimulateResult& result : results)
    for (const Outcome* o : best_of(result))
      all.push_back({{"topology", result.setting.machine.network.topology->name()},
                     {"ranks", result.setting.ranks},
                     {"bytes", o->extent.bytes},
                     {"block_bytes", o->extent.block},
                     {"algorithm", o->name},
                     {"sync", to_text(o->sync)},
                     {"most", o->most}});
  return all;
}

}  // namespace tutti::tools
