// SPDX-License-Identifier: BSD-3-Clause
// Checks the theorem about circles of waiting ranks (docs/internals/theorems.md) on random rounds.
// The verifier finds no circle where one of the three sets of conditions holds. Without any one of
// the conditions some round has a circle.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "schedule/waits.hpp"

namespace tutti::schedule {
namespace {

constexpr int most_ranks = 5;
constexpr int rounds_tried = 100'000;

struct Receiving {
  Waits::What what;
  bool overwrites;
  std::vector<int> from;
};

struct Sender {
  int sends = 0;  // operations
  int messages = 0;
};

// A round without local work.
struct RandomRound {
  int p;
  std::vector<Sender> senders;
  std::vector<std::vector<Receiving>> work;
};

class Maker {
 public:
  RandomRound round() {
    const int p = 2 + below(most_ranks - 1);
    RandomRound made{p, std::vector<Sender>(at(p)), std::vector<std::vector<Receiving>>(at(p))};
    std::vector<std::vector<int>> from(at(p));
    for (int a = 0; a < p; ++a)
      for (int b = 0; b < p; ++b)
        if (a != b && below(3) == 0) from[at(b)].push_back(a);
    for (int b = 0; b < p; ++b)
      for (const int a : from[at(b)]) ++made.senders[at(a)].messages;
    for (Sender& sender : made.senders)
      sender.sends = sender.messages > 1 && below(2) == 0 ? 1 : sender.messages;
    for (int b = 0; b < p; ++b) receive(made, b, std::move(from[at(b)]));
    return made;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int below(int n) { return std::uniform_int_distribution<>(0, n - 1)(random_); }

  // One operation takes all messages, or each has a receive of its own.
  void receive(RandomRound& round, int rank, std::vector<int> from) {
    if (below(2) == 0) std::shuffle(from.begin(), from.end(), random_);
    const bool may_overwrite = round.senders[at(rank)].sends == 1;
    const auto overwrites = [&] { return may_overwrite && below(2) == 0; };
    if (below(3) > 0) {
      if (!from.empty())
        round.work[at(rank)].push_back({Waits::What::receive_combine, overwrites(), from});
      return;
    }
    for (const int sender : from)
      round.work[at(rank)].push_back({Waits::What::receive, overwrites(), {sender}});
  }

  std::mt19937 random_{1994};
};

bool has_circle(const RandomRound& round) {
  Waits waits(round.p, true);
  waits.begin_round();
  for (int rank = 0; rank < round.p; ++rank)
    for (int i = 0; i < round.senders[static_cast<std::size_t>(rank)].sends; ++i) waits.send(rank);
  std::int64_t number = 0;
  for (int rank = 0; rank < round.p; ++rank) {
    for (const Receiving& op : round.work[static_cast<std::size_t>(rank)]) {
      waits.begin(rank, op.what, op.overwrites, ++number);
      for (const int from : op.from) waits.take(from);
    }
  }
  try {
    waits.end_round();
  } catch (const Violation&) {
    return true;
  }
  return false;
}

// Returns true if the condition holds for all operations of the round.
template <class Condition>
bool all_of(const RandomRound& round, Condition condition) {
  for (const auto& operations : round.work)
    for (const Receiving& op : operations)
      if (!condition(op)) return false;
  return true;
}

bool combines_several(const Receiving& op) {
  return op.what == Waits::What::receive_combine && op.from.size() > 1;
}

// The messages that a combine of several takes are of ranks with one send.
bool of_single_sends(const RandomRound& round) {
  return all_of(round, [&](const Receiving& op) {
    return !combines_several(op) || std::all_of(op.from.begin(), op.from.end(), [&](int from) {
      return round.senders[static_cast<std::size_t>(from)].sends == 1;
    });
  });
}

bool of_single_messages(const RandomRound& round) {
  return all_of(round, [&](const Receiving& op) {
    return !combines_several(op) || std::all_of(op.from.begin(), op.from.end(), [&](int from) {
      return round.senders[static_cast<std::size_t>(from)].messages == 1;
    });
  });
}

bool of_rising_ranks(const RandomRound& round) {
  return all_of(round, [](const Receiving& op) {
    return !combines_several(op) || std::is_sorted(op.from.begin(), op.from.end());
  });
}

bool nothing_overwrites(const RandomRound& round) {
  return all_of(round, [](const Receiving& op) { return !op.overwrites; });
}

bool no_receive_overwrites(const RandomRound& round) {
  return all_of(
      round, [](const Receiving& op) { return op.what != Waits::What::receive || !op.overwrites; });
}

using Condition = bool (*)(const RandomRound&);

// Returns how many random rounds fulfil all the conditions, and how many of these have a circle.
std::pair<int, int> count(const std::vector<Condition>& conditions) {
  Maker maker;
  int fulfilled = 0, circles = 0;
  for (int i = 0; i < rounds_tried; ++i) {
    const RandomRound round = maker.round();
    if (!std::all_of(conditions.begin(), conditions.end(),
                     [&](Condition condition) { return condition(round); }))
      continue;
    ++fulfilled;
    if (has_circle(round)) ++circles;
  }
  return {fulfilled, circles};
}

void expect_enough_and_needed(const std::vector<Condition>& conditions) {
  const auto [fulfilled, circles] = count(conditions);
  EXPECT_GT(fulfilled, 1000);
  EXPECT_EQ(circles, 0);
  for (std::size_t left_out = 0; left_out < conditions.size(); ++left_out) {
    std::vector<Condition> fewer = conditions;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_GT(count(fewer).second, 0) << "without condition " << left_out;
  }
}

TEST(Circles, NeedSeveralMessagesOfARank) {
  expect_enough_and_needed({of_single_messages});
}

TEST(Circles, NeedARankThatWaitsForAHigherOne) {
  expect_enough_and_needed({of_rising_ranks, nothing_overwrites});
}

TEST(Circles, NeedASecondSendOrAReceiveThatWaits) {
  expect_enough_and_needed({of_rising_ranks, of_single_sends, no_receive_overwrites});
}

}  // namespace
}  // namespace tutti::schedule
