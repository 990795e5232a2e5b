// SPDX-License-Identifier: BSD-3-Clause
// Emits the trees and rings of the hybrids along one factor.
#include "algorithms/hybrid_steps.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/interval_halving.hpp"

namespace tutti::algorithms {

using namespace schedule;

namespace {

void combine(Round& out, const Blocks& blocks, Rank other, Blocks mine, bool other_first) {
  if (other_first) return out.receive_combine(blocks, {remote(other), local(std::move(mine))});
  out.receive_combine(blocks, {local(std::move(mine)), remote(other)});
}

Rank partner_of(const Op& op) {
  for (const Operand& operand : op.operands)
    if (!operand.is_local()) return operand.from;
  return Rank{op.to.first};
}

void append(Blocks& blocks, const Blocks& more) {
  blocks.insert(blocks.end(), more.begin(), more.end());
}

// Joins each operation from number `first_of_second` on to an earlier one of the same kind with the
// same partner. One message then serves both members for which the rank stands.
void merge(Round& out, std::size_t first_of_second) {
  const auto second = out.ops.begin() + static_cast<std::ptrdiff_t>(first_of_second);
  const auto left = std::remove_if(second, out.ops.end(), [&](const Op& op) {
    const auto same = std::find_if(out.ops.begin(), second, [&](const Op& other) {
      return other.what == op.what && partner_of(other) == partner_of(op);
    });
    if (same == second) return false;
    append(same->blocks, op.blocks);
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      append(same->operands[i].local, op.operands[i].local);
    return true;
  });
  out.ops.erase(left, out.ops.end());
}

}  // namespace

// The members of a ring pass buckets upwards. A bucket that stays with its rank needs no message. A
// rank that also stands for the bucket's own member has the bucket already (collect), or is the
// last rank that it has to reach (distribute).
struct Hybrid::Ring {
  const HybridGrid& grid;
  int member, factor;
  int digit() const { return grid.digit(member, factor); }
  int wrapped(int d) const { return mod(d, grid.size(factor)); }
  int at(int d) const { return grid.with_digit(member, factor, wrapped(d)); }
  Rank rank(int d) const { return Rank{grid.rank_of(at(d))}; }
  bool same(int d, int e) const { return grid.same_rank(at(d), at(e)); }
  bool collects(int from, int bucket) const {
    return !same(from, from + 1) && !same(from + 1, bucket);
  }
  bool distributes(int from, int bucket) const {
    return !same(from, from + 1) && !same(from, bucket);
  }
};

Hybrid::Hybrid(const Shape& shape, Buffer vector, VectorCut cut)
    : shape_(shape),
      grid_(shape),
      root_(grid_.member_of(shape.root)),
      vector_(vector),
      by_rank_(cut == VectorCut::by_rank) {}

void Hybrid::emit(Round& out, const Place& place, int rank) const {
  const int first = grid_.member_of(rank);
  const std::size_t before = out.ops.size();
  emit_member(out, place, first);
  if (grid_.members_of(rank) == 1) return;
  const std::size_t ops = out.ops.size();
  // Trees along the first factor are trees of ranks, so the second member of a rank takes no part
  // in them.
  if (place.factor > 0 || is_ring(place.step)) emit_member(out, place, first + 1);
  if (ops > before) merge(out, ops);
}

bool Hybrid::copies_input(int rank) const {
  return shape_.cut == 0 || grid_.ranks_along(grid_.member_of(rank), 0) == 1;
}

void Hybrid::emit_member(Round& out, const Place& place, int member) const {
  switch (place.step) {
    case HybridStep::collect:
      return collect(out, place, member);
    case HybridStep::distribute:
      return distribute(out, place, member);
    default:
      return tree(out, place, member);
  }
}

// Returns the blocks of the members that share with `member` the digits before `factor` and have a
// digit in [first, last) at `factor`.
Blocks Hybrid::part(Buffer buffer, int member, int factor, int first, int last) const {
  if (by_rank_) return grid_.by_rank(buffer, member, factor, first, last);
  int start = 0, parts = 1;
  for (int i = 0; i < shape_.cut; ++i) {
    start *= grid_.size(i);
    if (i < factor) start += grid_.digit(member, i);
    if (i == factor) start += first;
    if (i >= factor) parts *= i == factor ? last - first : grid_.size(i);
  }
  return {{buffer, start, parts}};
}

// Returns true if `member` takes part in a tree. A tree that moves parts runs where the later
// digits are the root's. A tree that moves all that is left runs where the earlier short digits are
// the root's.
bool Hybrid::takes_part(const Place& place, int member) const {
  const bool moves_parts = place.step == HybridStep::scatter || place.step == HybridStep::gather;
  const int first = moves_parts ? place.factor + 1 : shape_.cut,
            last = moves_parts ? grid_.factors() : place.factor;
  for (int i = first; i < last; ++i)
    if (grid_.digit(member, i) != grid_.digit(root_, i)) return false;
  return true;
}

void Hybrid::tree(Round& out, const Place& place, int member) const {
  if (!takes_part(place, member)) return;
  const auto [step, factor, t] = place;
  const int ranks = grid_.ranks_along(member, factor), size = grid_.size(factor);
  const int me = std::min(grid_.digit(member, factor), ranks - 1);
  const int holder = std::min(grid_.digit(root_, factor), ranks - 1);
  const bool backwards = step == HybridStep::combine || step == HybridStep::gather;
  const bool whole = step == HybridStep::combine || step == HybridStep::broadcast;
  const auto halving = halving_of_round(ranks, holder, me, backwards ? ceil_log2(size) - 1 - t : t,
                                        whole ? folded_half : balanced_half);
  if (!halving || (me != halving->holder && me != halving->child)) return;
  // The last rank of a smaller row stands for the last two digits.
  const int last = halving->last() == ranks ? size : halving->last();
  Blocks blocks = whole ? part(vector_, member, shape_.cut, 0, grid_.size(shape_.cut))
                        : part(vector_, member, factor, halving->first(), last);
  if (blocks.empty()) return;
  const int partner = me == halving->holder ? halving->child : halving->holder;
  const Rank other{grid_.rank_of(grid_.with_digit(member, factor, partner))};
  if ((me == halving->holder) != backwards) return out.send(std::move(blocks), other);
  if (step != HybridStep::combine) return out.receive(std::move(blocks), other);
  combine(out, blocks, other, blocks, partner < me);
}

Blocks Hybrid::bucket(Buffer buffer, const Ring& ring, int bucket) const {
  const int digit = ring.wrapped(bucket);
  return part(buffer, ring.member, ring.factor, digit, digit + 1);
}

void Hybrid::collect(Round& out, const Place& place, int member) const {
  const Ring ring{grid_, member, place.factor};
  const int me = ring.digit(), sent = me - place.t, received = sent - 1;
  Blocks to_send = bucket(vector_, ring, sent), to_receive = bucket(vector_, ring, received);
  if (ring.collects(me, sent) && !to_send.empty()) out.send(std::move(to_send), ring.rank(me + 1));
  if (ring.collects(me - 1, received) && !to_receive.empty())
    out.receive(std::move(to_receive), ring.rank(me - 1));
}

// Along the first factor every rank adds its input; what it sends before it received anything is
// input, too. The sums that reach the lowest member come from members above it, so there its own
// operand is the first.
void Hybrid::distribute(Round& out, const Place& place, int member) const {
  const Ring ring{grid_, member, place.factor};
  const int me = ring.digit(), sent = me - 1 - place.t, received = sent - 1;
  const Buffer mine =
      place.factor == 0 && !copies_input(grid_.rank_of(member)) ? Buffer::input : vector_;
  const bool fresh = place.t == 0 || (place.t == 1 && !ring.distributes(me - 1, sent));
  Blocks to_send = bucket(fresh ? mine : vector_, ring, sent),
         to_receive = bucket(vector_, ring, received);
  if (ring.distributes(me, sent) && !to_send.empty())
    out.send(std::move(to_send), ring.rank(me + 1));
  if (ring.distributes(me - 1, received) && !to_receive.empty())
    combine(out, to_receive, ring.rank(me - 1), bucket(mine, ring, received), me > 0);
}

}  // namespace tutti::algorithms
