// SPDX-License-Identifier: BSD-3-Clause
// Changes the state of a group, and converts it to numbers and back (group_state.hpp).
#include "group_state.hpp"

#include <tutti-pvm/pvm3.h>

#include <algorithm>
#include <chrono>

namespace tutti::pvm {
namespace {

constexpr int version = 1;
constexpr std::size_t changes_kept = 64, pins_kept = 64, failures_kept = 16;

template <class T>
void keep_last(std::vector<T>& list, std::size_t count) {
  if (list.size() > count)
    list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(count));
}

// Writer and Reader convert a state to numbers in a row and back. A list is preceded by its length.
struct Writer {
  std::vector<int> words;

  void number(int value) { words.push_back(value); }
  void number(std::uint32_t value) { words.push_back(static_cast<int>(value)); }
  template <class T, class Each>
  void list(const std::vector<T>& values, const Each& each) {
    number(static_cast<int>(values.size()));
    for (const T& value : values) each(value);
  }
};

struct Reader {
  const std::vector<int>* words;
  std::size_t at = 0;

  [[nodiscard]] bool good() const { return at <= words->size(); }
  int number() { return at < words->size() ? (*words)[at++] : (at = words->size() + 1, 0); }
  std::uint32_t natural() { return static_cast<std::uint32_t>(number()); }
  template <class T, class Each>
  void list(std::vector<T>& values, const Each& each) {
    for (int left = number(); left > 0 && good(); --left) values.push_back(each());
  }
};

}  // namespace

// Numbers start at the milliseconds since 1970, cut to 32 bits: a group changes less often than
// that.
GroupState GroupState::founded() {
  using namespace std::chrono;
  const auto now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  GroupState group;
  group.state = GroupRegistry::open;
  group.epoch = static_cast<std::uint32_t>(now);
  for (Gathering& meeting : group.meetings) meeting.round = group.epoch;
  return group;
}

std::vector<int> GroupState::pack() const {
  Writer out;
  const auto number = [&](auto value) { out.number(value); };
  for (const std::uint32_t value : {static_cast<std::uint32_t>(version),
                                    static_cast<std::uint32_t>(state), epoch, deaths, operations}) {
    out.number(value);
  }
  out.list(tids, number);
  out.list(changes, [&](const Change& one) {
    out.number(one.instance);
    out.number(one.before);
  });
  out.list(pins, [&](const Pin& one) {
    out.number(one.operation);
    out.number(one.epoch);
  });
  out.list(failures, number);
  for (const Gathering& meeting : meetings) {
    out.number(meeting.round);
    out.number(meeting.count);
    out.list(meeting.arrived, number);
  }
  return out.words;
}

std::optional<GroupState> GroupState::unpack(const std::vector<int>& words) {
  Reader in{&words};
  if (in.number() != version) return std::nullopt;
  GroupState group;
  group.state = static_cast<GroupRegistry::State>(in.number());
  group.epoch = in.natural();
  group.deaths = in.natural();
  group.operations = in.natural();
  in.list(group.tids, [&] { return in.number(); });
  in.list(group.changes, [&] {
    const int instance = in.number();
    return Change{instance, in.number()};
  });
  in.list(group.pins, [&] {
    const std::uint32_t operation = in.natural();
    return Pin{operation, in.natural()};
  });
  in.list(group.failures, [&] { return in.natural(); });
  for (Gathering& meeting : group.meetings) {
    meeting.round = in.natural();
    meeting.count = in.number();
    in.list(meeting.arrived, [&] { return in.number(); });
  }
  return in.good() ? std::optional(std::move(group)) : std::nullopt;
}

void GroupState::put(int instance, int tid) {
  const auto at = static_cast<std::size_t>(instance);
  if (at >= tids.size()) tids.resize(at + 1);
  changes.push_back({instance, tids[at]});
  ++epoch;
  keep_last(changes, changes_kept);
  tids[at] = tid;
  while (!tids.empty() && tids.back() == 0) tids.pop_back();
  if (state == GroupRegistry::frozen && tid == 0) state = GroupRegistry::broken;
}

int GroupState::join(int tid) {
  if (has(tid)) return PvmDupGroup;
  if (state > GroupRegistry::open) return PvmNotInGroup;
  const int hole = static_cast<int>(std::find(tids.begin(), tids.end(), 0) - tids.begin());
  put(hole, tid);
  return hole;
}

bool GroupState::leave(int tid) {
  const auto found = std::find(tids.begin(), tids.end(), tid);
  if (found == tids.end()) return false;
  for (Gathering& meeting : meetings) std::erase(meeting.arrived, tid);
  put(static_cast<int>(found - tids.begin()), 0);
  return true;
}

void GroupState::bury(const std::vector<int>& dead) {
  for (const int tid : dead) {
    if (leave(tid)) ++deaths;
  }
}

bool GroupState::has(int tid) const {
  return std::find(tids.begin(), tids.end(), tid) != tids.end();
}

int GroupState::size() const {
  return static_cast<int>(tids.size() -
                          static_cast<std::size_t>(std::count(tids.begin(), tids.end(), 0)));
}

GroupMembers GroupState::membership() const {
  return {epoch, tids, size()};
}

std::optional<GroupMembers> GroupState::membership_at(std::uint32_t wanted) const {
  GroupMembers members = membership();
  for (auto change = changes.rbegin(); members.epoch != wanted; ++change) {
    if (change == changes.rend()) return std::nullopt;
    members.undo(change->instance, change->before);
  }
  return members;
}

std::optional<std::uint32_t> GroupState::epoch_of(std::uint32_t operation) const {
  if (operation >= operations) return std::nullopt;
  const auto later = std::find_if(pins.rbegin(), pins.rend(),
                                  [&](const Pin& pin) { return pin.operation <= operation; });
  return later == pins.rend() ? std::nullopt : std::optional(later->epoch);
}

void GroupState::pin(std::uint32_t operation) {
  if (pins.empty() || pins.back().epoch != epoch) pins.push_back({operation, epoch});
  keep_last(pins, pins_kept);
  operations = operation + 1;
}

void GroupState::note_failure(std::uint32_t operation) {
  failures.push_back(operation);
  keep_last(failures, failures_kept);
}

}  // namespace tutti::pvm
