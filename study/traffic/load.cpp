// SPDX-License-Identifier: BSD-3-Clause
// Counts the uses of links, sorted by step and link.
#include "traffic/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tutti::traffic {
namespace {

using machine::Link;

constexpr std::size_t most_named = 8;

// Returns the messages of each link in each step, as indices.
std::map<std::pair<int, Link>, std::vector<std::size_t>> uses(const Messages& messages) {
  std::map<std::pair<int, Link>, std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < messages.size(); ++i)
    for (const Link link : messages[i].route) found[{messages[i].step, link}].push_back(i);
  return found;
}

}  // namespace

std::vector<StepLoad> loads(const Messages& messages, const machine::Topology& topology) {
  std::vector<StepLoad> result;
  for (int step = 1; step <= last_step(messages); ++step) result.push_back({step, 0, 0, {-1, -1}});
  std::vector<std::vector<const Message*>> of_step(result.size());
  for (const Message& message : messages)
    of_step[static_cast<std::size_t>(message.step - 1)].push_back(&message);
  std::vector<int> count(static_cast<std::size_t>(topology.links()));
  for (StepLoad& load : result) {
    const auto& present = of_step[static_cast<std::size_t>(load.step - 1)];
    load.messages = static_cast<int>(present.size());
    for (const Message* message : present) {
      for (const Link link : message->route) {
        const int n = ++count[static_cast<std::size_t>(topology.index(link))];
        if (n > load.most || (n == load.most && link < load.link))
          std::tie(load.most, load.link) = std::pair(n, link);
      }
    }
    for (const Message* message : present)
      for (const Link link : message->route)
        count[static_cast<std::size_t>(topology.index(link))] = 0;
  }
  return result;
}

int most_load(const Messages& messages, const machine::Topology& topology) {
  int most = 0;
  for (const StepLoad& load : loads(messages, topology)) most = std::max(most, load.most);
  return most;
}

std::vector<Conflict> conflicts(const Messages& messages) {
  std::vector<Conflict> found;
  for (const auto& [where, indices] : uses(messages)) {
    if (indices.size() < 2) continue;
    Conflict conflict{where.first, where.second, {}};
    for (const std::size_t i : indices) conflict.messages.push_back(messages[i]);
    const auto pair = [](const Message& m) {
      return std::tuple(std::min(m.from, m.to), std::max(m.from, m.to), m.from);
    };
    std::stable_sort(conflict.messages.begin(), conflict.messages.end(),
                     [&](const Message& a, const Message& b) { return pair(a) < pair(b); });
    found.push_back(std::move(conflict));
  }
  return found;
}

std::string to_text(const Message& message, const machine::Topology& topology) {
  return fmt::format("{}->{}", topology.label(message.from), topology.label(message.to));
}

std::string to_text(const Conflict& conflict, const machine::Topology& topology) {
  const std::size_t all = conflict.messages.size(), shown = all > most_named ? most_named : all;
  std::string names;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) names += i + 1 == all ? " and " : ", ";
    names += to_text(conflict.messages[i], topology);
  }
  if (shown < all) names += fmt::format(" and {} more", all - shown);
  return fmt::format("step {}, link {}: messages {}", conflict.step,
                     machine::to_text(topology, conflict.link), names);
}

int least_gap(const Messages& messages) {
  std::map<Link, std::vector<int>> steps;
  for (const Message& message : messages)
    for (const Link link : message.route) steps[link].push_back(message.step);
  int least = 0;
  for (auto& [link, used] : steps) {
    std::sort(used.begin(), used.end());
    for (std::size_t i = 1; i < used.size(); ++i) {
      const int gap = used[i] - used[i - 1];
      if (gap > 0 && (least == 0 || gap < least)) least = gap;
    }
  }
  return least;
}

}  // namespace tutti::traffic
