// SPDX-License-Identifier: BSD-3-Clause
// Implements the three stages of waiting, and what a waiter tells the launcher about itself.
#include "transport/shm/idle.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/error.hpp"
#include "transport/relax.hpp"
#include "transport/shm/fence.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/state_text.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {
namespace {

// Nanoseconds that a pause takes. A sample that was interrupted is too long, so the shortest of
// three counts, within the bounds of known processors.
double pause_time() {
  using MachineClock = std::chrono::steady_clock;
  constexpr int sample = 400;
  constexpr double shortest = 1, longest = 200;
  double best = longest;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const auto start = MachineClock::now();
    for (int turn = 0; turn < sample; ++turn) relax();
    const std::chrono::duration<double, std::nano> taken = MachineClock::now() - start;
    best = std::min(best, taken.count() / sample);
  }
  return std::max(best, shortest);
}

int turns_in(std::int64_t nanoseconds, double of_pause) {
  constexpr double longest_spin = 1 << 30;
  return static_cast<int>(
      std::clamp(static_cast<double>(nanoseconds) / of_pause, 1.0, longest_spin));
}

}  // namespace

ShmIdler::ShmIdler(const Mapping& mapping, int self, const Clock& clock, LentMemory& fragments)
    : mapping_(&mapping), own_(&mapping.endpoint(self)), clock_(&clock), fragments_(&fragments) {
  const base::Tuning& tuning = mapping.tuning();
  naps_ = {tuning.yields, tuning.nap_first, tuning.nap_longest};
  const double pause = pause_time();
  full_spin_ = turns_in(tuning.spin, pause);
  crowded_spin_ = turns_in(tuning.spin_crowded, pause);
  choose_spin();
}

void ShmIdler::choose_spin() {
  oversubscribed_ = is_oversubscribed(mapping_->header());
  spin_turns_ = oversubscribed_ ? crowded_spin_ : full_spin_;
}

// The caller polls between two calls, and may then wait for fewer endpoints than before: a process
// that has left may have sent all that was expected from it.
void ShmIdler::idle(int turn, const WaitInfo& info) {
  throw_if_in_vain(info);
  if (!waits_) standstills_ = mapping_->header().standstills.see();
  waits_ = true;
  give_way_or_sleep(turn - spin_turns_, info);
  fragments_->waited();
  look_for_the_end(info);
}

void ShmIdler::throw_if_in_vain(const WaitInfo& info) const {
  if (lost_ >= 0 && lost_endpoint(info) == lost_) fail_departed(*mapping_, lost_);
  if (!in_vain_) return;
  base::fail(base::Status::peer_left,
             "all processes of the job wait, and nobody is left to send what they wait for");
}

void ShmIdler::look_for_the_end(const WaitInfo& info) {
  const SegmentHeader& header = mapping_->header();
  const bool for_ever = info.until == WaitInfo::Until::it_comes;
  const bool alone = for_ever && header.alone.see() != 0;
  in_vain_ = alone || header.standstills.see() != standstills_;
  if (header.departures.see() != 0) lost_ = lost_endpoint(info);
}

int ShmIdler::lost_endpoint(const WaitInfo& info) const {
  if (info.or_more) return -1;
  int first = -1;
  for (const int endpoint : info.endpoints) {
    const bool gone = lost(*mapping_, endpoint);
    if (gone && first < 0) first = endpoint;
    if (gone != (info.kind == WaitInfo::For::any)) return gone ? endpoint : -1;
  }
  return first;
}

void ShmIdler::give_way_or_sleep(std::int64_t stage, const WaitInfo& info) {
  if (!info.is_woken || (stage < yields() && !displaced_)) return give_way(stage, info);
  if (!announced_) {
    choose_spin();
    publish(info);
    announced_ = true;
    show_asleep();
    // The caller polls once more, now that everybody can see that it sleeps.
    return;
  }
  sleep(stage - yields());
}

std::int64_t ShmIdler::yields() const {
  return oversubscribed_ && naps_.woken ? mapping_->tuning().yields_crowded : naps_.yields;
}

// Lets other processes run, or polls on while they work elsewhere. Two processes of a job may stand
// on one processor beside an idle one. While they take turns there, neither sleeps, and the kernel
// moves one only after milliseconds. A process that sleeps and is woken is placed on an idle
// processor at once, so a displaced waiter sleeps early. Some kernels place it where it was. There
// it moves itself.
void ShmIdler::give_way(std::int64_t stage, const WaitInfo& info) {
  const base::Tuning& tuning = mapping_->tuning();
  if (oversubscribed_ && stage < tuning.worker_looks && others_are_at_work(info)) {
    for (std::int64_t pause = 0; pause < tuning.worker_pauses; ++pause) relax();
    return;
  }
  if (oversubscribed_ || !naps_.woken) return yield();
  const std::uint64_t before = clock_->now();
  yield();
  displaced_ = clock_->now() - before > static_cast<std::uint64_t>(tuning.displaced_after);
  displacements_ = displaced_ ? displacements_ + 1 : 0;
  if (displacements_ < tuning.moves_after) return;
  move_away();
  displacements_ = 0;
}

