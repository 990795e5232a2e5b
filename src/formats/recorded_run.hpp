// SPDX-License-Identifier: BSD-3-Clause
// A recorded run: what each process of a job did, in order, as `tutti run --record` has written it.
// tutti-recording(5) describes the file, and so does tutti-recording-1.schema.json.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schedule/bound.hpp"
#include "schedule/generator.hpp"

namespace tutti::formats {

// One part of one operation that a process took part in, bound to bytes. Sends and receives name
// members of the group.
struct RecordedOperation {
  schedule::Operation operation{};
  std::string algorithm;
  int group = 0;  // index in RecordedRun::groups
  int member = 0;
  int root = 0;
  std::int64_t bytes = 0;    // of the whole vector
  std::int64_t element = 1;  // bytes
  bool even = true;          // all ranks have equally many elements, or counts are cut evenly
  std::vector<schedule::BoundRound> rounds;
};

// The process takes part in an operation; with a request, it goes on beside what comes next. 0 is
// no request.
struct RecordedCall {
  int bound = 0;  // index in RecordedRank::bound
  std::uint32_t request = 0;
  std::int64_t number = 0;  // of the operation among those of the group, from 0
};
struct RecordedSend {
  int to = 0;
  std::int64_t bytes = 0;
  std::uint32_t request = 0;
};
// A message is the n-th one, from 0, that the sender has sent to this process.
struct RecordedReceive {
  int from = 0;
  int message = 0;
};
// The process has found that the message is there, and it stays.
struct RecordedProbe {
  int from = 0;
  int message = 0;
};
struct RecordedPost {
  int from = 0;
  int message = 0;
  std::uint32_t request = 0;
};
struct RecordedWait {
  std::uint32_t request = 0;
};
// Processes that wait for each other at a counter of that name.
struct RecordedArrival {
  int counter = 0;
  std::int64_t count = 0;
};

// The process computes for so many nanoseconds, as it has said itself.
struct RecordedSpending {
  std::int64_t nanoseconds = 0;
  bool until = false;  // so many nanoseconds after the beginning of the job
};
// The process has used memory that others use without a message: a window, a record or a lock.
struct RecordedShared {};
using RecordedDeed =
    std::variant<RecordedCall, RecordedSend, RecordedReceive, RecordedProbe, RecordedPost,
                 RecordedWait, RecordedArrival, RecordedSpending, RecordedShared>;
struct RecordedItem {
  RecordedDeed what;
  int place = -1;          // index in RecordedRank::places; -1: not known
  int call = -1;           // index in RecordedRank::calls; -1: not known
  std::int64_t after = 0;  // nanoseconds for which the process computed before
};

struct RecordedRank {
  int process = 0;
  bool complete = false;  // it left its job, or ended by itself
  std::vector<std::string> calls;
  std::vector<std::string> counters;
  std::vector<std::string> places;  // in the program
  std::vector<RecordedOperation> bound;
  std::vector<RecordedItem> items;
};

struct RecordedRun {
  std::vector<std::vector<int>> groups;  // ranks of the run
  std::vector<RecordedRank> ranks;
};

// Returns true if a text begins as such a file does.
[[nodiscard]] bool is_recorded_run(std::string_view text);

// Reads a file. Throws Error(invalid_argument) that names the file, the line and the limit or the
// rule. All indices and ranks exist, and messages and operations have all their ends.
[[nodiscard]] RecordedRun read_recorded_run(std::string_view text, std::string_view file);

}  // namespace tutti::formats
