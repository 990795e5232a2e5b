// SPDX-License-Identifier: BSD-3-Clause
// Broadcast of a vector in K blocks through the circulant graph (circulant.hpp), and reduction,
// which is the broadcast reversed. Once a rank has received its first block, it receives one block
// in each round, so K blocks take only K - 1 rounds more than one. Each rank computes in O(log p)
// steps which block comes from which neighbour. Ranks are numbered from the root, which has number
// 0.
#include <algorithm>
#include <array>

#include "algorithms/circulant.hpp"
#include "algorithms/families.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

constexpr int longest_search = 32;  // ceil_log2 of any int, and one

// The blocks that a rank receives in q = ceil_log2(p) consecutive rounds, counted from the block
// that has reached all ranks. One of them is new: its base block, >= 0. The other q - 1 are blocks
// that the root sent earlier: < 0.
class Schedule {
 public:
  Schedule(int p, int number) : q_(ceil_log2(p)), end_(number + p), last_(2 * p) {
    skip_[at(q_)] = p;
    for (int k = q_; k > 0; --k) skip_[at(k - 1)] = (skip_[at(k)] + 1) / 2;
    for (int e = 0; e <= q_; ++e) next_[at(e)] = e - 1;
    base_ = base_block(number);
    unlink(base_);
    search(0, first());
    for (int k = 0; k < q_; ++k) found_[at(k)] = found_[at(k)] == q_ ? base_ : found_[at(k)] - q_;
  }
  int operator[](int k) const { return found_[at(k)]; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // Returns the index of the last distance on the shortest path to the root whose distances fall.
  int base_block(int number) const {
    for (int k = q_ - 1; k >= 0; --k) {
      if (number == skip_[at(k)]) return k;
      if (number > skip_[at(k)]) number -= skip_[at(k)];
    }
    return q_;
  }

  int first() const { return base_ == q_ ? q_ - 1 : q_; }
  void unlink(int e) {
    for (int before = e + 1; before <= q_; ++before) {
      if (next_[at(before)] == e) next_[at(before)] = next_[at(e)];
    }
  }

  // For each k in turn, takes the path from the root with the most recent block that can have
  // arrived at the neighbour at distance skip(p, k).
  void search(int base, int e) {
    for (; e >= 0 && count_ < q_; e = next_[at(e)]) {
      const int here = base + skip_[at(e)];
      if (here > end_ - skip_[at(count_)] || here >= last_) continue;
      if (here <= end_ - skip_[at(count_ + 1)]) search(here, next_[at(e)]);
      if (count_ == q_ || base > end_ - skip_[at(count_ + 1)]) return;
      if (here > end_ - skip_[at(count_)]) continue;
      last_ = here;
      found_[at(count_++)] = e;
      unlink(e);
    }
  }

  int q_, end_, last_, base_ = 0;
  int count_ = 0;
  std::array<int, longest_search> skip_, next_, found_;  // only the first q_ + 1 are used
};

int rounds(const Shape& s) {
  return s.p == 1 ? 0 : s.segments - 1 + ceil_log2(s.p);
}
Buffers buffers(const Shape& s) {
  return {0, s.segments, 0, s.segments};
}
bool has_segments(const Shape& s) {
  return s.segments >= 1;
}

// Returns the block that rank `number` receives in round t, or -1. Block numbers beyond the last
// one stand for the last block, which is received only once.
int received(const Shape& s, int number, int t) {
  const int q = ceil_log2(s.p), last = s.segments - 1, start = mod(-last, q), i = start + t;
  if (number == 0) return -1;
  const Schedule blocks(s.p, number);
  const auto block_in = [&](int round) { return blocks[round % q] + round / q * q - start; };
  if (block_in(i) < last) return std::max(-1, block_in(i));
  for (int before = std::max(start, i - q); before < i; ++before) {
    if (block_in(before) >= last) return -1;
  }
  return last;
}

void emit(Round& out, const Shape& s, Rank me, int t) {
  const int q = ceil_log2(s.p), distance = skip(s.p, (mod(1 - s.segments, q) + t) % q);
  const int to = mod(num(me) + distance, s.p), from = mod(num(me) - distance, s.p);
  if (const int block = received(s, to, t); block >= 0)
    out.send({{Buffer::output, block}}, Rank{to});
  if (const int block = received(s, num(me), t); block >= 0)
    out.receive({{Buffer::output, block}}, Rank{from});
}

// The neighbours repeat every q rounds. From the second such period on, until the last block has
// been sent, every rank but the root receives a block in each round.
int like(const Shape& s, int t) {
  const int q = ceil_log2(s.p), last = s.segments - 1, start = mod(-last, q), i = start + t;
  const int period = i / q * q;
  return period >= 2 * q && period + q - 1 - start < last ? 2 * q + i % q - start : t;
}

constexpr Generator numbered = with_like({"circulant", Operation::broadcast, rounds, buffers, emit,
                                          has_segments, Operators::any, Parameter::segments},
                                         like);
constexpr Generator numbered_back = reverse<numbered>("circulant");

}  // namespace

// broadcast circulant: the root sends a new block every round, to a neighbour at each of the
// distances of the circulant graph in turn; everybody else passes on one block and receives one.
//   Source: Traeff, Optimal broadcast schedules in logarithmic time with applications to broadcast,
//           all-broadcast, reduction and all-reduction, 2024
//   Needs:  any p, any root, segments >= 1
//   Cost:   rounds K - 1 + ceil_log2(p); messages K*(p-1); volume K*(p-1); alpha rounds;
//           beta rounds; root rounds*Ts; longest <= rounds*Tc;
//           done if(i == rounds-1, p, if(K == 1, if(i == rounds-2, mod(p, 2), 0), 0))
constexpr Generator broadcast_circulant =
    map_ranks<numbered, distance_from_root, rank_at_distance>("circulant");

// reduce circulant: the messages of the circulant broadcast run backwards; every rank combines what
// it receives with its own blocks.
//   Source: Traeff, Optimal broadcast schedules in logarithmic time with applications to broadcast,
//           all-broadcast, reduction and all-reduction, 2024
//   Needs:  any p, any root, segments >= 1; commutative operator
//   Cost:   rounds K - 1 + ceil_log2(p); messages K*(p-1); volume K*(p-1); combines K*(p-1);
//           alpha rounds; beta rounds; gamma rounds; root rounds*(Tc + To); longest root;
//           done <= if(i == rounds-1, p, if(i >= K-1, p - ceil_div(p, pow(2, i+2-K)), 0))
constexpr Generator reduce_circulant =
    map_ranks<numbered_back, distance_from_root, rank_at_distance>("circulant",
                                                                   Operators::commutative);

}  // namespace tutti::algorithms
