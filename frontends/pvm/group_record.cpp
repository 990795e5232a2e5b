// SPDX-License-Identifier: BSD-3-Clause
// Finds and changes the names of groups and the membership of each in shared memory, and
// reconstructs earlier memberships.
#include "group_record.hpp"

#include <tutti-pvm/pvm3.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>

#include "core.hpp"

namespace tutti::pvm {

GroupTable::Seat GroupTable::find(std::string_view name) const {
  for (int place = 0; place < used_.load(); ++place) {
    const std::uint32_t life = entries_[place].life.load();
    if (life != 0 && name == entries_[place].name) return {place, life};
  }
  return {};
}

// A task that is killed in here leaves a place without a name, which the next name gets.
GroupTable::Seat GroupTable::give_to(int place, std::string_view name) {
  Entry& entry = entries_[place];
  entry.life.store(0);
  in_this_order();
  std::fill_n(entry.name, name_bytes, '\0');
  name.copy(entry.name, name_bytes - 1);
  used_.store(std::max(used_.load(), place + 1));
  std::uint32_t life = lives_.fetch_add(1) + 1;
  if (life == 0) life = lives_.fetch_add(1) + 1;
  in_this_order();
  entry.life.store(life);
  return {place, life};
}

int GroupRecord::find(int tid) const {
  const auto* found = std::find(tids_, tids_ + top_, tid);
  return found == tids_ + top_ ? -1 : static_cast<int>(found - tids_);
}

// Writes the change down before it makes it, so that a task that is killed meanwhile leaves a
// change that is not begun, or one that the next holder of the lock can make again.
void GroupRecord::put(int instance, int tid) {
  const std::uint32_t next = epoch_.load() + 1;
  Change& change = changes_[next % changes_kept];
  change.instance = instance;
  change.before = tids_[instance];
  change.after = tid;
  in_this_order();
  change.epoch = next;
  in_this_order();
  apply(change);
}

// May find the change made in part. The epoch is written last: a reader that sees the new epoch
// also finds its change.
void GroupRecord::apply(const Change& change) {
  tids_[change.instance] = change.after;
  top_ = std::max(top_, change.instance + 1);
  while (top_ > 0 && tids_[top_ - 1] == 0) --top_;
  size_.store(static_cast<int>(top_ - std::count(tids_, tids_ + top_, 0)));
  if (size_.load() == 0) {
    state_.store(GroupRegistry::absent);
  } else if (state_.load() == GroupRegistry::absent) {
    state_.store(GroupRegistry::open);
  } else if (state_.load() == GroupRegistry::frozen && change.after == 0) {
    state_.store(GroupRegistry::broken);
  }
  epoch_.store(change.epoch);
}

// Makes the change that a killed holder of the lock has written down but not finished.
void GroupRecord::repair() {
  const std::uint32_t next = epoch_.load() + 1;
  const Change& change = changes_[next % changes_kept];
  if (change.epoch == next) apply(change);
}

std::unique_lock<RecordLock> GroupRecord::hold() {
  return pvm::hold(lock_, [this] { repair(); });
}

int GroupRecord::join(int tid) {
  const auto held = hold();
  if (find(tid) >= 0) return PvmDupGroup;
  if (state_.load() > GroupRegistry::open) return PvmNotInGroup;
  const int hole = static_cast<int>(std::find(tids_, tids_ + top_, 0) - tids_);
  if (hole == most_members) return PvmOutOfRes;
  put(hole, tid);
  return hole;
}

bool GroupRecord::leave(int tid) {
  const auto held = hold();
  const int instance = find(tid);
  if (instance >= 0) put(instance, 0);
  return instance >= 0;
}

bool GroupRecord::freeze() {
  const auto held = hold();
  if (state_.load() != GroupRegistry::open) return false;
  state_.store(GroupRegistry::frozen);
  return true;
}

GroupMembers GroupRecord::copy() const {
  return {epoch_.load(), {tids_, tids_ + top_}, size_.load()};
}

GroupMembers GroupRecord::membership() {
  const auto held = hold();
  return copy();
}

std::optional<GroupMembers> GroupRecord::membership_at(std::uint32_t epoch) {
  const auto held = hold();
  GroupMembers members = copy();
  while (members.epoch != epoch) {
    const Change& change = changes_[members.epoch % changes_kept];
    if (change.epoch != members.epoch) return std::nullopt;
    members.undo(change.instance, change.before);
  }
  return members;
}

void GroupRecord::sweep() {
  const std::int64_t departures = tutti_departures();
  if (departures == departures_.load()) return;
  const auto held = hold();
  for (int instance = 0; instance < top_; ++instance) {
    if (tids_[instance] == 0 || tutti_present(tutti_pvm_endpoint(tids_[instance])) != 0) continue;
    deaths_.fetch_add(1);
    put(instance, 0);
  }
  departures_.store(departures);
}

std::uint32_t GroupRecord::operations() const {
  std::uint32_t last = 0;
  for (const Pin& pin : pins_) {
    const auto after = static_cast<std::uint32_t>(pin.word.load() >> 32);
    if (after != 0 && (last == 0 || comes_before(last, after))) last = after;
  }
  return last == 0 ? 0 : operation_after(last - 1);
}

// One exchange touches one cache line. A lock and a count would touch two more, and every member
// would wait for them.
void GroupRecord::pin_to(std::uint32_t number, const Pinned& offered) {
  Pin& pin = pins_[number % pins_kept];
  std::uint64_t before = pin.word.load();
  const HostSet& hosts = offered.whole_hosts;
  const bool plain =
      before != Pin::busy && hosts.empty() && (pin.hosts[0].load() | pin.hosts[1].load()) == 0;
  if (!plain) return pin_with_hosts(number, offered);
  while (before != Pin::busy && !is_for(before, number)) {
    if (pin.word.compare_exchange_weak(before, (std::uint64_t{number} + 1) << 32 | offered.epoch))
      return;
  }
  if (before == Pin::busy) pin_with_hosts(number, offered);
}

void GroupRecord::pin_with_hosts(std::uint32_t number, const Pinned& offered) {
  const auto held = hold();
  Pin& pin = pins_[number % pins_kept];
  std::uint64_t before = pin.word.load();
  do {
    if (is_for(before, number)) return;
  } while (!pin.word.compare_exchange_weak(before, Pin::busy));
  for (int i = 0; i < 2; ++i) pin.hosts[i].store(offered.whole_hosts.bits[i]);
  pin.word.store((std::uint64_t{number} + 1) << 32 | offered.epoch);
}

std::optional<Pinned> GroupRecord::pinned(std::uint32_t number) const {
  const Pin& pin = pins_[number % pins_kept];
  const std::uint64_t word = pin.word.load();
  const Pinned found{static_cast<std::uint32_t>(word),
                     {{pin.hosts[0].load(), pin.hosts[1].load()}}};
  const bool meant = word >> 32 == std::uint64_t{number} + 1 && pin.word.load() == word;
  return meant ? std::optional(found) : std::nullopt;
}

}  // namespace tutti::pvm
