// SPDX-License-Identifier: BSD-3-Clause
// Recursive halving and doubling. In step i partners differ in bit i of their number, so after it a
// rank has combined data of 2^(i+1) neighbouring ranks, in order. Ranks beyond the power of two are
// folded (fold.hpp).
#include "algorithms/families.hpp"
#include "algorithms/fold.hpp"
#include "algorithms/vectors.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

// Returns the parts of a vector cut by rank that belong to the cores whose number is x modulo m, a
// power of two. Each core with a folded rank beside it has two blocks, which come first; each other
// core has one.
Blocks parts_of(Buffer buffer, const Fold& fold, Int x, Int m) {
  const Int first = x % m, pairs = (std::max<Int>(0, fold.folded - first) + m - 1) / m;
  const Int single = first + pairs * m, singles = (fold.cores - single + m - 1) / m;
  Blocks blocks;
  if (pairs > 0) blocks.push_back({buffer, 2 * first, 2, 2 * m, pairs});
  if (singles > 0) blocks.push_back({buffer, single + fold.folded, 1, m, singles});
  return blocks;
}

// Returns what is left to core x of a vector cut into one part per core when 1/m of it is left. Bit
// k of x has chosen one half of what was left. Blocks belong to nobody here, so shares can be
// consecutive.
Blocks share_of(Buffer buffer, const Fold& fold, Int x, Int m) {
  Int first = 0;
  for (int k = 0; 2 << k <= m; ++k) first += (x >> k & 1) * (fold.cores >> (k + 1));
  return {{buffer, first, fold.cores / m}};
}

// sums := mine + the same blocks of the partner, in rank order.
void combine_with(Round& out, Int partner, Int me, Blocks sums, Blocks mine) {
  const Operand theirs = remote(Rank{partner});
  if (partner < me) return out.receive_combine(std::move(sums), {theirs, local(std::move(mine))});
  out.receive_combine(std::move(sums), {local(std::move(mine)), theirs});
}

Int steps_of(const Fold& fold) {
  return ceil_log2(fold.cores);
}

// Emits the round before all steps, in which the odd rank of a pair hands over its whole input.
void fold_in(Round& out, const Fold& fold, Int me, Buffer sums, Int blocks) {
  if (fold.is_folded(me)) return out.send({{Buffer::input, 0, blocks}}, Rank{me - 1});
  if (fold.is_pair(me))
    combine_with(out, me + 1, me, {{sums, 0, blocks}}, {{Buffer::input, 0, blocks}});
}

Int scatter_rounds(const Shape& s) {
  const Fold fold(s.p);
  return s.p == 1 ? 1 : steps_of(fold) + (fold.folded > 0 ? 2 : 0);
}

void scatter_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Fold fold(s.p);
  const Int me = num(rank), core = fold.core_of(me), steps = steps_of(fold),
            i = fold.folded > 0 ? t - 1 : t;
  if (s.p == 1) return out.copy({{Buffer::output, 0}}, {{Buffer::input, 0}});
  if (i < 0) return fold_in(out, fold, me, Buffer::scratch, s.p);
  if (i == steps) {
    if (fold.is_folded(me)) return out.receive({{Buffer::output, 0}}, Rank{me - 1});
    if (fold.is_pair(me)) out.send({{Buffer::scratch, me + 1}}, Rank{me + 1});
    return;
  }
  if (fold.is_folded(me)) return;
  const Int other = core ^ (1 << i), m = 2 << i;
  const Buffer from = i == 0 && !fold.is_pair(me) ? Buffer::input : Buffer::scratch;
  Blocks sums = parts_of(Buffer::scratch, fold, core, m);
  if (i == steps - 1) sums = {{Buffer::output, 0}};
  if (i == steps - 1 && fold.is_pair(me)) sums.push_back({Buffer::scratch, me + 1});
  out.send(parts_of(from, fold, other, m), Rank{fold.rank_of(other)});
  combine_with(out, fold.rank_of(other), me, std::move(sums), parts_of(from, fold, core, m));
}

Int allreduce_rounds(const Shape& s) {
  const Fold fold(s.p);
  return s.p == 1 ? 1 : 2 * steps_of(fold) + (fold.folded > 0 ? 2 : 0);
}
Buffers allreduce_buffers(const Shape& s) {
  const Int cores = Fold(s.p).cores;
  return {cores, cores, 0, cores};
}

