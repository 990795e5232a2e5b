// SPDX-License-Identifier: BSD-3-Clause
// The registry of a group at the pvmd (group_registry.hpp). It is one entry of numbers, and a task
// that changes it holds the lock beside it. So a change is made or not made, even if the task that
// makes it is killed. A member reads the entry once per call; a frozen group does not change, so it
// is not read again.
//
// No member needs to be there for the others: only the pvmd serves at all times. The last task to
// arrive at a barrier sends a message to those that wait.
#include "group_registry.hpp"

#include <fmt/format.h>
#include <tutti-pvm/pvm3.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "core.hpp"
#include "entry.hpp"
#include "group_state.hpp"

namespace tutti::pvm {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_looks{20};  // between two looks of a task that waits

// Returns true if the task has not ended. tutti_present watches a task from its first question on.
// The task may have ended before that, so the pvmd is asked once as well.
bool alive(int tid) {
  static std::map<int, bool> was_there;
  const bool present = tutti_present(tid) != 0;
  const auto [found, fresh] = was_there.try_emplace(tid, true);
  if (fresh && tid != pvm_mytid()) {
    const Borrowed libpvm;
    found->second = pvm_pstat(tid) == PvmOk;
  }
  return present && found->second;
}

}  // namespace

struct GroupRegistry::Shared {
  std::string name;
  Entry entry;
  int self;
  GroupState now = {};                // the entry as last read
  std::uint32_t epoch_looked_at = 0;  // last epoch whose members were all checked
  std::int64_t departures = -1;       // departures of the job at that check
  Clock::time_point next_look = {};   // time before which failed() does not read again

  void read() {
    const std::optional<std::vector<int>> words = entry.read();
    std::optional<GroupState> found = words ? GroupState::unpack(*words) : GroupState();
    if (!found)
      throw std::runtime_error(fmt::format("group '{}' is one of another version of tutti", name));
    now = std::move(*found);
  }

  // Changes the entry under its lock. change(GroupState&) returns true if there is something to
  // write. `needless` is asked while waiting for the lock, because another task may make the change
  // first.
  template <class Change>
  void update(const Change& change, const std::function<bool()>& needless = nullptr) {
    const Entry::Lock hold(entry, needless);
    if (!hold.held()) return;
    read();
    GroupState next = now;
    if (!change(next)) return;
    if (next.size() == 0) {
      entry.erase();
      next = GroupState();
    } else {
      entry.write(next.pack());
    }
    now = std::move(next);
  }

  [[nodiscard]] std::vector<int> dead() const {
    std::vector<int> found;
    for (const int tid : now.tids) {
      if (tid != 0 && !alive(tid)) found.push_back(tid);
    }
    return found;
  }

  [[nodiscard]] Gathering& meeting(Meeting which) {
    return now.meetings[static_cast<std::size_t>(which)];
  }
  [[nodiscard]] std::uint64_t key(Meeting which, std::uint32_t round) const {
    const std::uint64_t kind = which == Meeting::barrier ? 1 : 2;
    return (name_hash(name) + kind) << 32 | round;
  }
  void release(const std::vector<int>& waiting, std::uint64_t key) const {
    for (const int tid : waiting) {
      if (tid != self)
        // Failure is harmless: a dead task needs no message.
        static_cast<void>(tutti_mail_send(tid, key, nullptr, 0));
    }
  }
};

GroupRegistry::GroupRegistry(std::string_view name)
    : shared_(std::make_unique<Shared>(Shared{std::string(name), Entry(name), pvm_mytid()})) {}

GroupRegistry::~GroupRegistry() = default;

void GroupRegistry::sweep() {
  Shared& my = *shared_;
  const std::int64_t departures = tutti_departures();
  const bool settled = my.now.state == frozen && my.now.has(my.self);
  if (settled && departures == my.departures) return;
  my.read();
  if (my.now.epoch == my.epoch_looked_at && departures == my.departures) return;
  if (const std::vector<int> dead = my.dead(); !dead.empty()) {
    my.update([&](GroupState& group) {
      group.bury(dead);
      return true;
    });
  }
  my.epoch_looked_at = my.now.epoch;
  my.departures = departures;
}

int GroupRegistry::join(int tid, std::uint32_t& operations_before) {
  int instance = PvmSysErr;
  operations_before = operations();
  shared_->update([&](GroupState& group) {
    if (group.state == absent) group = GroupState::founded();
    instance = group.join(tid);
    return instance >= 0;
  });
  return instance;
}

bool GroupRegistry::leave(int tid) {
  bool left = false;
  shared_->update([&](GroupState& group) { return left = group.leave(tid); });
  return left;
}

// The last task to arrive at the meeting has frozen the group already, so this is seldom needed.
bool GroupRegistry::freeze() {
  Shared& my = *shared_;
  my.read();
  if (my.now.state != open) return false;
  my.update([](GroupState& group) {
    if (group.state != open) return false;
    group.state = frozen;
    return true;
  });
  return my.now.state == frozen;
}

