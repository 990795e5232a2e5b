// SPDX-License-Identifier: BSD-3-Clause
// Complete exchanges that handle one digit of the ranks after the other. Ranks are written in mixed
// radix. The exchange of a digit passes every block to the rank that has the block's digit there
// and otherwise the same digits.
//
// So a block lies at an index made of its destination's digits where they have not been exchanged
// yet, and of its origin's digits where they have. Nothing is ever shuffled. With p as the only
// digit each block travels straight to its rank.
#include <algorithm>

#include "algorithms/families.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

struct Digit {
  Int stride;  // product of the factors below
  Int factor;
  Int of(Int rank) const { return rank / stride % factor; }
  // Returns all indices below p with this value of the digit.
  Blocks with(Int value, Buffer buffer, Int p) const {
    return {{buffer, value * stride, stride, stride * factor, p / (stride * factor)}};
  }
};

// The ranks that meet in step u: those whose digits differ by u bit by bit (pairs), or each rank
// and the one whose digit is u above, cyclically.
enum class Meeting { pairs, cyclic };

// Emits step u, 1 <= u < factor, of the exchange of one digit. The first exchange takes the blocks
// from input. Blocks that arrive before the blocks of the same indices have been sent wait in
// scratch. Copies end the round, because receives behind them would wait for them, and so for the
// sends before them.
void exchange(Round& out, Int p, Int me, const Digit& digit, Meeting meeting, Int u,
              Buffer source) {
  const bool cyclic = meeting == Meeting::cyclic;
  const Int mine = digit.of(me);
  if (p == 1) return out.copy({{Buffer::output, 0}}, {{Buffer::input, 0}});
  const Int to = cyclic ? mod(mine + u, digit.factor) : mine ^ u;
  const Int from = cyclic ? mod(mine - u, digit.factor) : to;
  const bool early = cyclic && 2 * u < digit.factor, waiting = cyclic && 2 * u > digit.factor;
  out.send(digit.with(to, source, p), Rank{me + (to - mine) * digit.stride});
  out.receive(digit.with(from, early ? Buffer::scratch : Buffer::output, p),
              Rank{me + (from - mine) * digit.stride});
  if (waiting) out.copy(digit.with(to, Buffer::output, p), digit.with(to, Buffer::scratch, p));
  if (source == Buffer::input && u == 1)
    out.copy(digit.with(mine, Buffer::output, p), digit.with(mine, source, p));
}

bool is_power_of_two(Int n) {
  return bit_floor(n) == n;
}
Meeting natural(Int factor) {
  return is_power_of_two(factor) ? Meeting::pairs : Meeting::cyclic;
}

Buffers with_scratch(const Shape& s) {
  return {s.p, s.p, s.p, s.p};
}
Buffers without_scratch(const Shape& s) {
  return {s.p, s.p, 0, s.p};
}
Buffers scratch_if_cyclic(const Shape& s) {
  return is_power_of_two(s.p) ? without_scratch(s) : with_scratch(s);
}

Int others(const Shape& s) {
  return std::max<Int>(1, s.p - 1);
}
void linear_emit(Round& out, const Shape& s, Rank me, Int t) {
  exchange(out, s.p, num(me), {1, s.p}, Meeting::cyclic, t + 1, Buffer::input);
}
// A block that arrives before the block of its index is sent waits in scratch until then.
Held linear_held(const Shape& s, Rank rank, Int t, Int part) {
  const Int me = num(rank), p = s.p, other = part < p ? part : part - p;
  const Int above = mod(other - me, p);  // the block for the other is sent in round above - 1
  if (part < p) return t < above ? held(Buffer::input, other) : nothing_held();
  if (other == me) return held(t == 0 ? Buffer::input : Buffer::output, me);
  if (t < p - above) return nothing_held();
  return held(t < above ? Buffer::scratch : Buffer::output, other);
}
void pairwise_emit(Round& out, const Shape& s, Rank me, Int t) {
  exchange(out, s.p, num(me), {1, s.p}, natural(s.p), t + 1, Buffer::input);
}
Held pairwise_held(const Shape& s, Rank rank, Int t, Int part) {
  if (!is_power_of_two(s.p)) return linear_held(s, rank, t, part);
  const Int me = num(rank), other = part < s.p ? part : part - s.p;
  if (other == me)
    return part < s.p ? nothing_held() : held(t == 0 ? Buffer::input : Buffer::output, me);
  const bool met = t >= (other ^ me);
  if (part < s.p) return met ? nothing_held() : held(Buffer::input, other);
  return met ? held(Buffer::output, other) : nothing_held();
}

