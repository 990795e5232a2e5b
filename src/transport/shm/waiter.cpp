// SPDX-License-Identifier: BSD-3-Clause
// Implements the three stages of waiting, and what a waiter tells the launcher about itself.
#include "transport/shm/waiter.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <utility>

#include "transport/relax.hpp"
#include "transport/shm/fence.hpp"
#include "transport/shm/state_text.hpp"

namespace tutti::transport::shm {
namespace {

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) {
  return syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

// Nanoseconds that a pause takes. A sample that was interrupted is too long, so the shortest of
// three counts, within the bounds of known processors.
double pause_time() {
  using Clock = std::chrono::steady_clock;
  constexpr int sample = 400;
  constexpr double shortest = 1, longest = 200;
  double best = longest;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const auto start = Clock::now();
    for (int turn = 0; turn < sample; ++turn) relax();
    const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
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

void wake(Endpoint& target) {
  if (target.waiter.exchange(0) != 0) futex(target.waiter, FUTEX_WAKE, 1, nullptr);
}

Waiter::Waiter(const Mapping& mapping, int self)
    : mapping_(&mapping), own_(&mapping.endpoint(self)), balance_(mapping, self) {
  const base::Tuning& tuning = mapping.tuning();
  naps_ = {tuning.yields, tuning.nap_first, tuning.nap_longest};
  const double pause = pause_time();
  full_spin_ = turns_in(tuning.spin, pause);
  crowded_spin_ = turns_in(tuning.spin_crowded, pause);
  choose_spin();
}

void Waiter::choose_spin() {
  oversubscribed_ = is_oversubscribed(mapping_->header());
  spin_turns_ = oversubscribed_ ? crowded_spin_ : full_spin_;
}

void Waiter::idle(int turn, const Waiting& waiting) {
  const std::int64_t stage = turn - spin_turns_;
  if (stage < yields() && !displaced_) return give_way(stage, waiting);
  if (!announced_) {
    choose_spin();
    publish(waiting);
    announced_ = true;
    show_asleep();
    // The caller polls once more, now that everybody can see that it sleeps.
    return;
  }
  sleep(stage - yields());
}

std::int64_t Waiter::yields() const {
  return oversubscribed_ && naps_.woken ? mapping_->tuning().yields_crowded : naps_.yields;
}

// Lets other processes run, or polls on while they work elsewhere. Two processes of a job may stand
// on one processor beside an idle one. While they take turns there, neither sleeps, and the kernel
// moves one only after milliseconds. A process that sleeps and is woken is placed on an idle
// processor at once, so a displaced waiter sleeps early.
void Waiter::give_way(std::int64_t stage, const Waiting& waiting) {
  const base::Tuning& tuning = mapping_->tuning();
  if (oversubscribed_ && stage < tuning.worker_looks && others_are_at_work(waiting)) {
    for (std::int64_t pause = 0; pause < tuning.worker_pauses; ++pause) relax();
    return;
  }
  if (oversubscribed_ || !naps_.woken) return yield();
  const auto before = std::chrono::steady_clock::now();
  yield();
  displaced_ =
      std::chrono::steady_clock::now() - before > std::chrono::nanoseconds(tuning.displaced_after);
}

void Waiter::yield() {
  own_->runs_on.store(0, std::memory_order_relaxed);
  sched_yield();
  ++yields_now_;
  show_place();
}

// Processes may have joined since the last wait, and a process that only looks never waits.
void Waiter::looked_in_vain() {
  if (++vain_looks_ >= mapping_->tuning().looks_between_counts) {
    vain_looks_ = 0;
    choose_spin();
  }
  if (!oversubscribed_) return;
  own_->runs_on.store(0, std::memory_order_relaxed);
  sched_yield();
  show_place();
}

void Waiter::show_place() {
  const auto here = static_cast<std::uint32_t>(sched_getcpu()) + 1;
  own_->runs_on.store(here, std::memory_order_relaxed);
  own_->stands_on.store(here, std::memory_order_relaxed);
}

// Returns true if all that is missing may come from processes that run on other processors at
// present. This is a guess, because they may have been moved or interrupted since they said so. A
// wrong guess costs a few polls.
bool Waiter::others_are_at_work(const Waiting& waiting) const {
  const auto here = static_cast<std::uint32_t>(sched_getcpu()) + 1;
  const auto works = [&](int endpoint) {
    const std::uint32_t there =
        mapping_->endpoint(slot_of(endpoint)).runs_on.load(std::memory_order_relaxed);
    return there != 0 && there != here;
  };
  const auto& awaited = waiting.endpoints;
  return waiting.kind == Waiting::For::all ? std::all_of(awaited.begin(), awaited.end(), works)
                                           : std::any_of(awaited.begin(), awaited.end(), works);
}

void Waiter::sleep(std::int64_t naps) {
  own_->state.looks.fetch_add(1, std::memory_order_relaxed);
  displaced_ = false;
  constexpr std::int64_t most_doublings = 10, second = 1'000'000'000;
  const std::int64_t nap =
      std::min(naps_.first_nanoseconds << std::clamp<std::int64_t>(naps, 0, most_doublings),
               naps_.longest_nanoseconds);
  const timespec timeout{nap / second, nap % second};
  own_->runs_on.store(0, std::memory_order_relaxed);
  own_->stands_on.store(0, std::memory_order_relaxed);
  futex(own_->waiter, FUTEX_WAIT, 1, &timeout);
  show_place();
  if (mapping_->header().ending.load(std::memory_order_relaxed) != 0) {
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
void Waiter::show_asleep() {
  own_->waiter.store(1);
  if (naps_.woken) fence_others();
}

void Waiter::awake() {
  const int yields = std::exchange(yields_now_, 0);
  if (oversubscribed_) balance_.waited(yields, announced_);
  if (!announced_) return;
  announced_ = false;
  own_->waiter.store(0, std::memory_order_relaxed);
  own_->state.waiting.store(0, std::memory_order_relaxed);
}

void Waiter::publish(const Waiting& waiting) {
  StateLine& state = own_->state;
  constexpr auto relaxed = std::memory_order_relaxed;
  state.operation.store(waiting.operation, relaxed);
  state.group_size.store(waiting.group_size, relaxed);
  state.sequence.store(waiting.sequence, relaxed);
  state.round.store(waiting.round, relaxed);
  const auto count = static_cast<std::uint32_t>(waiting.endpoints.size());
  state.wait_count.store(count, relaxed);
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, StateLine::waits_shown); ++i) {
    state.wait_for[i].store(static_cast<std::uint16_t>(slot_of(waiting.endpoints[i])), relaxed);
  }
  std::array<char, sizeof state.words> words{};
  if (waiting.words.write != nullptr)
    waiting.words.write(waiting.words.about, words.data(), words.size());
  write_text(state.words, words);
  state.waits.fetch_add(1, relaxed);
  const std::uint32_t kind = waiting.kind == Waiting::For::all ? 1 : 2;
  const std::uint32_t given_up = waiting.until == Waiting::Until::given_up ? 4 : 0;
  const std::uint32_t or_more = waiting.or_more ? 8 : 0;
  state.waiting.store(kind + given_up + or_more, std::memory_order_release);
}

}  // namespace tutti::transport::shm
