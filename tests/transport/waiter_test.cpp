// SPDX-License-Identifier: BSD-3-Clause
// Tests the loop that waits, with an Idler and a Clock that do what the test says.
#include "transport/waiter.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace tutti::transport {
namespace {

const base::Tuning tuning;
const auto one_pass = static_cast<int>(tuning.looks_between_passes);
constexpr auto nothing_to_say = [](WaitInfo&) {};

class SetClock final : public Clock {
 public:
  std::uint64_t now() const override { return time; }
  std::uint64_t time = 1000;
};

// Notes what the Waiter asks of it. `during_idle` is what happens meanwhile.
class NotingIdler final : public Idler {
 public:
  [[nodiscard]] int spin_turns() const override { return spin; }
  void idle(int turn, const WaitInfo& info) override {
    is_shown = true;
    turns.push_back(turn);
    last = info;
    during_idle();
  }
  void awake() override {
    EXPECT_TRUE(is_shown) << "awake() must follow idle()";
    is_shown = false;
    ++awakes;
  }

  int spin = 0;
  bool is_shown = false;
  int awakes = 0;
  std::vector<int> turns;
  WaitInfo last;
  std::function<void()> during_idle = [] {};
};

// Goes on besides; `step` is what it does when it is advanced.
class Besides final : public Progressable {
 public:
  explicit Besides(Progress& progress) : progress_(&progress) { progress.add(*this); }
  ~Besides() override { progress_->remove(*this); }
  Look advance() override {
    ++advances;
    return step();
  }
  [[nodiscard]] bool expects(Label label) const override { return label == own; }
  void describe(WaitInfo&) const override {}

  Label own{7, 1};
  int advances = 0;
  std::function<Look()> step = [] { return Look::nothing; };

