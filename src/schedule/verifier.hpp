// SPDX-License-Identifier: BSD-3-Clause
// Proves a schedule right for one shape by running all ranks symbolically, round by round, and
// counts what it costs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "schedule/counts.hpp"
#include "schedule/generator.hpp"
#include "schedule/history.hpp"
#include "schedule/memory.hpp"

namespace tutti::schedule {

// The findings of the verifier. `problem` is empty if
//   - every rank that must have a result has it (generator.hpp says who), and a barrier has heard
//     of everybody;
//   - nothing is sent or used that is not held, and no block is touched that the rank does not
//     have;
//   - the k-th send from a to b in a round meets the k-th receive of b from a in that round, with
//     as many blocks of the same sizes. Sends read the state before
//     the round, so all operations of a round can go on together and no ranks wait in a circle,
//     even if every send waits for its receive;
//   - input is never written; in place, no input block is read after it was overwritten;
//   - blocks written in a round are disjoint from, or exactly, the blocks of each message the rank
//     sends in it, and nothing else in the round uses a block that is being received;
//   - a generator that does not say commutative_only keeps the rank order.
// Otherwise `problem` tells what goes wrong, where and for whom, and the rest is meaningless.
struct Verdict {
  std::string problem;
  bool one_port = true;  // in every round a rank sends at most one message and receives at most one
  bool rank_order = true;  // operands in rank order: operators need not be commutative
  std::string disorder;    // a result that is not
  bool same_tree = true;   // all ranks compute a result by the same expression
  bool canonical = true;   // and that tree is the one of Expressions::canonical
  // A fingerprint of all results of a reduction. It changes if any of them is computed in another
  // order or grouping. As long as it stays, results keep their bits from one version to the next.
  std::uint64_t trees = 0;
  Counts counts;
  [[nodiscard]] bool correct() const { return problem.empty(); }
};

// Events are written to `history` where it is given. The history is whole if the verdict is
// correct.
[[nodiscard]] Verdict verify(const Generator& generator, const Shape& shape,
                             Placement placement = Placement::separate,
                             CellHistory* history = nullptr);

// A schedule given as the Programs of all ranks, for schedules without a generator. Programs may
// differ in length.
[[nodiscard]] Verdict verify(Operation operation, const Shape& shape, const Buffers& buffers,
                             std::span<const Program> programs,
                             Placement placement = Placement::separate);

// Makes it a problem if a generator does not keep the rank order although it does not say
// commutative_only. Part of verify of a generator.
void check_order(const Generator& generator, Verdict& verdict);

// The result alone, given the memory after the last round. Throws a Violation. Part of verify.
void check_result(Operation operation, const Shape& shape, const Buffers& buffers, Memory& memory,
                  Verdict& verdict);

}  // namespace tutti::schedule
