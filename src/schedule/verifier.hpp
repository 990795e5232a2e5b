// SPDX-License-Identifier: BSD-3-Clause
// The verifier, which proves a schedule right for one shape and counts what it costs. It runs all
// ranks symbolically, round by round. Tests, `tutti verify` and selection use it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "schedule/counts.hpp"
#include "schedule/generator.hpp"
#include "schedule/history.hpp"
#include "schedule/memory.hpp"

namespace tutti::schedule {

// The result of verifying a schedule. If one of these properties does not hold, `problem` says what
// goes wrong, where and for which rank, and the other members mean nothing:
//   1. Every rank that must have a result has it (generator.hpp says which), and a barrier has
//      heard of every rank.
//   2. Nothing is sent or used that is not held, and no block is touched that the rank does not
//      have.
//   3. A send from a to b in a round is the only one, and meets a receive of b from a in that
//      round, with as many blocks of the same sizes. Sends read the state before the round, so all
//      operations of a round can go on together. No ranks wait in a circle, even if every send
//      waits for its receive, and however few packets a rank may have under way (waits.hpp).
//   4. Input is never written. In place, no input block is read after it was overwritten.
//   5. Blocks written in a round are disjoint from the blocks of each message that the rank sends
//      in it, or exactly these. In the same round, local work behind the receive alone may use
//      what a message brings. An operation that reads what it writes reads it at the same place of
//      its list, and writes no block twice.
//   6. A generator that does not say commutative_only keeps the rank order.
struct Verdict {
  std::string problem;
  int round = 0;  // of the problem, counted from 1; 0 if it belongs to no round
  int rank = -1;  // of the problem; -1 if it belongs to no rank
  // The ends of the message that the problem is about, which may be one that nobody sends; or -1.
  int from = -1;
  int to = -1;
  Placement placement = Placement::separate;  // of the run
  bool one_port = true;  // in every round a rank sends at most one message and receives at most one
  bool rank_order = true;  // operands in rank order: operators need not be commutative
  std::string disorder;    // a result that is not in rank order, as text
  int disorder_rank = -1;  // the rank that has it
  bool same_tree = true;   // all ranks compute a result by the same expression
  bool canonical = true;   // every result is Expressions::canonical
  // Hash of all results of a reduction. It differs if any of them is computed in another order or
  // grouping. Results keep their bits from one version to the next as long as this number stays.
  std::uint64_t trees = 0;
  Counts counts;
  [[nodiscard]] bool correct() const { return problem.empty(); }
};

// A run that looks at more blocks, or makes more different sums, is refused. The largest schedules
// of this library, at p = 4096, take a tenth and a quarter of the usual limits.
struct Limits {
  std::int64_t steps = std::int64_t{1} << 32;
  std::int64_t sums = std::int64_t{1} << 26;
};

// Events are written to `history` where it is given. The history is whole if the verdict is
// correct, or only the result is wrong: `problem` then begins with "result:". Otherwise it ends at
// the fault.
[[nodiscard]] Verdict verify(const Generator& generator, const Shape& shape,
                             Placement placement = Placement::separate,
                             ScheduleHistory* history = nullptr);

// Verifies a schedule that is given as the Programs of all ranks, for schedules without a
// generator. Programs may differ in length. `durations` decide which of two times is the later one.
[[nodiscard]] Verdict verify(Operation operation, const Shape& shape, const Buffers& buffers,
                             std::span<const Program> programs,
                             Placement placement = Placement::separate,
                             ScheduleHistory* history = nullptr, Limits limits = {},
                             const Durations& durations = {});

// Makes it a problem if a generator does not keep the rank order although it does not say
// commutative_only. The verify() of a generator calls this.
void check_order(const Generator& generator, Verdict& verdict);

// Checks the result alone, given the memory after the last round. Throws a Violation. verify()
// calls this.
void check_result(Operation operation, const Shape& shape, const Buffers& buffers, Memory& memory,
                  Verdict& verdict);

}  // namespace tutti::schedule