 private:
  Progress* progress_;
};

class Waits : public testing::Test {
 protected:
  // Waits until so many polls have failed.
  bool wait_for_polls(int failing, const WaitEnd& end = {}) {
    return waiter.wait_until([&] { return polls++ < failing ? Look::nothing : Look::done; },
                             nothing_to_say, end);
  }
  SetClock clock;
  NotingIdler idler;
  Waiter waiter{idler, clock, tuning};
  int polls = 0;
};

using Turns = std::vector<int>;

TEST_F(Waits, WhatIsThereIsNotWaitedFor) {
  EXPECT_TRUE(wait_for_polls(0));
  EXPECT_EQ(polls, 1);
  EXPECT_EQ(idler.awakes, 0);
}

TEST_F(Waits, TimePassesOnlyAfterTheSpin) {
  for (const int spin : {0, 1, 100}) {
    idler = NotingIdler();
    idler.spin = spin;
    polls = 0;
    EXPECT_TRUE(wait_for_polls(spin + 3));
    EXPECT_EQ(idler.turns, (Turns{spin, spin + 1, spin + 2}));
    EXPECT_EQ(idler.awakes, 1);
    polls = 0;
    EXPECT_TRUE(wait_for_polls(spin));
    EXPECT_EQ(idler.turns.size(), 3U) << "spin of " << spin;
  }
}

TEST_F(Waits, ProgressBeginsAWaitAnew) {
  idler.spin = 2;
  waiter.wait_until(
      [&] {
        ++polls;
        return polls == 10 ? Look::done : polls == 5 ? Look::progress : Look::nothing;
      },
      nothing_to_say);
  EXPECT_EQ(idler.turns, (Turns{2, 3, 2, 3}));
  EXPECT_EQ(idler.awakes, 2) << "not shown as one wait";
}

TEST_F(Waits, OthersAreAdvancedNowAndThenAndAtEachTurnBeyondTheSpin) {
  idler.spin = 2 * one_pass + 5;
  Besides other(waiter.progress());
  std::vector<int> advanced_before, thorough;
  waiter.wait_until(
      [&] {
        if (waiter.looks_thoroughly()) thorough.push_back(polls);
        if (advanced_before.empty() || advanced_before.back() != other.advances)
          advanced_before.push_back(other.advances);
        return polls++ == idler.spin + 3 ? Look::done : Look::nothing;
      },
      nothing_to_say);
  const int last = idler.spin;
  EXPECT_EQ(thorough, (Turns{0, one_pass, 2 * one_pass, last, last + 1, last + 2, last + 3}))
      << "each pass begins with a thorough look";
  EXPECT_EQ(advanced_before, (Turns{0, 1, 2, 3, 4, 5, 6}));
}

TEST_F(Waits, AWaitForOthersAdvancesThemAtEachLook) {
  idler.spin = 100;
  Besides other(waiter.progress());
  EXPECT_TRUE(waiter.wait_for_others([&] { return other.advances == 103; }, nothing_to_say));
  EXPECT_EQ(idler.turns, (Turns{100, 101, 102}));
}

TEST_F(Waits, OneThatIsOverIsNotAdvancedAgain) {
  Besides first(waiter.progress()), second(waiter.progress());
  first.step = [&] {
    waiter.progress().remove(first);
    return Look::done;
  };
  EXPECT_TRUE(wait_for_polls(4));
  EXPECT_EQ(first.advances, 1);
  EXPECT_EQ(second.advances, 4);
}

TEST_F(Waits, WhileOthersMoveNoTimePasses) {
  Besides other(waiter.progress());
  other.step = [&] { return other.advances < 4 ? Look::progress : Look::nothing; };
  EXPECT_TRUE(wait_for_polls(5));
  EXPECT_EQ(idler.turns, (Turns{0, 1}));
}

// A packet of another operation stays where it is as long as anything else moves.
TEST_F(Waits, PacketsAreHeldOnlyIfNothingElseMoves) {
  idler.spin = 3;
  Besides other(waiter.progress());
  std::vector<bool> might_hold;
  other.step = [&] {
    might_hold.push_back(waiter.progress().stuck());
    if (other.advances == 1) return Look::progress;
    if (other.advances == 4) waiter.progress().note_held();
    return Look::nothing;
  };
  EXPECT_TRUE(wait_for_polls(10));
  // Advances 2 and 3 are before the spin and at its end. The packet held at advance 4 lets the spin
  // begin anew before time passes.
  EXPECT_EQ(might_hold, (std::vector<bool>{false, false, true, true, true, true}));
  EXPECT_EQ(idler.turns, (Turns{3, 3}));
  EXPECT_FALSE(waiter.progress().stuck()) << "after the wait";
}

TEST_F(Waits, AProgramThatOnlyLooksLetsPacketsBeHeldToo) {
  Besides other(waiter.progress());
  other.step = [&] { return other.advances == 3 ? Look::progress : Look::nothing; };
  EXPECT_TRUE(waiter.progress().look_around());
  EXPECT_FALSE(waiter.progress().look_around());
  EXPECT_EQ(other.advances, 6);
  EXPECT_FALSE(waiter.progress().stuck());
}

TEST_F(Waits, OperationsOfThisProcessAreKnownByTheirLabels) {
  const Besides other(waiter.progress());
  const Label blocked{8, 2};
  EXPECT_TRUE(waiter.progress().expects(other.own));
  {
    const Progress::Blocked in_call(waiter.progress(), blocked);
    {
      const Progress::Blocked in_callback(waiter.progress(), {9, 3});
      EXPECT_FALSE(waiter.progress().expects(blocked));
    }
    EXPECT_TRUE(waiter.progress().expects(blocked));
  }
  EXPECT_FALSE(waiter.progress().expects(blocked));
}

TEST_F(Waits, ThePredicateOfACallEndsItsWait) {
  idler.spin = 10;
  int asked = 0;
  const WaitEnd at_the_third{
      {[](void* count) { return ++*static_cast<int*>(count) == 3; }, &asked}};
  EXPECT_FALSE(wait_for_polls(1000, at_the_third));
  EXPECT_EQ(polls, 12) << "asked at the first failed poll, and then beyond the spin";
  EXPECT_EQ(idler.turns, Turns{10});
  EXPECT_EQ(idler.awakes, 1);
}

TEST_F(Waits, ADeadlineEndsAWait) {
  idler.during_idle = [&] { clock.time += 10; };
  const WaitEnd end{.deadline = clock.time + 25};
  EXPECT_FALSE(wait_for_polls(1000, end));
  EXPECT_EQ(idler.turns.size(), 3U);
  EXPECT_EQ(idler.last.until, WaitInfo::Until::given_up);
  polls = 0;
  EXPECT_FALSE(wait_for_polls(1000, {.deadline = clock.time})) << "it is now";
  EXPECT_EQ(polls, 1);
}

TEST_F(Waits, DeadlinesBeyondAllTimeAreNone) {
  EXPECT_EQ(time_in(clock, 1e10), never);
  EXPECT_EQ(time_in(clock, 2e-9), clock.time + 2);
  EXPECT_EQ(time_in(clock, -1), clock.time);
}

TEST_F(Waits, ThePredicateOfTheJobEndsEveryWaitBeyondItsSpin) {
  idler.spin = 10;
  bool over = false;
  waiter.set_question({[](void* flag) { return *static_cast<bool*>(flag); }, &over});
  EXPECT_TRUE(wait_for_polls(15));
  over = true;
  polls = 0;
  EXPECT_TRUE(wait_for_polls(10)) << "nobody is asked in the spin";
  const auto say = [](WaitInfo& info) {
    info.refusal = {[](const void* about) { return std::string(static_cast<const char*>(about)); },
                    "the test has enough"};
  };
  try {
    waiter.wait_until([] { return Look::nothing; }, say);
    ADD_FAILURE() << "the wait has ended";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.status(), base::Status::would_wait);
    EXPECT_STREQ(error.what(), "the test has enough");
  }
  EXPECT_FALSE(idler.is_shown);
}

