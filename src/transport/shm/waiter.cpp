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

#include "base/environment.hpp"
#include "transport/relax.hpp"
#include "transport/shm/fence.hpp"
#include "transport/shm/state_text.hpp"

namespace tutti::transport::shm {
namespace {

constexpr double spin_seconds = 20e-6;
// A yield that takes longer has let another process run.
constexpr std::chrono::microseconds short_yield{5};
// Polls, and pauses before each, while the awaited processes run on other processors. Together they
// take about as long as letting another process run and coming back
// (docs/internals/shared-memory.md, "A waiter looks longer at running processes").
constexpr int looks_at_workers = 16;
constexpr int pauses_per_look = 4;
// Number of yields before a sleep in an oversubscribed job. Other processes can use the processor
// of a waiter, which is woken anyway.
constexpr int yields_when_oversubscribed = 64;

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) {
  return syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

int calibrate() {
  using Clock = std::chrono::steady_clock;
  constexpr int sample = 400;
  double best = 1;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const auto start = Clock::now();
    for (int turn = 0; turn < sample; ++turn) relax();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return std::clamp(static_cast<int>(spin_seconds * sample / std::max(best, 1e-9)), 100, 20000);
}

}  // namespace

void wake(Endpoint& target) {
  if (target.waiter.exchange(0) != 0) futex(target.waiter, FUTEX_WAKE, 1, nullptr);
}

Waiter::Waiter(const Mapping& mapping, int self)
    : mapping_(&mapping), own_(&mapping.endpoint(self)), balance_(mapping, self) {
  if (const auto turns = base::integer(base::Variable::spin)) {
    full_spin_ = static_cast<int>(std::clamp<std::int64_t>(*turns, 0, 1 << 30));
    asked_for_ = true;
  } else {
    full_spin_ = calibrate();
  }
  choose_spin();
}

void Waiter::choose_spin() {
  oversubscribed_ = is_oversubscribed(mapping_->header());
  spin_turns_ = oversubscribed_ && !asked_for_ ? 1 : full_spin_;
}

void Waiter::idle(int turn, const Waiting& waiting) {
  const int stage = turn - spin_turns_;
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

int Waiter::yields() const {
  return oversubscribed_ && naps_.woken ? yields_when_oversubscribed : naps_.yields;
}

// Lets other processes run, or polls on while they work elsewhere. Two processes of a job may stand
// on one processor beside an idle one. While they take turns there, neither sleeps, and the kernel
// moves one only after milliseconds. A process that sleeps and is woken is placed on an idle
// processor at once, so a displaced waiter sleeps early.
void Waiter::give_way(int stage, const Waiting& waiting) {
  if (oversubscribed_ && stage < looks_at_workers && others_are_at_work(waiting)) {
    for (int pause = 0; pause < pauses_per_look; ++pause) relax();
    return;
  }
  if (oversubscribed_ || !naps_.woken) return yield();
  const auto before = std::chrono::steady_clock::now();
  yield();
  displaced_ = std::chrono::steady_clock::now() - before > short_yield;
}

void Waiter::yield() {
  own_->runs_on.store(0, std::memory_order_relaxed);
  sched_yield();
  ++yields_now_;
  show_place();
}

// Processes may have joined since the last wait, and a process that only looks never waits.
void Waiter::looked_in_vain() {
  constexpr int looks_between_counts = 64;
  if (++vain_looks_ >= looks_between_counts) {
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

void Waiter::sleep(int naps) {
  own_->state.looks.fetch_add(1, std::memory_order_relaxed);
  displaced_ = false;
  const long nap =
      std::min(naps_.first_nanoseconds << std::clamp(naps, 0, 10), naps_.longest_nanoseconds);
  const timespec timeout{0, nap};
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
