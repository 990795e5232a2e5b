// SPDX-License-Identifier: BSD-3-Clause
// Judges a program by the record of its collectives: how long it waits for others in them, and
// whether tutti helps it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/summary.hpp"
#include "verdict/record.hpp"

namespace tutti::tools {

enum class Answer {
  too_short,       // the program ends before tutti could gain what starting costs
  no_collectives,  // it spends next to nothing in collectives
  busy,            // others used the machine, so times say little
  waits,           // what it spends in collectives is waiting for others
  unknown,         // tutti may help, but nothing was compared
  helps,           // it is faster than by the MPI
  slows,           // it is slower
  no_difference    // neither can be said
};
[[nodiscard]] const char* to_text(Answer answer);

constexpr double us_in_second = 1e6;
// Returns what part of the whole this is, in percent; 0 of nothing.
[[nodiscard]] constexpr double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

// Calls of one operation at one place. Numbers are means over the ranks that make them.
struct PlaceCosts {
  std::string place, operation;
  bool by_tutti = true;
  std::string why;
  double calls = 0, bytes = 0;    // bytes of one call
  double seconds = 0;             // of all calls
  std::optional<double> waiting;  // of it; nothing if no call was a sample
  Figures call;                   // of the samples
};

// Calls that were made again.
struct ComparedCalls {
  RepeatedCalls calls;
  Figures ours, theirs;
  // Seconds that the MPI would take more for all calls of rank 0: expected, and by quartiles.
  double more = 0, least = 0, most = 0;
  [[nodiscard]] bool is_significant() const { return least > 0 || most < 0; }
};

struct LateRank {
  int rank = 0;
  double share = 0;  // of the waiting, in which this rank comes last
};

struct Verdict {
  Answer answer = Answer::unknown;
  std::string sentence;            // says it to the user
  double seconds = 0;              // from MPI_Init to MPI_Finalize, the first rank to the last
  double starting = 0;             // of joining in MPI_Init
  double collectives = 0;          // mean over the ranks
  double least = 0, most = 0;      // of a rank
  double waiting = 0;              // of `collectives`
  double not_sampled = 0;          // of `collectives`, of which it is not known how much is waiting
  std::vector<LateRank> late;      // the latest first
  std::vector<PlaceCosts> places;  // the costliest first
  std::vector<ComparedCalls> compared;             // the most important first
  double more = 0, least_more = 0, most_more = 0;  // seconds that the MPI would take more
  std::string busy;                                // why times say little; empty if they do not
};

[[nodiscard]] Verdict judge(const MpiRecord& record);

// Returns when the first rank has begun, and when the last one has ended.
[[nodiscard]] std::pair<double, double> span_of(const MpiRecord& record);

// How a rank spends a call: it waits until the last rank that it needs has come.
struct SplitCall {
  double waiting = 0, working = 0;
  int last = -1;  // the rank that came last of those that it needs
};
// Splits member `member` of a call.
[[nodiscard]] SplitCall split(const std::string& operation, const std::vector<RecordedCall>& call,
                              std::size_t member);

}  // namespace tutti::tools