bool on_a_cube(const Shape& s) {
  return is_power_of_two(s.p);
}
Int dimensions(const Shape& s) {
  return std::max<Int>(1, ceil_log2(s.p));
}
void standard_emit(Round& out, const Shape& s, Rank me, Int t) {
  exchange(out, s.p, num(me), {std::max<Int>(1, s.p >> (t + 1)), std::min<Int>(s.p, 2)},
           Meeting::pairs, 1, t == 0 ? Buffer::input : Buffer::output);
}

bool factors_make_p(const Shape& s) {
  Wide product = 1;
  for (const int factor : s.factors) {
    if (factor < 2 || factor > s.p / product) return false;
    product *= factor;
  }
  return product == s.p;
}
Int steps_of_all(const Shape& s) {
  int steps = 0;
  for (const int factor : s.factors) steps += factor - 1;
  return std::max(1, steps);
}
void multiphase_emit(Round& out, const Shape& s, Rank me, Int t) {
  if (s.p == 1) return exchange(out, 1, 0, {1, 1}, Meeting::pairs, 1, Buffer::input);
  std::size_t phase = s.factors.size() - 1;
  Int step = t, stride = s.p / s.factors[phase];
  while (step >= s.factors[phase] - 1) {
    step -= s.factors[phase] - 1;
    stride = stride / s.factors[--phase];
  }
  const int factor = s.factors[phase];
  exchange(out, s.p, num(me), {stride, factor}, natural(factor), step + 1,
           phase + 1 == s.factors.size() ? Buffer::input : Buffer::output);
}

}  // namespace

// alltoall linear: in step u everybody sends to the rank u above, cyclically.
//   Source: paper 004, 4.1, procedure linear, figure 7
//   Needs:  any p
//   Cost:   rounds p-1; messages p*(p-1); volume p*(p-1); alpha p-1; beta p-1;
//           root longest; longest (p-1)*Tc; done if(i == p-2, p, 0)
constexpr Generator alltoall_linear = with_ranks_alike(with_invariant(
    {"linear", Operation::alltoall, others, with_scratch, linear_emit, any_shape, Operators::any},
    {linear_held}));

// alltoall pairwise: in step u ranks that differ by u, bit by bit, exchange their blocks; where p
// is no power of two everybody sends to the rank u above and receives from the rank u below.
//   Source: paper 004, 4.1, procedure pairwise (not its figure 8)
//   Needs:  any p
//   Cost:   rounds p-1; messages p*(p-1); volume p*(p-1); alpha p-1; beta p-1;
//           root longest; longest (p-1)*Tc; done if(i == p-2, p, 0)
constexpr Generator alltoall_pairwise = with_ranks_alike(
    with_invariant({"pairwise", Operation::alltoall, others, scratch_if_cyclic, pairwise_emit,
                    any_shape, Operators::any, Parameter::none, "pairwise_exchange"},
                   {pairwise_held}));

// alltoall standard: neighbours along each dimension of a hypercube, the highest first, exchange
// half of all blocks.
//   Source: paper 004, 4.3, procedure standard, without its shuffles
//   Needs:  p a power of two
//   Cost:   rounds d; messages p*d; volume p*half*d; alpha d; beta half*d;
//           root longest; longest d*Tc; done if(i == d-1, p, 0);
//           where d = ceil_log2(p); half = floor_div(p, 2)
constexpr Generator alltoall_standard =
    with_ranks_alike({"standard", Operation::alltoall, dimensions, without_scratch, standard_emit,
                      on_a_cube, Operators::any, Parameter::none, "standard_exchange"});

// alltoall multiphase: for each factor, the last one first, the ranks that differ in that digit
// only do a pairwise exchange. If all factors are 2 this is the standard exchange; if p is the only
// factor it is the pairwise one.
//   Source: paper 004, 7; Bokhari, Multiphase complete exchange on a circuit switched hypercube,
//           ICASE 91-5; here for any factors
//   Needs:  p the product of factors, each at least 2
//   Cost:   rounds steps; messages p*steps; volume p*beta; alpha steps;
//           beta sum(j, 0, k-1, p - floor_div(p, f(j))); root longest; longest steps*Tc;
//           done if(i == steps-1, p, 0);
//           where steps = sum(j, 0, k-1, f(j)-1)
constexpr Generator alltoall_multiphase{"multiphase",   Operation::alltoall, steps_of_all,
                                        with_scratch,   multiphase_emit,     factors_make_p,
                                        Operators::any, Parameter::factors};

}  // namespace tutti::algorithms
