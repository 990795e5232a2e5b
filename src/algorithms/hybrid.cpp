// SPDX-License-Identifier: BSD-3-Clause
// The hybrid algorithms, which split a group by one factor after the other (hybrid.hpp). Long
// algorithms along the first `cut` factors make the vector shorter and shorter. Short ones along
// the other factors serve what is left. One factor gives the bucket algorithms with cut 1 and the
// minimum spanning trees with cut 0. Factors of 2 that are all long give recursive halving and
// doubling.
#include "algorithms/hybrid.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "algorithms/families.hpp"
#include "algorithms/hybrid_grid.hpp"
#include "algorithms/hybrid_steps.hpp"
#include "algorithms/vectors.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

// A phase is one step along each of the long or of the short factors, in their order (up) or
// backwards (down). Reductions take the short factors in order, which keeps the order of the ranks.
// Broadcasts take them backwards, the farthest first, which keeps messages off each other's links.
enum class Factors : std::uint8_t { long_up, long_down, short_up, short_down };
struct Phase {
  HybridStep step;
  Factors factors;
};
using Phases = std::initializer_list<Phase>;

int rounds_of(HybridStep step, int size) {
  return is_ring(step) ? size - 1 : ceil_log2(size);
}

template <class F>
void for_each_step(const Phases& phases, const Shape& s, F f) {
  const int all = static_cast<int>(s.factors.size());
  for (const auto [step, which] : phases) {
    const bool is_long = which == Factors::long_up || which == Factors::long_down;
    const bool up = which == Factors::long_up || which == Factors::short_up;
    const int first = is_long ? 0 : s.cut, last = is_long ? s.cut : all;
    for (int i = first; i < last; ++i) {
      const int factor = up ? i : first + last - 1 - i;
      f(step, factor, rounds_of(step, size_of(s.factors[static_cast<std::size_t>(factor)])));
    }
  }
}

int rounds_of(const Phases& phases, const Shape& s) {
  int rounds = 0;
  for_each_step(phases, s, [&](HybridStep, int, int n) { rounds += n; });
  return rounds;
}

std::optional<Place> place_of(const Phases& phases, const Shape& s, int t) {
  std::optional<Place> place;
  for_each_step(phases, s, [&](HybridStep step, int factor, int rounds) {
    if (t >= 0 && t < rounds) place = Place{step, factor, t};
    t -= rounds;
  });
  return place;
}

// The rounds of a ring are the same but for the blocks that they move, if all groups of a factor
// have the same size.
int like(const Phases& phases, const Shape& s, int t) {
  std::int64_t members = 1;
  for (const int factor : s.factors) members *= size_of(factor);
  const auto place = place_of(phases, s, t);
  return members == s.p && place && is_ring(place->step) ? t - place->t : t;
}
// Does so for a schedule whose first round copies the input.
int like_after_copy(const Phases& phases, const Shape& s, int t) {
  return t == 0 ? 0 : 1 + like(phases, s, t - 1);
}

int long_parts(const Shape& s) {
  int parts = 1;
  for (const int factor : s.factors.first(static_cast<std::size_t>(s.cut)))
    parts *= size_of(factor);
  return parts;
}

void step(Round& out, const Hybrid& hybrid, const Phases& phases, const Shape& s, Rank me, int t) {
  if (const auto place = place_of(phases, s, t)) hybrid.emit(out, *place, num(me));
}

// Emits round t of a reduction: one round of local work, then the rounds of the phases.
void reduction(Round& out, const Hybrid& hybrid, const Phases& phases, const Shape& s, Rank me,
               int t, Block vector) {
  if (t > 0) return step(out, hybrid, phases, s, me, t - 1);
  if (hybrid.copies_input(num(me))) out.copy({vector}, {{Buffer::input, 0, vector.count}});
}

constexpr Phases broadcast_phases{{HybridStep::scatter, Factors::long_up},
                                  {HybridStep::broadcast, Factors::short_down},
                                  {HybridStep::collect, Factors::long_down}};
constexpr Phases reduce_phases{{HybridStep::distribute, Factors::long_up},
                               {HybridStep::combine, Factors::short_up},
                               {HybridStep::gather, Factors::long_down}};
constexpr Phases allreduce_phases{{HybridStep::distribute, Factors::long_up},
                                  {HybridStep::combine, Factors::short_up},
                                  {HybridStep::broadcast, Factors::short_down},
                                  {HybridStep::collect, Factors::long_down}};
