// SPDX-License-Identifier: BSD-3-Clause
// The allreduce in which both partners of a pair exchange everything they have.
#include "algorithms/families.hpp"
#include "algorithms/fold.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

const Block input{Buffer::input, 0};
const Block output{Buffer::output, 0};

Int rounds(const Shape& s) {
  const Fold fold(s.p);
  const Int steps = ceil_log2(fold.cores) + (fold.folded > 0 ? 2 : 0);
  return s.p == 1 ? 1 : steps;
}

Buffers buffers(const Shape&) {
  return {1, 1, 0};
}

void exchange(Round& out, const Fold& fold, Int me, Int step) {
  const Int partner = fold.rank_of(fold.core_of(me) ^ (1 << step));
  const Block mine = step == 0 && !fold.is_pair(me) ? input : output;  // nothing combined so far
  out.send({mine}, Rank{partner});
  if (partner < me) {
    out.receive_combine({output}, {remote(Rank{partner}), local({mine})});
  } else {
    out.receive_combine({output}, {local({mine}), remote(Rank{partner})});
  }
}

void emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Fold fold(s.p);
  const Int me = num(rank), steps = ceil_log2(fold.cores);
  const bool folded = fold.is_folded(me);
  if (s.p == 1) return out.copy({output}, {input});
  const Int step = fold.folded > 0 ? t - 1 : t;
  if (step >= 0 && step < steps) {
    if (!folded) exchange(out, fold, me, step);
    return;
  }
  if (!fold.is_pair(me)) return;
  if (step < 0) {
    if (folded) return out.send({input}, Rank{me - 1});
    return out.receive_combine({output}, {local({input}), remote(Rank{me + 1})});
  }
  if (folded) return out.receive({output}, Rank{me - 1});
  out.send({output}, Rank{me + 1});
}

// Before step i a core has the sum of the 2^i neighbouring cores that agree with it in all but the
// low i bits, and of the ranks that are folded into these.
Held exchanged(const Shape& s, Rank rank, Int t, Int) {
  const Fold fold(s.p);
  const Int me = num(rank), step = fold.folded > 0 ? t - 1 : t;
  if (s.p == 1) return held_sum(t == 0 ? Buffer::input : Buffer::output, 0, 0, 1);
  if (t == 0) return held_sum(Buffer::input, 0, me, me + 1);
  if (step > ceil_log2(fold.cores)) return held_sum(Buffer::output, 0, 0, s.p);
  if (fold.is_folded(me)) return nothing_held();
  const Int size = 1 << step, first = fold.core_of(me) & -size;
  return held_sum(step == 0 && !fold.is_pair(me) ? Buffer::input : Buffer::output, 0,
                  fold.rank_of(first), fold.rank_of(first + size));
}

}  // namespace

// allreduce bidirectional_exchange: pairs at distance 1, 2, 4, ... exchange and combine what they
// have; ranks beyond the power of two are folded into their left neighbour before and get the
// result from it after.
//   Source: paper 000, 5.4.2, figure 39 (TOP = 'h'); pairs 2i+1 -> 2i fold instead of the paper's
//           top ranks
//   Needs:  any p
//   Cost:   rounds floor_log2(p) + 2*rest; volume messages;
//           messages cores*floor_log2(p) + 2*(p - cores);
//           combines cores*floor_log2(p) + p - cores; alpha rounds; beta rounds;
//           gamma floor_log2(p) + rest; root <= longest;
//           longest floor_log2(p)*(Tc + To) + rest*(2*Tc + To);
//           done if(i == rounds-1, p, if(i == rounds-2, rest*(2*cores - p), 0));
//           where cores = pow(2, floor_log2(p)); rest = if(p == cores, 0, 1)
constexpr Generator allreduce_bidirectional_exchange =
    with_invariant({"bidirectional_exchange", Operation::allreduce, rounds, buffers, emit,
                    any_shape, Operators::any, Parameter::none, "bidirectional recursive_doubling"},
                   {exchanged});

}  // namespace tutti::algorithms
