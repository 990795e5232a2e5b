// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about waiting. No test knows how long anything takes: what can be counted is
// counted, and times are compared with each other.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "effects.hpp"

namespace {
int affinities_set = 0;
}

// Replaces the function of the C library here: the test counts its calls.
extern "C" int sched_setaffinity(pid_t, size_t, const cpu_set_t*) noexcept {
  ++affinities_set;
  return 0;
}

namespace tutti::test {
namespace {

using transport::WaitInfo;
using transport::shm::Endpoint;
using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

// A process that waits for another one of its job.
class Sleeper {
 public:
  explicit Sleeper(const Tuning& tuning, Processors processors = Processors::enough)
      : mapping_(segment_of(2, tuning, processors)) {
    transport_ = std::make_unique<ShmTransport>(mapping_, 0);
    begin();
  }
  ~Sleeper() { idler().awake(); }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  void begin() { turn_ = idler().spin_turns(); }
  void idle() {
    const int awaited[] = {1};
    idler().idle(
        turn_++,
        {.kind = WaitInfo::For::all, .operation = 1, .group_size = 2, .endpoints = awaited});
  }
  // Others see this when the process is about to sleep.
  [[nodiscard]] bool is_shown() const { return own().state.waiting.see() != 0; }
  // Returns how often it passes time before that.
  std::int64_t turns_until_shown(std::int64_t most = 1'000'000) {
    std::int64_t turns = 0;
    for (; !is_shown() && turns < most; ++turns) idle();
    return turns - 1;
  }
  // Sleeps so often, after it is shown. Returns how long that takes.
  nanoseconds naps(int count) {
    static_cast<void>(turns_until_shown());
    const auto begun = Clock::now();
    for (int i = 0; i < count; ++i) idle();
    return Clock::now() - begun;
  }

  [[nodiscard]] transport::Idler& idler() { return transport_->idler(); }
  [[nodiscard]] Endpoint& own() const { return mapping_.endpoint(0); }
  [[nodiscard]] Endpoint& other() const { return mapping_.endpoint(1); }
  [[nodiscard]] const Mapping& mapping() const { return mapping_; }