constexpr Phases allgather_phases{{HybridStep::gather, Factors::short_down},
                                  {HybridStep::broadcast, Factors::short_down},
                                  {HybridStep::collect, Factors::long_down}};
constexpr Phases reduce_scatter_phases{{HybridStep::distribute, Factors::long_up},
                                       {HybridStep::combine, Factors::short_up},
                                       {HybridStep::scatter, Factors::short_up}};

// A scatter meets both lower bounds with trees alone, so its long factors are served like the short
// ones and the cut has no effect.
constexpr Phases scatter_phases{{HybridStep::scatter, Factors::long_up},
                                {HybridStep::scatter, Factors::short_up}};

int broadcast_rounds(const Shape& s) {
  return rounds_of(broadcast_phases, s);
}
Buffers broadcast_buffers(const Shape& s) {
  return {0, long_parts(s), 0, long_parts(s)};
}
void broadcast_emit(Round& out, const Shape& s, Rank me, int t) {
  step(out, {s, Buffer::output, VectorCut::by_long_factors}, broadcast_phases, s, me, t);
}
int broadcast_like(const Shape& s, int t) {
  return like(broadcast_phases, s, t);
}

int reduce_rounds(const Shape& s) {
  return 1 + rounds_of(reduce_phases, s);
}
Buffers reduce_buffers(const Shape& s) {
  return {long_parts(s), long_parts(s), long_parts(s), long_parts(s)};
}
void reduce_emit(Round& out, const Shape& s, Rank me, int t) {
  const Buffer vector = num(me) == s.root ? Buffer::output : Buffer::scratch;
  reduction(out, {s, vector, VectorCut::by_long_factors}, reduce_phases, s, me, t,
            {vector, 0, long_parts(s)});
}
int reduce_like(const Shape& s, int t) {
  return like_after_copy(reduce_phases, s, t);
}

int allreduce_rounds(const Shape& s) {
  return 1 + rounds_of(allreduce_phases, s);
}
Buffers allreduce_buffers(const Shape& s) {
  return {long_parts(s), long_parts(s), 0, long_parts(s)};
}
void allreduce_emit(Round& out, const Shape& s, Rank me, int t) {
  reduction(out, {s, Buffer::output, VectorCut::by_long_factors}, allreduce_phases, s, me, t,
            {Buffer::output, 0, long_parts(s)});
}
int allreduce_like(const Shape& s, int t) {
  return like_after_copy(allreduce_phases, s, t);
}

int allgather_rounds(const Shape& s) {
  return 1 + rounds_of(allgather_phases, s);
}
void allgather_emit(Round& out, const Shape& s, Rank me, int t) {
  if (t == 0) return out.copy({{Buffer::output, num(me)}}, {{Buffer::input, 0}});
  step(out, {s, Buffer::output, VectorCut::by_rank}, allgather_phases, s, me, t - 1);
}
int allgather_like(const Shape& s, int t) {
  return like_after_copy(allgather_phases, s, t);
}

// A last round of local work copies the result to output.
int reduce_scatter_rounds(const Shape& s) {
  return 2 + rounds_of(reduce_scatter_phases, s);
}
void reduce_scatter_emit(Round& out, const Shape& s, Rank me, int t) {
  if (t == reduce_scatter_rounds(s) - 1)
    return out.copy({{Buffer::output, 0}}, {{Buffer::scratch, num(me)}});
  reduction(out, {s, Buffer::scratch, VectorCut::by_rank}, reduce_scatter_phases, s, me, t,
            {Buffer::scratch, 0, s.p});
}
int reduce_scatter_like(const Shape& s, int t) {
  return like_after_copy(reduce_scatter_phases, s, t);
}

void append_part(Blocks& blocks, const Block& part) {
  if (part.count > 0 && part.times > 0) blocks.push_back(part);
}

