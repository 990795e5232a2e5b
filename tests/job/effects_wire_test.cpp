// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about a wire between hosts, over one that is not MPI.
#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "effects.hpp"
#include "fake_wire.hpp"
#include "transport/wire/mail.hpp"
#include "transport/wire/transport.hpp"

namespace {
int frames_made = 0;
}

// Only memory of frames is aligned so.
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto line = static_cast<std::size_t>(alignment);
  ++frames_made;
  void* const memory = std::aligned_alloc(line, (bytes + line - 1) / line * line);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

namespace tutti::test {
namespace {

using namespace transport::wire;
using std::chrono::nanoseconds;
using transport::WaitInfo;
using transport::wire::test::FakeWire;
using Clock = std::chrono::steady_clock;

int frames_found = 0;
const tutti_wire* whole_wire = nullptr;

// Counts the frames that are taken from the wire.
int counted_find(int tag, int* found, int* from, std::int64_t* bytes, tutti_wire_token* message) {
  const int code = whole_wire->find(tag, found, from, bytes, message);
  frames_found += *found != 0 ? 1 : 0;
  return code;
}

// One rank of a job of two. They share a host, or each has its own.
class Process {
 public:
  Process(const tutti_wire& wire, const std::string& hosts, const Tuning& tuning)
      : segment_(segment_of(2, tuning)),
        job_(wire, hosts, 0),
        memory_(segment_, job_.rank()),
        memory_mail_(segment_, job_.rank()) {
    link_.serve(transport_, mail_);
    turn_ = transport_.idler().spin_turns();
  }
  [[nodiscard]] WireLink& link() { return link_; }
  [[nodiscard]] RemoteTransport& transport() { return transport_; }
  void idle() {
    const int awaited[] = {1 - job_.rank()};
    transport_.idler().idle(
        turn_++,
        {.kind = WaitInfo::For::all, .operation = 1, .group_size = 2, .endpoints = awaited});
  }
  // Returns how often it passes time before others see that it sleeps.
  int turns_until_shown() {
    int turns = 0;
    for (; segment_.endpoint(job_.rank()).state.waiting.see() == 0; ++turns) idle();
    return turns - 1;
  }
  // Returns how long it takes to sleep so often.
  nanoseconds naps(int count) {
    static_cast<void>(turns_until_shown());
    const auto begun = Clock::now();
    for (int i = 0; i < count; ++i) idle();
    const nanoseconds taken = Clock::now() - begun;
    transport_.idler().awake();
    return taken;
  }

 private:
  Mapping segment_;
  WireJob job_;
  ShmTransport memory_;
  transport::shm::ShmMail memory_mail_;
  WireLink link_{job_, memory_.tuning()};
  RemoteTransport transport_{memory_, link_};
  RemoteMail mail_{memory_mail_, link_};
  int turn_ = 0;
};

// Two ranks in one thread.
class Pair {
 public:
  Pair(const std::string& hosts, const Tuning& tuning) {
    whole_wire = &wire_.table();
    table_ = *whole_wire;
    table_.find = counted_find;
    for (int rank = 0; rank < 2; ++rank) {
      wire_.act_as(rank);
      processes_.push_back(std::make_unique<Process>(table_, hosts, tuning));
    }
  }
  Process& as(int rank) {
    wire_.act_as(rank);
    return *processes_[static_cast<std::size_t>(rank)];
  }

 private:
  FakeWire wire_{std::vector<int>{0, 0}};
  tutti_wire table_{};
  std::vector<std::unique_ptr<Process>> processes_;
};

const std::string apart = "0,1", together = "0,0";

TUNING_EFFECT(wire_at_once) {
  for (const int most : {1, 5, 16}) {
    Pair pair(apart, with(&Tuning::wire_at_once, most));
    for (int i = 0; i < 40; ++i) pair.as(0).link().tell(1, FrameKind::room, 0);
    frames_found = 0;
    pair.as(1).link().advance();
    EXPECT_EQ(frames_found, most);
  }
}

// Returns how many frames are made for so many of that length, which are used twice.
int made_for_two_uses(int frames, const Tuning& tuning) {
  frames_made = 0;
  FramePool pool(tuning);
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<Frame> taken;
    for (int i = 0; i < frames; ++i) taken.push_back(pool.take(100));
    for (const Frame frame : taken) pool.give_back(frame);
  }
  return frames_made;
}

TUNING_EFFECT(frames_kept) {
  EXPECT_EQ(made_for_two_uses(10, with(&Tuning::frames_kept, 0)), 20);
  EXPECT_EQ(made_for_two_uses(10, with(&Tuning::frames_kept, 4)), 16);
  EXPECT_EQ(made_for_two_uses(10, with(&Tuning::frames_kept, 10)), 10);
}

TUNING_EFFECT(short_frame) {
  FramePool pool(with(&Tuning::short_frame, 1000));
  const Frame shorter = pool.take(1000), longer = pool.take(1001);
  EXPECT_EQ(shorter.capacity(), 1000U);
  EXPECT_GT(longer.capacity(), 1001U);
  pool.give_back(shorter);
  pool.give_back(longer);
}

// A table by which a process sleeps at once.
const Tuning sleepy = with(&Tuning::yields, 0, with(&Tuning::yields_with_windows, 0));

TUNING_EFFECT(nap_between_hosts) {
  const nanoseconds brief =
      Pair(apart, with(&Tuning::nap_between_hosts, 1'000, sleepy)).as(0).naps(3);
  const nanoseconds longer =
      Pair(apart, with(&Tuning::nap_between_hosts, 100'000'000, sleepy)).as(0).naps(3);
  EXPECT_GT(longer, 2 * brief);
}

TUNING_EFFECT(nap_beside_mpi) {
  const Tuning bounded = with(&Tuning::nap_beside_mpi_longest, 1'000'000'000, sleepy);
  const nanoseconds brief =
      Pair(together, with(&Tuning::nap_beside_mpi, 1'000, bounded)).as(0).naps(1);
  const nanoseconds longer =
      Pair(together, with(&Tuning::nap_beside_mpi, 300'000'000, bounded)).as(0).naps(1);
  EXPECT_GT(longer, 2 * brief);
}

TUNING_EFFECT(nap_beside_mpi_longest) {
  const Tuning doubling = with(&Tuning::nap_beside_mpi, 1'000'000, sleepy);
  const nanoseconds bounded =
      Pair(together, with(&Tuning::nap_beside_mpi_longest, 1'000, doubling)).as(0).naps(9);
  const nanoseconds doubled =
      Pair(together, with(&Tuning::nap_beside_mpi_longest, 1'000'000'000, doubling)).as(0).naps(9);
  EXPECT_GT(doubled, 3 * bounded);
}

TUNING_EFFECT(nap_with_windows) {
  const auto three_naps = [](std::int64_t length) {
    Pair pair(together, with(&Tuning::nap_with_windows, length, sleepy));
    pair.as(0).transport().let_mpi_work_often(true);
    return pair.as(0).naps(3);
  };
  const nanoseconds brief = three_naps(1'000);
  EXPECT_GT(three_naps(100'000'000), 2 * brief);
}

TUNING_EFFECT(yields_with_windows) {
  for (const int yields : {0, 7, 300}) {
    Tuning tuning = with(&Tuning::yields_with_windows, yields);
    tuning.displaced_after = 1'000'000'000;
    Pair pair(together, tuning);
    pair.as(0).transport().let_mpi_work_often(true);
    EXPECT_EQ(pair.as(0).turns_until_shown(), yields);
    pair.as(0).transport().idler().awake();
  }
}

}  // namespace
}  // namespace tutti::test