 private:
  Mapping mapping_;
  std::unique_ptr<ShmTransport> transport_;
  int turn_ = 0;
};

int spin_turns(const Tuning& tuning, Processors processors) {
  return Sleeper(tuning, processors).idler().spin_turns();
}

TUNING_EFFECT(spin) {
  EXPECT_EQ(spin_turns(with(&Tuning::spin, 0), Processors::enough), 1);
  EXPECT_GT(spin_turns(with(&Tuning::spin, 10'000'000), Processors::enough), 10'000);
  EXPECT_EQ(spin_turns(with(&Tuning::spin, 10'000'000), Processors::too_few), 1);
}

TUNING_EFFECT(spin_crowded) {
  EXPECT_EQ(spin_turns(with(&Tuning::spin_crowded, 0), Processors::too_few), 1);
  EXPECT_GT(spin_turns(with(&Tuning::spin_crowded, 10'000'000), Processors::too_few), 10'000);
}

// A table by which no yield shows that another process has run.
const Tuning never_displaced = with(&Tuning::displaced_after, 1'000'000'000);

TUNING_EFFECT(yields) {
  for (const int yields : {0, 3, 100}) {
    EXPECT_EQ(Sleeper(with(&Tuning::yields, yields, never_displaced)).turns_until_shown(), yields);
  }
}

TUNING_EFFECT(yields_crowded) {
  for (const int yields : {0, 3, 100}) {
    Sleeper sleeper(with(&Tuning::yields_crowded, yields), Processors::too_few);
    EXPECT_EQ(sleeper.turns_until_shown(), yields);
  }
}

TUNING_EFFECT(displaced_after) {
  const Tuning many_yields = with(&Tuning::yields, 1 << 20);
  EXPECT_EQ(Sleeper(with(&Tuning::displaced_after, 0, many_yields)).turns_until_shown(), 1);
  Sleeper patient(with(&Tuning::displaced_after, 1'000'000'000, many_yields));
  EXPECT_EQ(patient.turns_until_shown(10'000), 9'999);
}

// Returns how many waits of a process that is always displaced it takes until it asks the system
// for another processor.
std::int64_t waits_until_moved(std::int64_t moves_after) {
  Tuning tuning = with(&Tuning::moves_after, moves_after, with(&Tuning::displaced_after, 0));
  tuning.nap_first = 1'000;
  Sleeper sleeper(tuning);
  affinities_set = 0;
  std::int64_t waits = 0;
  for (; affinities_set == 0 && waits < 1000; ++waits) {
    sleeper.begin();
    while (!sleeper.is_shown()) sleeper.idle();
    sleeper.idle();
    sleeper.idler().awake();
  }
  return waits;
}

TUNING_EFFECT(moves_after) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  if (CPU_COUNT(&allowed) < 2) return;
  for (const int waits : {1, 4, 20}) EXPECT_EQ(waits_until_moved(waits), waits);
}

// Returns how often a process polls on before it yields, while the awaited one runs elsewhere. A
// yield writes anew where the process stands.
std::int64_t polls_before_yield(std::int64_t worker_looks) {
  constexpr std::uint32_t nowhere = 1 << 20;
  Sleeper sleeper(with(&Tuning::worker_looks, worker_looks), Processors::too_few);
  sleeper.other().runs_on.publish(nowhere);
  sleeper.own().runs_on.publish(nowhere);
  std::int64_t polls = 0;
  for (; sleeper.own().runs_on.see() == nowhere; ++polls) sleeper.idle();
  return polls - 1;
}

TUNING_EFFECT(worker_looks) {
  for (const int looks : {0, 5, 40}) EXPECT_EQ(polls_before_yield(looks), looks);
}

// Returns the shortest time of such a poll.
nanoseconds poll_of_worker(std::int64_t worker_pauses) {
  nanoseconds best = std::chrono::hours(1);
  Sleeper sleeper(with(&Tuning::worker_pauses, worker_pauses), Processors::too_few);
  sleeper.other().runs_on.publish(1 << 20);
  for (int i = 0; i < 10; ++i) {
    const auto begun = Clock::now();
    sleeper.idle();
    best = std::min<nanoseconds>(best, Clock::now() - begun);
  }
  return best;
}

TUNING_EFFECT(worker_pauses) {
  const nanoseconds without = poll_of_worker(0);
  EXPECT_GT(poll_of_worker(1 << 18), 20 * without);
}

// A table by which a process sleeps at once.
const Tuning sleepy = with(&Tuning::yields, 0);

TUNING_EFFECT(nap_first) {
  const nanoseconds brief = Sleeper(with(&Tuning::nap_first, 1'000, sleepy)).naps(1);
  const Tuning half_a_second = with(&Tuning::nap_longest, 1'000'000'000, sleepy);
  EXPECT_GT(Sleeper(with(&Tuning::nap_first, 500'000'000, half_a_second)).naps(1), 2 * brief);
}

TUNING_EFFECT(nap_longest) {
  const nanoseconds bounded = Sleeper(with(&Tuning::nap_longest, 1'000, sleepy)).naps(9);
  const nanoseconds doubled = Sleeper(with(&Tuning::nap_longest, 1'000'000'000, sleepy)).naps(9);
  EXPECT_GT(doubled, 3 * bounded);
}

// Returns how often a process looks in vain until it sees that others share its processor.
std::int64_t looks_until_counted(std::int64_t every) {
  Sleeper sleeper(with(&Tuning::looks_between_counts, every));
  EXPECT_GT(sleeper.idler().spin_turns(), 1);
  sleeper.mapping().header().cpus.put(1);
  std::int64_t looks = 0;
  for (; sleeper.idler().spin_turns() > 1 && looks < 10'000; ++looks) sleeper.idler().pass();
  return looks;
}

TUNING_EFFECT(looks_between_counts) {
  for (const int every : {1, 10, 200}) EXPECT_EQ(looks_until_counted(every), every);
}

}  // namespace
}  // namespace tutti::test
