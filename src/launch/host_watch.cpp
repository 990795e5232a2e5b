// SPDX-License-Identifier: BSD-3-Clause
// Compares what the ranks of this machine wait for with the signs of life of the other machines.
#include "launch/host_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tutti::launch {
namespace {

// The time of day so long ago, for people who compare it with a log.
std::string clock_time(std::chrono::milliseconds ago) {
  const std::time_t then =
      std::time(nullptr) - std::chrono::duration_cast<std::chrono::seconds>(ago).count();
  std::tm parts{};
  std::array<char, 16> text{};
  if (::localtime_r(&then, &parts) == nullptr ||
      std::strftime(text.data(), text.size(), "%H:%M:%S", &parts) == 0)
    return "?";
  return text.data();
}

std::string whole_seconds(std::chrono::milliseconds time) {
  return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

}  // namespace

HostWatch::HostWatch(Neighbours neighbours, Silence silence, OperationName operation_name)
    : neighbours_(std::move(neighbours)),
      silence_(silence),
      operation_name_(operation_name),
      lines_(neighbours_, silence),
      said_(neighbours_.others.size(), Life::answers) {
  for (std::size_t i = 0; i < neighbours_.others.size(); ++i)
    for (const int rank : neighbours_.others[i].ranks) machine_of_.emplace(rank, i);
}

HostWatch::Finding HostWatch::look(const std::vector<RankView>& world) {
  lines_.work();
  for (std::size_t i = 0; i < said_.size(); ++i)
    if (said_[i] != Life::answers && lines_.ask(i).life == Life::answers) said_[i] = Life::answers;
  for (const RankView& view : world) {
    if (!waits_long(view)) continue;
    Finding found = compare(view);
    if (!found.text.empty()) return found;
  }
  return {};
}

// Returns true if the rank has been in its present wait for longer than the limit.
bool HostWatch::waits_long(const RankView& view) {
  if (view.waiting == WaitState::no || view.wait_for.empty()) {
    waits_.erase(view.rank);
    return false;
  }
  const auto now = Clock::now();
  const auto known = waits_.find(view.rank);
  if (known == waits_.end() || !known->second.wait.continues(view)) {
    waits_.insert_or_assign(view.rank, LongWait{SeenWait(view), now});
    return false;
  }
  return now - known->second.since >= silence_.limit;
}

// A machine ends the job only if it has answered before, and does not now: a machine that cannot be
// asked may compute. A wait that something else may end does not end the job either. One line about
// a machine is enough until it answers again, unless the job ends for it only now.
HostWatch::Finding HostWatch::compare(const RankView& view) {
  const bool only_by_these = view.waiting == WaitState::for_all && !view.may_give_up;
  for (const int awaited : view.wait_for) {
    const auto machine = machine_of_.find(awaited);
    if (machine == machine_of_.end()) continue;
    const std::size_t other = machine->second;
    const LifeSign sign = lines_.ask(other);
    const bool ends = silence_.ends && sign.life == Life::silent && only_by_these && !view.or_more;
    if (sign.life == Life::answers || (said_[other] != Life::answers && !ends)) continue;
    said_[other] = sign.life;
    return {text_of(view, other, awaited, sign, ends), ends};
  }
  return {};
}

std::string HostWatch::text_of(const RankView& view, std::size_t other, int awaited,
                               const LifeSign& sign, bool ends) {
  const std::string& name = neighbours_.others[other].name;
  const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(
      Clock::now() - waits_.at(view.rank).since);
  const std::string who =
      fmt::format("rank {} has waited since {} ({}) for rank {} on host {}", view.rank,
                  clock_time(waited), whole_seconds(waited), awaited, name);
  const std::string what = describe(view, operation_name_);
  if (sign.life == Life::unknown) {
    return fmt::format(
        "tutti: {}, which is silent or computing: tutti has no connection to it that "
        "would tell; it was {}\n",
        who, what);
  }
  return fmt::format(
      "tutti: {}, which is silent: its last answer came at {} ({} ago); it was {}{}\n", who,
      clock_time(sign.ago), whole_seconds(sign.ago), what,
      ends ? "; the job ends, as TUTTI_TUNING=silence_ends=1 says" : "");
}

}  // namespace tutti::launch