// Returns the blocks with the rank's own one replaced by output, where it is to stay. The other
// blocks keep their order, because the message has them in that order.
Blocks with_own_in_output(const Blocks& blocks, int rank) {
  Blocks replaced;
  for (const Block& all : blocks) {
    const int run =
        all.times > 1 ? std::clamp((rank - all.first) / all.stride, 0, all.times - 1) : 0;
    const int start = all.first + run * all.stride, place = rank - start;
    if (place < 0 || place >= all.count) {
      replaced.push_back(all);
      continue;
    }
    append_part(replaced, {all.buffer, all.first, all.count, all.stride, run});
    append_part(replaced, {all.buffer, start, place});
    replaced.push_back({Buffer::output, 0});
    append_part(replaced, {all.buffer, rank + 1, all.count - place - 1});
    append_part(replaced,
                {all.buffer, start + all.stride, all.count, all.stride, all.times - run - 1});
  }
  return replaced;
}

// With one rank, one round copies input to output.
int scatter_rounds(const Shape& s) {
  return std::max(1, rounds_of(scatter_phases, s));
}
void scatter_emit(Round& out, const Shape& s, Rank me, int t) {
  const bool at_root = num(me) == s.root;
  const std::size_t before = out.ops.size();
  step(out, {s, at_root ? Buffer::input : Buffer::scratch, VectorCut::by_rank}, scatter_phases, s,
       me, t);
  for (std::size_t i = before; i < out.ops.size(); ++i)
    if (out.ops[i].what == Do::receive)
      out.ops[i].blocks = with_own_in_output(out.ops[i].blocks, num(me));
  if (t == 0 && at_root) out.copy({{Buffer::output, 0}}, {{Buffer::input, s.root}});
}

}  // namespace

// The costs below are bounds where the product of the factors is above p. Where it is p, rounds,
// alpha, beta and gamma are exact (tests/selection). P is the number of members and L the number of
// parts that the long factors make. The sizes of what is left after factor j, in blocks, are w and
// W. The letter m is the largest number of members for which a rank stands.

// broadcast hybrid: scatters along the long factors cut the vector, trees along the short factors
// broadcast the parts, and bucket collects along the long factors join them.
//   Source: paper 001, 3.3 and 3.4
//   Needs:  any p, any root, factors whose product is p or a little more, cut
//   Cost:   rounds <= sum(j, 0, cut-1, f(j) - 1) + sum(j, 0, k-1, ceil_log2(f(j)));
//           messages <= P - 1 + sum(j, 0, cut-1, P*(f(j) - 1));
//           volume <= P - L + sum(j, 0, cut-1,
//           w*(P*(f(j) - 1) + before*floor_div(f(j)*ceil_log2(f(j)), 2)));
//           alpha <= sum(j, 0, cut-1, m*(f(j) - 1)) + sum(j, 0, k-1, m*ceil_log2(f(j)));
//           beta <= sum(j, 0, cut-1, m*2*(f(j) - 1)*w) + sum(j, cut, k-1, m*ceil_log2(f(j)));
//           root <= longest; longest <= alpha*Tc; done <= p;
//           where P = product(j, 0, k-1, f(j)); L = product(j, 0, cut-1, f(j));
//           w = product(l, j+1, cut-1, f(l)); before = product(l, 0, j-1, f(l));
//           m = 1 + min(1, P - p)
constexpr Generator broadcast_hybrid =
    with_like({"hybrid", Operation::broadcast, broadcast_rounds, broadcast_buffers, broadcast_emit,
               HybridGrid::fits, Operators::any, Parameter::factors_and_cut},
              broadcast_like);

// reduce hybrid: distributed combines along the long factors cut the vector into partial sums,
// trees along the short factors combine these, and gathers along the long factors join them.
//   Source: paper 001, 3.3 and 3.4 (combine-to-one)
//   Needs:  any p, any root, factors whose product is p or a little more, cut; commutative operator
//           (rank order for factors of 2 and short ones)
//   Cost:   rounds <= sum(j, 0, cut-1, f(j) - 1) + sum(j, 0, k-1, ceil_log2(f(j)));
//           messages <= P - 1 + sum(j, 0, cut-1, P*(f(j) - 1)); combines (p-1)*L;
//           volume <= P - L + sum(j, 0, cut-1,
//           w*(P*(f(j) - 1) + before*floor_div(f(j)*ceil_log2(f(j)), 2)));
//           alpha <= sum(j, 0, cut-1, m*(f(j) - 1)) + sum(j, 0, k-1, m*ceil_log2(f(j)));
//           beta <= sum(j, 0, cut-1, m*2*(f(j) - 1)*w) + sum(j, cut, k-1, m*ceil_log2(f(j)));
//           gamma <= sum(j, 0, cut-1, m*(f(j) - 1)*w) + sum(j, cut, k-1, m*ceil_log2(f(j)));
//           root <= longest; longest <= alpha*(Tc + To); done <= p;
//           where P = product(j, 0, k-1, f(j)); L = product(j, 0, cut-1, f(j));
//           w = product(l, j+1, cut-1, f(l)); before = product(l, 0, j-1, f(l));
//           m = 1 + min(1, P - p)
constexpr Generator reduce_hybrid =
    with_like({"hybrid", Operation::reduce, reduce_rounds, reduce_buffers, reduce_emit,
               HybridGrid::fits, Operators::commutative, Parameter::factors_and_cut},
              reduce_like);