TEST_F(Waits, ThePredicateOfTheJobIsAskedAlsoWhileOthersMove) {
  idler.spin = 10;
  Besides other(waiter.progress());
  other.step = [] { return Look::progress; };
  waiter.set_question({[](void*) { return true; }, nullptr});
  EXPECT_THROW(waiter.wait_until([] { return Look::nothing; }, nothing_to_say), base::Error);
  EXPECT_TRUE(idler.turns.empty());
}

TEST_F(Waits, AnErrorEndsTheDisplayOfAWait) {
  idler.during_idle = [&] {
    if (idler.turns.size() == 3) throw std::runtime_error("the peer has left");
  };
  EXPECT_THROW(wait_for_polls(1000), std::runtime_error);
  EXPECT_FALSE(idler.is_shown);
  polls = 0;
  const auto fails_later = [&] {
    if (polls++ == 2) throw std::runtime_error("the ranks disagree");
    return Look::nothing;
  };
  EXPECT_THROW(waiter.wait_until(fails_later, nothing_to_say), std::runtime_error);
  EXPECT_FALSE(idler.is_shown);
}

// A function of the program that is called in a poll may wait, too.
TEST_F(Waits, AWaitWithinAWaitLeavesTheOuterOneAsItWas) {
  idler.spin = one_pass + 4;
  std::vector<bool> thorough;
  waiter.wait_until(
      [&] {
        if (++polls == 2) {
          const bool before = waiter.looks_thoroughly();
          int inner = 0;
          waiter.wait_until([&] { return inner++ == idler.spin + 2 ? Look::done : Look::nothing; },
                            nothing_to_say);
          EXPECT_FALSE(idler.is_shown);
          EXPECT_EQ(waiter.looks_thoroughly(), before);
        }
        return polls == idler.spin + 3 ? Look::done : Look::nothing;
      },
      nothing_to_say);
  EXPECT_EQ(idler.turns, (Turns{idler.spin, idler.spin + 1, idler.spin, idler.spin + 1}));
  EXPECT_EQ(idler.awakes, 2);
}

TEST_F(Waits, ASpinPollsForItsShareAndAdvancesNothing) {
  idler.spin = 80;
  const Besides other(waiter.progress());
  const auto failing = [&] { return ++polls < 0; };
  EXPECT_FALSE(waiter.spin_until(failing, 1));
  EXPECT_EQ(polls, 81);
  polls = 0;
  EXPECT_FALSE(waiter.spin_until(failing, 1, 8));
  EXPECT_EQ(polls, 11);
  polls = 0;
  EXPECT_TRUE(waiter.spin_until([&] { return ++polls == 5; }, 1));
  EXPECT_EQ(polls, 5);
  EXPECT_EQ(other.advances, 0);
  EXPECT_TRUE(idler.turns.empty());
}

TEST_F(Waits, ALockIsTriedBetweenYieldsAndAdvancesNothing) {
  idler.spin = 9;
  const Besides other(waiter.progress());
  waiter.set_question({[](void*) { return true; }, nullptr});
  waiter.wait_for_lock([&] { return ++polls == 25; });
  EXPECT_EQ(polls, 25);
  EXPECT_EQ(idler.turns, (Turns{9, 9}));
  EXPECT_EQ(other.advances, 0);
}

TEST_F(Waits, AYieldIsOneTurnAndAsksNobody) {
  idler.spin = 80;
  const Besides other(waiter.progress());
  waiter.set_question({[](void*) { return true; }, nullptr});
  waiter.yield_once();
  EXPECT_EQ(idler.turns, Turns{80});
  EXPECT_EQ(idler.awakes, 1);
  EXPECT_EQ(other.advances, 0);
}

TEST_F(Waits, TheTimeOfWaitsIsSummedIfSomebodyAsks) {
  idler.during_idle = [&] { clock.time += 100; };
  WaitClock& wait_clock = waiter.wait_clock();
  wait_clock.set_sums(true);
  const std::uint64_t before = wait_clock.waited;
  EXPECT_TRUE(wait_for_polls(3));
  wait_clock.set_sums(false);
  EXPECT_EQ(wait_clock.waited - before, 300U);
  polls = 0;
  EXPECT_TRUE(wait_for_polls(3));
  EXPECT_EQ(wait_clock.waited - before, 300U);
}

}  // namespace
}  // namespace tutti::transport
