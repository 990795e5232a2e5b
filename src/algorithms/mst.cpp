// SPDX-License-Identifier: BSD-3-Clause
// Minimum spanning trees by recursive halving of the rank interval, and the algorithms that follow
// from them by reversal. Every subtree is an interval of ranks, for every root. So no two messages
// of a round cross a link of a line, and reductions keep the rank order.
#include <algorithm>
#include <optional>

#include "algorithms/families.hpp"
#include "algorithms/interval_halving.hpp"
#include "algorithms/vectors.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

// Returns the halving of round t that concerns rank `me`, if there is one.
std::optional<IntervalHalving> halving_of(const Shape& s, Rank me, Int t, LeftHalf left_half) {
  return halving_of_round(s.p, s.root, num(me), t, left_half);
}

Int broadcast_rounds(const Shape& s) {
  return ceil_log2(s.p);
}
Buffers broadcast_buffers(const Shape&) {
  return {0, 1, 0};
}

void broadcast_emit(Round& out, const Shape& s, Rank me, Int t) {
  const auto halving = halving_of(s, me, t, folded_half);
  if (!halving) return;
  if (num(me) == halving->holder) out.send({{Buffer::output, 0}}, Rank{halving->child});
  if (num(me) == halving->child) out.receive({{Buffer::output, 0}}, Rank{halving->holder});
}

// A rank has the data once it is the holder of its interval, in which no other rank has it.
Held spread(const Shape& s, Rank me, Int t, Int) {
  const RankInterval mine = interval_of_round(s.p, s.root, num(me), t, folded_half);
  return mine.holder == num(me) ? held_sum(Buffer::output, 0, mine.low, mine.high) : nothing_held();
}

// With one rank, one round copies input to output.
Int scatter_rounds(const Shape& s) {
  return std::max<Int>(1, ceil_log2(s.p));
}

// The child receives its own block in output and the other blocks of its half in scratch, to pass
// them on.
void scatter_emit(Round& out, const Shape& s, Rank me, Int t) {
  if (const auto halving = halving_of(s, me, t, balanced_half)) {
    const auto [low, middle, high, holder, child] = *halving;
    const Int first = child == middle ? middle : low;
    const Int count = child == middle ? high - middle : middle - low;
    if (num(me) == holder)
      out.send({{holder == s.root ? Buffer::input : Buffer::scratch, first, count}}, Rank{child});
    if (num(me) == child) {
      Blocks blocks{{Buffer::output, 0}};
      if (count > 1) blocks.push_back({Buffer::scratch, first + 1, count - 1});
      out.receive(std::move(blocks), Rank{holder});
    }
  }
  if (t == 0 && num(me) == s.root) out.copy({{Buffer::output, 0}}, {{Buffer::input, s.root}});
}

// A block is with the holder of the interval that its rank is in. The root has the blocks in input,
// except for its own, which it copies.
Held scattered(const Shape& s, Rank rank, Int t, Int block) {
  const Int me = num(rank);
  const RankInterval mine = interval_of_round(s.p, s.root, me, t, balanced_half);
  if (mine.holder != me || block < mine.low || block >= mine.high) return nothing_held();
  if (block == me && (t > 0 || me != s.root)) return held(Buffer::output, 0);
  return held(me == s.root ? Buffer::input : Buffer::scratch, block);
}

constexpr const char* tree_names = "minimum_spanning_tree short";

}  // namespace

// broadcast mst: the interval of ranks is halved and the rank that has the data sends them to the
// first rank of the other half; both halves go on in the same way.
//   Source: paper 001, 3.1.1
//   Needs:  any p, any root
//   Cost:   rounds ceil_log2(p); messages p-1; volume p-1; alpha ceil_log2(p); beta ceil_log2(p);
//           root <= ceil_log2(p)*Ts; longest <= ceil_log2(p)*Tc;
//           done if(i == rounds-1, p, if(i == floor_log2(p)-1, 2*pow(2, floor_log2(p)) - p, 0))
constexpr Generator broadcast_mst =
    with_invariant({"mst", Operation::broadcast, broadcast_rounds, broadcast_buffers,
                    broadcast_emit, any_shape, Operators::any, Parameter::none, tree_names},
                   {spread});

// reduce mst: the messages of the mst broadcast run backwards; a half that is complete is combined
// with the other one, in rank order.
//   Source: paper 001, 3.1.1 (combine-to-one)
//   Needs:  any p, any root
//   Cost:   rounds ceil_log2(p); messages p-1; volume p-1; combines p-1;
//           alpha ceil_log2(p); beta ceil_log2(p); gamma ceil_log2(p);
//           root <= ceil_log2(p)*(Tc + To); longest ceil_log2(p)*(Tc + To);
//           done if(i == rounds-1, p, p - pow(2, rounds-1-i))
constexpr Generator reduce_mst = with_aliases(reverse<broadcast_mst>("mst"), tree_names);

// allreduce mst: a tree combines all vectors to the root, then the same tree broadcasts the result.
//   Source: paper 001, 3.1.1; paper 000, 5.4.1
//   Needs:  any p, any root
//   Cost:   rounds 2*ceil_log2(p); messages 2*(p-1); volume 2*(p-1); combines p-1;
//           alpha 2*ceil_log2(p); beta 2*ceil_log2(p); gamma ceil_log2(p);
//           root <= ceil_log2(p)*(Tc + To + Ts); longest <= ceil_log2(p)*(2*Tc + To);
//           done if(i == rounds-1, p, if(i == ceil_log2(p)+l-1, 2*pow(2, l) - p, 0));
//           where l = floor_log2(p)
constexpr Generator allreduce_mst =
    with_aliases(then<reduce_mst, broadcast_mst>("mst"), tree_names);

// scatter mst: the interval of ranks is halved and its holder sends the blocks of the other half,
// never the larger one, to the first rank there; both halves go on in the same way.
//   Source: paper 001, 3.1.1
//   Needs:  any p, any root
//   Cost:   rounds ceil_log2(p); messages p-1; volume <= floor_div(p*ceil_log2(p), 2);
//           alpha ceil_log2(p); beta p-1; root ceil_log2(p)*Ts;
//           longest l*Tc + if(2*p >= 3*pow(2, l), 1, 0)*Ts;
//           done if(i == rounds-1, p, if(i == l-1, 2*pow(2, l) - p, 0));
//           where l = floor_log2(p)
constexpr Generator scatter_mst =
    with_invariant({"mst", Operation::scatter, scatter_rounds, tree_scatter_buffers, scatter_emit,
                    any_shape, Operators::any, Parameter::none, tree_names},
                   {scattered});

// gather mst: the messages of the mst scatter run backwards; the blocks of a half travel together
// to the root.
//   Source: paper 001, 3.1.1
//   Needs:  any p, any root
//   Cost:   rounds ceil_log2(p); messages p-1; volume <= floor_div(p*ceil_log2(p), 2);
//           alpha ceil_log2(p); beta p-1; root ceil_log2(p)*Tc; longest root;
//           done if(i == rounds-1, p, p - pow(2, rounds-1-i))
constexpr Generator gather_mst = with_aliases(reverse<scatter_mst>("mst"), tree_names);

}  // namespace tutti::algorithms