// allreduce hybrid: distributed combines along the long factors cut the vector into partial sums,
// trees along the short factors combine these to one rank and broadcast them, and bucket collects
// along the long factors join them.
//   Source: paper 001, 3.3 and 3.4 (combine-to-all)
//   Needs:  any p, factors whose product is p or a little more, cut; commutative operator (rank
//           order for factors of 2 and short ones)
//   Cost:   rounds <= sum(j, 0, cut-1, 2*(f(j) - 1)) + sum(j, cut, k-1, 2*ceil_log2(f(j)));
//           messages <= 2*(P - L) + sum(j, 0, cut-1, 2*P*(f(j) - 1)); combines (p-1)*L;
//           volume <= 2*(P - L) + sum(j, 0, cut-1, 2*P*(f(j) - 1)*w);
//           alpha <= sum(j, 0, cut-1, m*2*(f(j) - 1)) + sum(j, cut, k-1, m*2*ceil_log2(f(j)));
//           beta <= sum(j, 0, cut-1, m*2*(f(j) - 1)*w) + sum(j, cut, k-1, m*2*ceil_log2(f(j)));
//           gamma <= sum(j, 0, cut-1, m*(f(j) - 1)*w) + sum(j, cut, k-1, m*ceil_log2(f(j)));
//           root <= longest; longest <= alpha*Tc + sum(j, 0, cut-1, m*(f(j) - 1)*To) +
//           sum(j, cut, k-1, m*ceil_log2(f(j))*To);
//           done <= if(i == 0, 0, p);
//           where P = product(j, 0, k-1, f(j)); L = product(j, 0, cut-1, f(j));
//           w = product(l, j+1, cut-1, f(l)); m = 1 + min(1, P - p)
constexpr Generator allreduce_hybrid =
    with_like({"hybrid", Operation::allreduce, allreduce_rounds, allreduce_buffers, allreduce_emit,
               HybridGrid::fits, Operators::commutative, Parameter::factors_and_cut},
              allreduce_like);

// allgather hybrid: gathers and broadcasts along the short factors join blocks into parts, and
// bucket collects along the long factors join the parts.
//   Source: paper 001, 3.3 and 3.4 (collect)
//   Needs:  any p, factors whose product is p or a little more, cut
//   Cost:   rounds <= sum(j, 0, cut-1, f(j) - 1) + sum(j, cut, k-1, 2*ceil_log2(f(j)));
//           messages <= 2*(P - L) + sum(j, 0, cut-1, P*(f(j) - 1));
//           volume <= (P - L)*S + sum(j, 0, cut-1, P*(f(j) - 1)*W)
//                     + sum(j, cut, k-1, W*before*floor_div(f(j)*ceil_log2(f(j)), 2));
//           alpha <= sum(j, 0, cut-1, m*(f(j) - 1)) + sum(j, cut, k-1, m*2*ceil_log2(f(j)));
//           beta <= sum(j, 0, cut-1, m*(f(j) - 1)*W) +
//           sum(j, cut, k-1, m*((f(j) - 1)*W + S*ceil_log2(f(j)))); root <= longest;
//           longest <= alpha*Tc; done <= p;
//           where P = product(j, 0, k-1, f(j)); L = product(j, 0, cut-1, f(j));
//           S = product(j, cut, k-1, f(j)); W = product(l, j+1, k-1, f(l));
//           before = product(l, 0, j-1, f(l)); m = 1 + min(1, P - p)
constexpr Generator allgather_hybrid =
    with_like({"hybrid", Operation::allgather, allgather_rounds, allgather_buffers, allgather_emit,
               HybridGrid::fits, Operators::any, Parameter::factors_and_cut},
              allgather_like);

