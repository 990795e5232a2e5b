// SPDX-License-Identifier: BSD-3-Clause
// Compares the prover's buffers with those of the verifier. The prover has functions of its own for
// them, because it has no numbers of ranks and blocks, and all that it shows rests on them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "memory_hash.hpp"
#include "prover.hpp"
#include "schedule/verifier.hpp"

namespace tutti {
namespace {

using prove::CellContent;
using prove::CellPlace;
using schedule::Buffer;
using schedule::Memory;
using schedule::Placement;
using schedule::Value;

// The buffers of the verifier before a run and after it.
class VerifierLook {
 public:
  VerifierLook(const schedule::Generator& g, const schedule::Shape& s, Placement placement)
      : operation_(g.operation),
        buffers_(g.buffers(s)),
        before_(g.operation, s, buffers_, placement) {
    const schedule::Verdict verdict = schedule::verify(g, s, placement, &history_);
    EXPECT_EQ(verdict.problem, "");
  }

  int blocks(int rank, Buffer buffer) const { return before_.blocks(rank, buffer); }
  int part(int rank, Buffer buffer, int i) const { return before_.part(rank, buffer, i); }
  // The cells of a rank are its output, then its input, then scratch.
  CellPlace place(int rank, Buffer buffer, int i) const {
    const int cell = before_.cell(rank, buffer, i) - rank * before_.cells_of_rank();
    if (cell < buffers_.output) return {Buffer::output, cell};
    if (cell < buffers_.output + buffers_.input) return {Buffer::input, cell - buffers_.output};
    return {Buffer::scratch, cell - buffers_.output - buffers_.input};
  }
  CellContent first(int rank, Buffer buffer, int i) const {
    return content(before_, before_[before_.cell(rank, buffer, i)]);
  }
  // The verdict says that the result is right, so nothing else has to be there.
  CellContent last(int rank, int i) const {
    if (operation_ == schedule::Operation::exscan && rank == 0) return {};  // it has no result
    const Memory& after = *history_.memory;
    return content(after, after[after.cell(rank, Buffer::output, i)]);
  }

 private:
  static CellContent content(const Memory& memory, Value value) {
    if (value == schedule::nothing) return {};
    const schedule::Expressions& expressions = memory.expressions();
    std::set<int> ranks;
    const std::vector<Value> leaves = expressions.leaves(value);
    for (const Value leaf : leaves) ranks.insert(expressions.rank_of(leaf));
    return {*ranks.begin(), *ranks.rbegin() + 1, expressions.part_of(leaves.front())};
  }

  schedule::Operation operation_;
  schedule::Buffers buffers_;
  Memory before_;
  schedule::ScheduleHistory history_;
};

// Returns how many generators were compared, for all p up to `most`.
int compare_buffers(int most, const std::string& names) {
  std::istringstream lines = lines_of_prover("--memory " + std::to_string(most) + names);
  std::set<std::string> compared;
  for (std::string name; lines >> name;) {
    schedule::Shape shape;
    bool in_place = false;
    std::uint64_t hash = 0;
    lines >> shape.p >> shape.root >> in_place >> std::hex >> hash >> std::dec;
    const VerifierLook look(named(name), shape,
                            in_place ? Placement::in_place : Placement::separate);
    EXPECT_EQ(hash, prove::memory_hash(look, shape.p))
        << name << ", p = " << shape.p << ", root = " << shape.root << ", in place " << in_place;
    compared.insert(name);
  }
  return static_cast<int>(compared.size());
}

TEST(memory, prover_and_verifier_have_the_same_buffers) {
  EXPECT_EQ(
      compare_buffers(7,
                      " allgather/ring reduce_scatter/ring scatter/mst gather/mst alltoall/naive "
                      "broadcast/mst reduce/mst allreduce/ring exscan/doubling scan/linear"),
      10);
}

TEST(memory, are_the_same_of_every_generator) {
  constexpr int with_invariant = 52;
  EXPECT_EQ(compare_buffers(16, ""), with_invariant);
}

}  // namespace
}  // namespace tutti
