// SPDX-License-Identifier: BSD-3-Clause
// Collect and distributed combine on the circulant graph (circulant.hpp). They take ceil(log2 p)
// rounds for any p, and no rank receives anything twice.
#include <algorithm>

#include "algorithms/circulant.hpp"
#include "algorithms/families.hpp"
#include "algorithms/vectors.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

// With one rank, one round copies input to output.
Int rounds(const Shape& s) {
  return std::max<Int>(1, ceil_log2(s.p));
}

// Before round k a rank has the blocks of skip(p, k) ranks, from its own on.
void collect_emit(Round& out, const Shape& s, Rank rank, Int k) {
  const Int me = num(rank), p = s.p;
  if (p > 1) {
    const Int distance = skip(p, k), count = skip(p, k + 1) - distance;
    out.send(k == 0 ? Blocks{{Buffer::input, 0}} : cyclic(Buffer::output, me, count, p),
             Rank{mod(me - distance, p)});
    out.receive(cyclic(Buffer::output, me + distance, count, p), Rank{mod(me + distance, p)});
  }
  if (k == 0) out.copy({{Buffer::output, me}}, {{Buffer::input, 0}});
}

// Emits the rounds of collect_emit backwards, with sums. Before the round with distance skip(p, k)
// a rank has the sums for skip(p, k + 1) ranks, from its own on; at first they are its input. A
// round adds to each sum that the rank keeps. If p is odd, the first round leaves out the last of
// them, so the second round sends that one from input.
void combine_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), p = s.p;
  if (p == 1) return out.copy({{Buffer::output, 0}}, {{Buffer::input, 0}});
  const Int k = ceil_log2(p) - 1 - t, distance = skip(p, k), count = skip(p, k + 1) - distance;
  const Buffer sums = t == 0 ? Buffer::input : Buffer::scratch;
  const Int untouched = t == 1 ? p % 2 : 0;
  Blocks sent = cyclic(sums, me + distance, count - untouched, p);
  if (untouched > 0) sent.push_back({Buffer::input, mod(me + distance + count - 1, p)});
  out.send(std::move(sent), Rank{mod(me + distance, p)});
  const Rank from{mod(me - distance, p)};
  if (k == 0)
    return out.receive_combine({{Buffer::output, 0}}, {remote(from), local({{sums, me}})});
  out.receive_combine(cyclic(Buffer::scratch, me, count, p),
                      {remote(from), local(cyclic(sums, me, count, p))});
}

// Before round k a rank has the blocks of skip(p, k) ranks, from its own on.
Held collected(const Shape& s, Rank rank, Int k, Int block) {
  const Int me = num(rank);
  if (k == 0) return block == me ? held(Buffer::input, 0) : nothing_held();
  return s.p == 1 || mod(block - me, s.p) < skip(s.p, k) ? held(Buffer::output, block)
                                                         : nothing_held();
}
Truth collected_fact(const Shape& s, Int k) {
  if (s.p == 1) return true;
  return nearly_doubles(s.p, k);
}

// Before round t a rank holds sums for skip(p, rounds - t) ranks, from its own on.
Held combined(const Shape& s, Rank rank, Int t, Int block) {
  const Int me = num(rank), p = s.p, q = rounds(s);
  if (t == 0) return held(Buffer::input, block);
  if (p == 1) return held(Buffer::output, 0);
  const Int place = mod(block - me, p), sums = skip(p, q - t);
  if (place >= sums) return nothing_held();
  if (t == q) return held(Buffer::output, 0);
  return t == 1 && p % 2 == 1 && place == sums - 1 ? held(Buffer::input, block)
                                                   : held(Buffer::scratch, block);
}
Truth combined_fact(const Shape& s, Int t) {
  if (s.p == 1) return true;
  return nearly_doubles(s.p, ceil_log2(s.p) - 1 - t);
}

}  // namespace

// allgather circulant: in each round every rank doubles the number of blocks it has, counted from
// its own on, or takes one less than that.
//   Source: Traeff, Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024; Bruck et
//           al., 1997
//   Needs:  any p
//   Cost:   rounds ceil_log2(p); messages p*ceil_log2(p); volume p*(p-1); alpha ceil_log2(p);
//           beta p-1; root ceil_log2(p)*Tc; longest ceil_log2(p)*Tc; done if(i == rounds-1, p, 0)
constexpr Generator allgather_circulant = with_ranks_alike(
    with_invariant({"circulant", Operation::allgather, rounds, allgather_buffers, collect_emit,
                    any_shape, Operators::any, Parameter::none, "bruck"},
                   {collected, collected_fact, distances_lemma}));

// reduce_scatter circulant: every rank sends half of the sums it still holds to a rank that is half
// as far away as in the round before.
//   Source: Traeff, Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024
//   Needs:  any p; commutative operator
//   Cost:   rounds ceil_log2(p); messages p*ceil_log2(p); volume p*(p-1); combines p*(p-1);
//           alpha ceil_log2(p); beta p-1; gamma p-1;
//           root ceil_log2(p)*(Tc + To); longest ceil_log2(p)*(Tc + To);
//           done if(i == rounds-1, p, 0)
constexpr Generator reduce_scatter_circulant = with_ranks_alike(
    with_invariant({"circulant", Operation::reduce_scatter, rounds, reduce_scatter_buffers,
                    combine_emit, any_shape, Operators::commutative},
                   {combined, combined_fact, distances_lemma}));

}  // namespace tutti::algorithms