// reduce_scatter hybrid: distributed combines along the long factors cut the vector into partial
// sums, and trees and scatters along the short factors combine and spread these.
//   Source: paper 001, 3.3 and 3.4 (distributed combine)
//   Needs:  any p, factors whose product is p or a little more, cut; commutative operator (rank
//           order for factors of 2 and short ones)
//   Cost:   rounds <= sum(j, 0, cut-1, f(j) - 1) + sum(j, cut, k-1, 2*ceil_log2(f(j)));
//           messages <= 2*(P - L) + sum(j, 0, cut-1, P*(f(j) - 1)); combines (p-1)*p;
//           volume <= (P - L)*S + sum(j, 0, cut-1, P*(f(j) - 1)*W)
//                     + sum(j, cut, k-1, W*before*floor_div(f(j)*ceil_log2(f(j)), 2));
//           alpha <= sum(j, 0, cut-1, m*(f(j) - 1)) + sum(j, cut, k-1, m*2*ceil_log2(f(j)));
//           beta <= sum(j, 0, cut-1, m*(f(j) - 1)*W) +
//           sum(j, cut, k-1, m*((f(j) - 1)*W + S*ceil_log2(f(j))));
//           gamma <= sum(j, 0, cut-1, m*(f(j) - 1)*W) + sum(j, cut, k-1, m*S*ceil_log2(f(j)));
//           root <= longest; longest <= alpha*(Tc + To); done <= p;
//           where P = product(j, 0, k-1, f(j)); L = product(j, 0, cut-1, f(j));
//           S = product(j, cut, k-1, f(j)); W = product(l, j+1, k-1, f(l));
//           before = product(l, 0, j-1, f(l)); m = 1 + min(1, P - p)
constexpr Generator reduce_scatter_hybrid = with_like(
    {"hybrid", Operation::reduce_scatter, reduce_scatter_rounds, reduce_scatter_buffers,
     reduce_scatter_emit, HybridGrid::fits, Operators::commutative, Parameter::factors_and_cut},
    reduce_scatter_like);

// scatter hybrid: along the factors in their order, trees send each group the blocks that the group
// and those behind it need, first in the root's column, say, and then in all rows.
//   Source: paper 001, 3.3.1 and 3.3.2
//   Needs:  any p, any root, factors whose product is p or a little more; the cut has no effect
//   Cost:   rounds <= sum(j, 0, k-1, ceil_log2(f(j))); messages <= P - 1;
//           volume <= sum(j, 0, k-1, before*W*floor_div(f(j)*ceil_log2(f(j)), 2));
//           alpha <= sum(j, 0, k-1, m*ceil_log2(f(j))); beta <= sum(j, 0, k-1, m*(f(j) - 1)*W);
//           root <= alpha*Ts; longest <= alpha*Tc; done <= p;
//           where P = product(j, 0, k-1, f(j)); W = product(l, j+1, k-1, f(l));
//           before = product(l, 0, j-1, f(l)); m = 1 + min(1, P - p)
constexpr Generator scatter_hybrid{
    "hybrid",     Operation::scatter, scatter_rounds, tree_scatter_buffers,
    scatter_emit, HybridGrid::fits,   Operators::any, Parameter::factors_and_cut};

// gather hybrid: the messages of the hybrid scatter run backwards; the blocks of a group travel
// together, first in all rows, say, and then in the root's column.
//   Source: paper 001, 3.3.1 and 3.3.2
//   Needs:  any p, any root, factors whose product is p or a little more; the cut has no effect
//   Cost:   rounds <= sum(j, 0, k-1, ceil_log2(f(j))); messages <= P - 1;
//           volume <= sum(j, 0, k-1, before*W*floor_div(f(j)*ceil_log2(f(j)), 2));
//           alpha <= sum(j, 0, k-1, m*ceil_log2(f(j))); beta <= sum(j, 0, k-1, m*(f(j) - 1)*W);
//           root <= alpha*Tc; longest <= alpha*Tc; done <= p;
//           where P = product(j, 0, k-1, f(j)); W = product(l, j+1, k-1, f(l));
//           before = product(l, 0, j-1, f(l)); m = 1 + min(1, P - p)
constexpr Generator gather_hybrid = reverse<scatter_hybrid>("hybrid");

}  // namespace tutti::algorithms
