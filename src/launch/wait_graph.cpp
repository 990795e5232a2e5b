// SPDX-License-Identifier: BSD-3-Clause
// The wait-for graph has AND nodes (all of wait_for) and OR nodes (any of them). The set of stuck
// nodes is the largest one in which every AND node has a stuck or departed target and every OR node
// has no other targets.
#include "launch/wait_graph.hpp"

#include <algorithm>

namespace tutti::launch {
namespace {

using World = std::vector<RankView>;

bool in_world(const World& world, int rank) {
  return rank >= 0 && rank < static_cast<int>(world.size());
}

const RankView& at(const World& world, int rank) {
  return world[static_cast<std::size_t>(rank)];
}

bool has_departed(const World& world, int rank) {
  return in_world(world, rank) && at(world, rank).departed();
}

// Returns a departed target without which the wait cannot end; -1 if it can still end. An OR wait
// with more targets than are shown may still be ended by the others.
int lost_target(const World& world, const RankView& waiter) {
  const auto& targets = waiter.wait_for;
  const auto gone = [&](int rank) { return has_departed(world, rank); };
  if (waiter.waiting == WaitState::for_any) {
    const bool complete = waiter.wait_count == targets.size();
    return complete && std::all_of(targets.begin(), targets.end(), gone) ? targets.front() : -1;
  }
  const auto found = std::find_if(targets.begin(), targets.end(), gone);
  return found == targets.end() ? -1 : *found;
}

std::vector<char> stuck_ranks(const World& world) {
  std::vector<char> stuck(world.size());
  for (std::size_t i = 0; i < world.size(); ++i) stuck[i] = world[i].waits() ? 1 : 0;
  const auto hopeless = [&](int rank) {
    return in_world(world, rank) &&
           (stuck[static_cast<std::size_t>(rank)] != 0 || at(world, rank).departed());
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < world.size(); ++i) {
      if (stuck[i] == 0) continue;
      const auto& targets = world[i].wait_for;
      const bool all = world[i].wait_count == targets.size() &&
                       std::all_of(targets.begin(), targets.end(), hopeless);
      const bool some = std::any_of(targets.begin(), targets.end(), hopeless);
      if (world[i].waiting == WaitState::for_any ? all : some) continue;
      stuck[i] = 0;
      changed = true;
    }
  }
  return stuck;
}

// Every stuck rank has a hopeless target. Following these targets ends at a departed rank or
// repeats a rank.
std::string follow(const World& world, const std::vector<char>& stuck, int start) {
  std::vector<int> path{start};
  for (;;) {
    const auto& targets = at(world, path.back()).wait_for;
    const auto next = std::find_if(targets.begin(), targets.end(), [&](int rank) {
      return in_world(world, rank) &&
             (stuck[static_cast<std::size_t>(rank)] != 0 || at(world, rank).departed());
    });
    if (next == targets.end()) return "";
    const auto seen = std::find(path.begin(), path.end(), *next);
    const bool closed = seen != path.end();
    if (closed) path.erase(path.begin(), seen);
    path.push_back(*next);
    if (!closed && !at(world, *next).departed()) continue;
    std::string text;
    for (const int rank : path) {
      text +=
          (text.empty() ? "" : " -> ") + std::string(at(world, rank).is_task() ? "task " : "rank ");
      text += std::to_string(rank);
    }
    return closed ? text : text + " (which has left)";
  }
}

}  // namespace

std::string find_cycle(const World& world) {
  const auto stuck = stuck_ranks(world);
  const auto first = std::find(stuck.begin(), stuck.end(), 1);
  return first == stuck.end() ? "" : follow(world, stuck, static_cast<int>(first - stuck.begin()));
}

bool VainWaits::look(const RankView& waiter, int ended) {
  const bool waits =
      waiter.waits() && std::ranges::find(waiter.wait_for, ended) != waiter.wait_for.end();
  if (!waits) {
    first_seen_.erase({waiter.rank, ended});
    return false;
  }
  const SeenWait now(waiter);
  SeenWait& seen = first_seen_.try_emplace({waiter.rank, ended}, now).first->second;
  if (!seen.continues(waiter)) seen = now;
  return seen.polled_twice(waiter);
}

bool DepartureWatch::confirmed(const RankView& waiter, const RankView& departed) {
  const Suspicion now{SeenWait(waiter), departed.rank, departed.pid};
  Suspicion& before = suspicions_.try_emplace(waiter.rank, now).first->second;
  const bool same = before.wait.continues(waiter) && before.departed == now.departed &&
                    before.departed_pid == now.departed_pid;
  if (!same) before = now;
  return before.wait.polled_twice(waiter);
}

bool all_asleep(const transport::shm::Mapping& mapping) {
  const auto slots = static_cast<int>(mapping.header().slots.see());
  for (int slot = 0; slot < slots; ++slot) {
    const auto& endpoint = mapping.endpoint(slot);
    if (endpoint.presence.see() == transport::shm::Presence::attached &&
        endpoint.state.waiting.peek() == 0)
      return false;
  }
  return true;
}

const char* standstill_text(const World& world) {
  const bool for_room = std::ranges::any_of(world, &RankView::waits_for_room);
  return for_room
             ? "all processes wait for messages that nobody will send, or for room for messages "
               "that nobody will make"
             : "all processes wait for messages that nobody will send";
}

bool StandstillWatch::look(const World& world) {
  std::vector<const RankView*> now;
  for (const auto& view : world) {
    if (view.departed() || view.presence == transport::shm::Presence::empty) continue;
    if (!view.waits_for_somebody() || view.may_give_up) {
      first_seen_.clear();
      return false;
    }
    now.push_back(&view);
  }
  const auto continues = [](const auto& seen, const RankView* view) {
    return seen.first == view->rank && seen.second.continues(*view);
  };
  if (!std::ranges::equal(first_seen_, now, continues)) {
    first_seen_.clear();
    for (const RankView* view : now) first_seen_.emplace_back(view->rank, SeenWait(*view));
    return false;
  }
  const auto polled = [](const auto& seen, const RankView* view) {
    return seen.second.polled_twice(*view);
  };
  return !now.empty() && std::ranges::equal(first_seen_, now, polled);
}

std::optional<LostWait> DepartureWatch::look(const World& world) {
  for (const auto& waiter : world) {
    const int departed = waiter.waits() ? lost_target(world, waiter) : -1;
    if (departed < 0) {
      suspicions_.erase(waiter.rank);
    } else if (confirmed(waiter, at(world, departed))) {
      return LostWait{waiter.rank, departed};
    }
  }
  return std::nullopt;
}

}  // namespace tutti::launch
