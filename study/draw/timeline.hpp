// SPDX-License-Identifier: BSD-3-Clause
// Draws what each rank does over time: a row for each rank, time runs to the right.
#pragma once

#include <string>
#include <vector>

namespace tutti::draw {

// start: a message has begun and does not move yet. blocked: it waits beyond its start-up, because
// others are in its way or the receiver has not granted it.
enum class Doing {
  start,
  blocked,
  send,
  receive,
  combine,
  copy,
  compute,
  synchronise,
  wait,
  collective
};
[[nodiscard]] const char* to_text(Doing doing);

struct TimeLine {
  struct Bar {
    int rank;
    Doing doing;
    double from, to;
  };
  struct Passage {  // a message on its way
    int from, to;
    double sent, arrived;
  };
  int ranks = 0;
  std::vector<std::string> names{};  // of the rows; empty: the numbers of the ranks
  double end = 0;                    // times are from 0 to this, in microseconds
  std::vector<Bar> bars;
  std::vector<Passage> messages;
};

constexpr int most_ranks_of_timeline = 512;
constexpr int most_ranks_with_messages = 32;  // above, messages are no longer drawn

// In a row, sends are above receives, as both may go on at once. Throws Error(invalid_argument) if
// there are too many ranks.
[[nodiscard]] std::string timeline_svg(const TimeLine& line, const std::string& title);

}  // namespace tutti::draw