// Goes to a processor on which no other process of the job was seen, and may go anywhere again.
void ShmIdler::move_away() const {
  cpu_set_t allowed;
  // Failure is harmless: the process stays where it is.
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  cpu_set_t free_ones = allowed;
  const auto leave_out = [&free_ones](int processor) {
    if (processor >= 0 && processor < CPU_SETSIZE) CPU_CLR(processor, &free_ones);
  };
  leave_out(sched_getcpu());
  const auto slots = static_cast<int>(mapping_->header().slots.see());
  for (int slot = 0; slot < slots; ++slot) {
    const Endpoint& other = mapping_->endpoint(slot);
    if (&other != own_ && other.presence.see() == Presence::attached)
      leave_out(static_cast<int>(other.runs_on.peek()) - 1);
  }
  if (CPU_COUNT(&free_ones) == 0) return;
  // Failure is harmless: the process stays where it is.
  sched_setaffinity(0, sizeof free_ones, &free_ones);
  // Failure is harmless: it may fail only for a processor that has gone.
  sched_setaffinity(0, sizeof allowed, &allowed);
}

void ShmIdler::yield() {
  own_->runs_on.put(0);
  sched_yield();
  show_place();
}

// Processes may have joined since the last wait, and a process that only looks never waits.
void ShmIdler::pass() {
  if (++vain_looks_ >= mapping_->tuning().looks_between_counts) {
    vain_looks_ = 0;
    choose_spin();
  }
  if (!oversubscribed_) return;
  own_->runs_on.put(0);
  sched_yield();
  show_place();
}

void ShmIdler::show_place() {
  const auto here = static_cast<std::uint32_t>(sched_getcpu()) + 1;
  own_->runs_on.put(here);
}

// Returns true if all that is missing may come from processes that run on other processors at
// present. This is a guess, because they may have been moved or interrupted since they said so. A
// wrong guess costs a few polls.
bool ShmIdler::others_are_at_work(const WaitInfo& info) const {
  const auto here = static_cast<std::uint32_t>(sched_getcpu()) + 1;
  const auto works = [&](int endpoint) {
    const std::uint32_t there = mapping_->endpoint(slot_of(endpoint)).runs_on.peek();
    return there != 0 && there != here;
  };
  const auto& awaited = info.endpoints;
  if (awaited.empty()) return false;
  return info.kind == WaitInfo::For::all ? std::all_of(awaited.begin(), awaited.end(), works)
                                         : std::any_of(awaited.begin(), awaited.end(), works);
}

void ShmIdler::sleep(std::int64_t naps) {
  own_->state.looks.put(own_->state.looks.peek() + 1);
  displaced_ = false;
  constexpr std::int64_t most_doublings = 10;
  const std::int64_t nap =
      std::min(naps_.first_nanoseconds << std::clamp<std::int64_t>(naps, 0, most_doublings),
               naps_.longest_nanoseconds);
  own_->runs_on.put(0);
  sleep_unless_woken(*own_, nap);
  show_place();
  if (mapping_->header().ending.see() != 0) {
    // The launcher is about to end this process. Where there is none of tutti's, the process ends
    // itself, and MPI's launcher then ends the others.
    const bool launcher = mapping_->header().unsupervised == 0;
    for (int i = 0; launcher && i < 100; ++i) usleep(20'000);
    _exit(1);
  }
  show_asleep();
}

// Marks this process as asleep. Where hosts are joined it has to poll anyway, so no fence is
// needed: a missed wake-up costs one short nap.
void ShmIdler::show_asleep() {
  own_->waiter.show(1);
  if (naps_.woken) fence_others();
}

void ShmIdler::awake() {
  lost_ = -1;
  waits_ = in_vain_ = false;
  fragments_->awake();
  if (!announced_) return;
  announced_ = false;
  own_->waiter.put(0);
  own_->draining.put(0);
  own_->state.waiting.put(0);
}

void ShmIdler::publish(const WaitInfo& info) {
  StateLine& state = own_->state;
  state.operation.put(info.operation);
  state.group_size.put(info.group_size);
  state.sequence.put(info.sequence);
  state.round.put(info.round);
  const auto count = static_cast<std::uint32_t>(info.endpoints.size());
  state.wait_count.put(count);
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, StateLine::waits_shown); ++i) {
    state.wait_for[i].put(static_cast<std::uint16_t>(slot_of(info.endpoints[i])));
  }
  std::array<char, sizeof state.words> words{};
  if (info.words.write != nullptr) info.words.write(info.words.about, words.data(), words.size());
  write_text(state.words, words);
  state.waits.put(state.waits.peek() + 1);
  own_->draining.publish(info.drains ? 1 : 0);
  const std::uint32_t kind = info.kind == WaitInfo::For::all ? 1 : 2;
  const std::uint32_t given_up = info.until == WaitInfo::Until::given_up ? 4 : 0;
  const std::uint32_t or_more = info.or_more ? 8 : 0;
  state.waiting.publish(kind + given_up + or_more);
}

}  // namespace tutti::transport::shm