void allreduce_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Fold fold(s.p);
  const Int me = num(rank), core = fold.core_of(me), steps = steps_of(fold),
            i = fold.folded > 0 ? t - 1 : t;
  const Block everything{Buffer::output, 0, fold.cores};
  if (s.p == 1) return out.copy({everything}, {{Buffer::input, 0}});
  if (i < 0) return fold_in(out, fold, me, Buffer::output, fold.cores);
  if (i == 2 * steps) {
    if (fold.is_folded(me)) return out.receive({everything}, Rank{me - 1});
    if (fold.is_pair(me)) out.send({everything}, Rank{me + 1});
    return;
  }
  if (fold.is_folded(me)) return;
  const Int bit = i < steps ? i : 2 * steps - 1 - i, other = core ^ (1 << bit), m = 2 << bit;
  const Int partner = fold.rank_of(other);
  const Buffer from = i == 0 && !fold.is_pair(me) ? Buffer::input : Buffer::output;
  const Blocks kept = share_of(Buffer::output, fold, core, m);
  if (i < steps) {
    out.send(share_of(from, fold, other, m), Rank{partner});
    return combine_with(out, partner, me, kept, share_of(from, fold, core, m));
  }
  out.send(kept, Rank{partner});
  out.receive(share_of(Buffer::output, fold, other, m), Rank{partner});
}

// With one rank, one round copies input to output.
Int doubling_rounds(const Shape& s) {
  return std::max<Int>(1, ceil_log2(s.p));
}
bool is_power_of_two(const Shape& s) {
  return Fold(s.p).folded == 0;
}

void doubling_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), size = 1 << t, partner = me ^ size, mine = me & -size,
            theirs = partner & -size;
  if (s.p > 1) {
    out.send({t == 0 ? Block{Buffer::input, 0} : Block{Buffer::output, mine, size}}, Rank{partner});
    out.receive({{Buffer::output, theirs, size}}, Rank{partner});
  }
  if (t == 0) out.copy({{Buffer::output, me}}, {{Buffer::input, 0}});
}

// Before round t > 0 a rank has the blocks of all ranks that agree with it in all but the low t
// bits.
Held doubled(const Shape&, Rank rank, Int t, Int block) {
  const Int me = num(rank), size = 1 << t;
  if (t == 0) return block == me ? held(Buffer::input, 0) : nothing_held();
  const Int first = me & -size;
  return block >= first && block < first + size ? held(Buffer::output, block) : nothing_held();
}

}  // namespace

// reduce_scatter halving: pairs at distance 1, 2, 4, ... exchange and combine half of what is left
// to each of them: the parts of the ranks that agree with the partner in one more of the low bits.
//   Source: paper 001, 3.2.1 (recursive halving); pairs fold as in the bidirectional exchange
//   Needs:  any p
//   Cost:   rounds floor_log2(p) + 2*rest; messages cores*floor_log2(p) + 2*(p - cores);
//           volume p*(p-1) + p - cores; combines p*(p-1);
//           alpha rounds; beta rest*(p+1) + halves; gamma rest*p + halves;
//           root <= longest; longest floor_log2(p)*(Tc + To) + rest*(2*Tc + To);
//           done if(i == rounds-1, p, if(i == rounds-2, rest*(2*cores - p), 0));
//           where cores = pow(2, floor_log2(p)); rest = if(p == cores, 0, 1);
//           halves = cores - 1 + sum(j, 1, floor_log2(p), ceil_div(p - cores, pow(2, j)))
constexpr Generator reduce_scatter_halving{"halving",          Operation::reduce_scatter,
                                           scatter_rounds,     reduce_scatter_buffers,
                                           scatter_emit,       any_shape,
                                           Operators::any,     Parameter::none,
                                           "recursive_halving"};

// allreduce halving_doubling: halving leaves every core with one share of the result, doubling then
// spreads the shares.
//   Source: Rabenseifner, Optimization of collective reduction operations, 2004; pairs fold as in
//           the bidirectional exchange
//   Needs:  any p
//   Cost:   rounds 2*floor_log2(p) + 2*rest; messages 2*cores*floor_log2(p) + 2*(p - cores);
//           volume 2*cores*(p-1); combines cores*(p-1); alpha rounds;
//           beta 2*(cores-1) + 2*rest*cores; gamma cores - 1 + rest*cores; root <= longest;
//           longest floor_log2(p)*(2*Tc + To) + rest*(2*Tc + To);
//           done if(i == rounds-1, p, if(i == rounds-2, rest*(2*cores - p), 0));
//           where cores = pow(2, floor_log2(p)); rest = if(p == cores, 0, 1)
constexpr Generator allreduce_halving_doubling{
    "halving_doubling", Operation::allreduce, allreduce_rounds, allreduce_buffers, allreduce_emit,
    any_shape,          Operators::any,       Parameter::none,  "rabenseifner"};

// allgather recursive_doubling: pairs at distance 1, 2, 4, ... exchange all the blocks they have.
//   Source: paper 001, 3.2.1 (recursive doubling)
//   Needs:  p a power of two
//   Cost:   rounds ceil_log2(p); messages p*ceil_log2(p); volume p*(p-1); alpha ceil_log2(p);
//           beta p-1; root ceil_log2(p)*Tc; longest ceil_log2(p)*Tc; done if(i == rounds-1, p, 0)
constexpr Generator allgather_recursive_doubling = with_ranks_alike(
    with_invariant({"recursive_doubling", Operation::allgather, doubling_rounds, allgather_buffers,
                    doubling_emit, is_power_of_two, Operators::any, Parameter::none, "doubling"},
                   {doubled}));

}  // namespace tutti::algorithms