std::uint32_t GroupRegistry::life() const {
  return 0;  // the epochs of a name are never counted anew
}
GroupRegistry::State GroupRegistry::state() const {
  return shared_->now.state;
}
std::uint32_t GroupRegistry::epoch() const {
  return shared_->now.epoch;
}
std::uint32_t GroupRegistry::deaths() const {
  return shared_->now.deaths;
}
int GroupRegistry::size() const {
  return shared_->now.size();
}
GroupMembers GroupRegistry::membership() const {
  return shared_->now.membership();
}
std::optional<GroupMembers> GroupRegistry::membership_at(std::uint32_t epoch) const {
  return shared_->now.membership_at(epoch);
}
std::uint32_t GroupRegistry::operations() const {
  return shared_->now.operations;
}

// The state read at the beginning of the call tells whether another member has pinned the
// operation. It is not known which hosts take part as a whole, so the offer is not asked for.
std::optional<Pinned> GroupRegistry::pin(std::uint32_t number, const std::function<Pinned()>&) {
  Shared& my = *shared_;
  if (my.now.state == frozen) return Pinned{my.now.epoch, {}};
  if (my.now.state != open) return std::nullopt;
  if (number >= my.now.operations) {
    const auto pinned_by_another = [&] {
      my.read();
      return number < my.now.operations;
    };
    const auto pin_it = [number](GroupState& group) {
      if (number < group.operations || group.state != open) return false;
      group.pin(number);
      return true;
    };
    my.update(pin_it, pinned_by_another);
  }
  const std::optional<std::uint32_t> epoch = my.now.epoch_of(number);
  return epoch ? std::optional(Pinned{*epoch, {}}) : std::nullopt;
}

void GroupRegistry::fail(std::uint32_t number) {
  shared_->update([&](GroupState& group) {
    if (group.state == absent) return false;
    group.note_failure(number);
    return true;
  });
}

bool GroupRegistry::failed(std::uint32_t number) {
  Shared& my = *shared_;
  if (Clock::now() < my.next_look) return false;
  my.read();
  my.next_look = Clock::now() + between_looks;
  const std::vector<std::uint32_t>& failures = my.now.failures;
  return std::find(failures.begin(), failures.end(), number) != failures.end();
}

// A task that waits reads the entry from time to time and checks whether its round is over, because
// the task that should have sent it a message may have died.
struct GroupRegistry::Waiter {
  Shared* my;
  Meeting meeting;
  std::uint32_t round;
  tutti_give_up_fn give_up;
  void* user;
  bool released = false;
  Clock::time_point next_look = Clock::now() + between_looks;

  [[nodiscard]] bool over() const { return my->meeting(meeting).round != round; }
  [[nodiscard]] bool ask() {
    if (Clock::now() < next_look) return false;
    my->read();
    released = over();
    const bool enough = released || give_up(user) != 0;
    next_look = Clock::now() + between_looks;
    return enough;
  }
  // Takes the arrival back. Returns false if the task was released meanwhile.
  [[nodiscard]] bool take_back() {
    bool taken = false;
    my->update([&](GroupState& group) {
      Gathering& here = group.meetings[static_cast<std::size_t>(meeting)];
      taken = here.round == round && std::erase(here.arrived, my->self) > 0;
      return taken;
    });
    return taken;
  }
  tutti_status wait() {
    const tutti_match match = {sizeof match,      TUTTI_ANY, my->key(meeting, round),
                               ~std::uint64_t{0}, nullptr,   nullptr};
    const auto asked = [](void* waiter) { return static_cast<Waiter*>(waiter)->ask() ? 1 : 0; };
    tutti_envelope envelope;
    tutti_status status = tutti_mail_await(&match, -1, asked, this, &envelope);
    if (status == TUTTI_WOULD_WAIT) {
      if (!released && take_back()) return TUTTI_WOULD_WAIT;
      constexpr double seconds = 1;  // the message is on its way, unless its sender has died
      status = tutti_mail_await(&match, seconds, nullptr, nullptr, &envelope);
      if (status == TUTTI_WOULD_WAIT) return TUTTI_OK;
    }
    return status == TUTTI_OK ? tutti_mail_receive(&match, nullptr, 0, &envelope) : status;
  }
};

tutti_status GroupRegistry::meet(Meeting meeting, int count, tutti_give_up_fn give_up, void* user) {
  Shared& my = *shared_;
  std::vector<int> waiting;
  std::uint32_t round = 0;
  tutti_status status = TUTTI_OK;
  my.update([&](GroupState& group) {
    Gathering& here = group.meetings[static_cast<std::size_t>(meeting)];
    if (group.state > frozen) status = TUTTI_WOULD_WAIT;
    if (status == TUTTI_OK && !here.arrived.empty() && here.count != count) status = TUTTI_MISMATCH;
    if (status != TUTTI_OK) return false;
    here.count = count;
    here.arrived.push_back(my.self);
    round = here.round;
    if (static_cast<int>(here.arrived.size()) < count) return true;
    waiting.swap(here.arrived);
    ++here.round;
    if (meeting == Meeting::freeze) group.state = frozen;
    return true;
  });
  if (status != TUTTI_OK) return status;
  if (waiting.empty()) return Waiter{&my, meeting, round, give_up, user}.wait();
  my.release(waiting, my.key(meeting, round));
  return TUTTI_OK;
}

}  // namespace tutti::pvm
