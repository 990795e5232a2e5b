// SPDX-License-Identifier: BSD-3-Clause
// The complete exchange of Bruck and others, which sends few messages of many blocks each, for any
// number of ranks.
#include <algorithm>
#include <cstdint>

#include "algorithms/families.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

// The messages of a complete exchange in radix k. Block i of a rank has i ranks to travel upwards,
// cyclically. It travels by the digits of i in radix k, the lowest first: a digit z of weight w
// takes it to the rank z*w above.
struct Radix {
  int p, k;
  // The radix is at most p - 1, because a larger one takes as many messages.
  explicit Radix(const Shape& s) : p(s.p), k(std::max(2, 1 + std::min(s.branches, s.p - 2))) {}

  struct Message {
    int weight, digit;
  };
  // Number of values other than 0 that the digit of a weight can have in a block's number.
  int digits(int weight) const { return std::min(k - 1, (p - 1) / weight); }
  bool highest(int weight) const { return weight > (p - 1) / k; }
  Message message(int t) const {
    int weight = 1;
    for (; t >= digits(weight); weight *= k) t -= digits(weight);
    return {weight, t + 1};
  }
  int messages() const {
    int count = 0, weight = 1;
    for (; !highest(weight); weight *= k) count += digits(weight);
    return count + digits(weight);
  }

  // Returns all block numbers i < p that have the digit m.digit at m.weight. They form runs of
  // m.weight numbers, the last of which may be cut short.
  Blocks in_scratch(const Message& m) const {
    const int first = m.digit * m.weight, period = highest(m.weight) ? p : m.weight * k;
    const int more = (p - 1 - first) / period, last = first + more * period;
    Blocks blocks{{Buffer::scratch, last, std::min(m.weight, p - last)}};
    if (more > 0) blocks.insert(blocks.begin(), {Buffer::scratch, first, m.weight, period, more});
    return blocks;
  }
  // Returns `count` indices from `first` on, `step` apart, modulo p.
  Blocks around(Buffer buffer, int first, int step, int count) const {
    const int start = mod(first, p),
              before = std::min(count, step > 0 ? (p - 1 - start) / step + 1 : start / -step + 1);
    Blocks blocks{{buffer, start, 1, step, before}};
    if (count > before)
      blocks.push_back({buffer, mod(start + before * step, p), 1, step, count - before});
    return blocks;
  }
};

int rounds(const Shape& s) {
  return s.p == 1 ? 1 : Radix(s).messages();
}
Buffers buffers(const Shape& s) {
  return {s.p, s.p, s.p, s.p};
}
bool has_radix(const Shape& s) {
  return s.branches >= 1;
}

// Moves the blocks (Radix explains digit and weight). Messages of weight 1 send from input, all
// later ones from scratch; round 0 copies the blocks whose lowest digit is 0 there. Messages of the
// highest weight are received in output, in the order of their origins. The last round copies the
// blocks that arrived earlier from scratch to output.
void emit(Round& out, const Shape& s, Rank rank, int t) {
  const Radix radix(s);
  const int me = num(rank), p = s.p, k = radix.k;
  if (p == 1) return out.copy({{Buffer::output, 0}}, {{Buffer::input, 0}});
  const Radix::Message m = radix.message(t);
  const int distance = m.digit * m.weight;
  Blocks sent = radix.in_scratch(m), received = sent;
  if (m.weight == 1) sent = radix.around(Buffer::input, me + m.digit, k, (p - 1 - m.digit) / k + 1);
  if (radix.highest(m.weight))
    received = radix.around(Buffer::output, me - distance, -1, std::min(m.weight, p - distance));
  out.send(std::move(sent), Rank{mod(me + distance, p)});
  out.receive(std::move(received), Rank{mod(me - distance, p)});
  if (t == 0) out.copy({{Buffer::output, me}}, {{Buffer::input, me}});
  if (const int zeros = (p - 1) / k; t == 0 && zeros > 0)
    out.copy({{Buffer::scratch, k, 1, k, zeros}}, radix.around(Buffer::input, me + k, k, zeros));
  if (t == radix.messages() - 1 && m.weight > 1)
    out.copy(radix.around(Buffer::output, me - 1, -1, m.weight - 1),
             {{Buffer::scratch, 1, m.weight - 1}});
}

}  // namespace

// alltoall bruck: the distance that each block has to travel is written in radix branches + 1; all
// blocks with the same digit at a place travel the distance of this digit in one message.
//   Source: Bruck, Ho, Kipnis, Upfal, Weathersby, Efficient algorithms for all-to-all
//           communications in multiport message-passing systems, 1997
//   Needs:  any p, branches >= 1 (the radix is branches + 1)
//   Cost:   rounds sum(j, 0, places-1, min(Nb, floor_div(p-1, pow(r, j)))); messages p*rounds;
//           volume p*beta; alpha rounds;
//           beta sum(j, 0, places-1, p - floor_div(p, pow(r, j+1))*pow(r, j) -
//           min(mod(p, pow(r, j+1)), pow(r, j))); root longest; longest rounds*Tc;
//           done if(i == rounds-1, p, 0);
//           where r = Nb + 1; places = ceil_log(r, p)
constexpr Generator alltoall_bruck{
    "bruck", Operation::alltoall, rounds,         buffers,
    emit,    has_radix,           Operators::any, Parameter::branches};

}  // namespace tutti::algorithms
