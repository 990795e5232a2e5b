// SPDX-License-Identifier: BSD-3-Clause
// Schedules that are tables. Tests draw them at random and give them to transforms.
#pragma once

#include <random>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::schedule::drawn {

// The Programs of all ranks.
using Programs = std::vector<Program>;

struct Table {
  Buffers buffers;
  std::vector<Programs> of_root;
  [[nodiscard]] const Programs& programs(const Shape& shape) const {
    return of_root[static_cast<std::size_t>(shape.root) % of_root.size()];
  }
};

// A transform takes a generator that is known at compile time, so the tables have numbers.
template <int n>
inline Table table;

template <int n>
int rounds(const Shape& shape) {
  return static_cast<int>(table<n>.programs(shape).front().size());
}
template <int n>
Buffers buffers(const Shape&) {
  return table<n>.buffers;
}
template <int n>
void emit(Round& out, const Shape& shape, Rank me, int t) {
  const Program& program = table<n>.programs(shape)[static_cast<std::size_t>(num(me))];
  // Programs of roots may differ in length.
  if (t < 0 || t >= static_cast<int>(program.size())) return;
  for (const Op& op : program[static_cast<std::size_t>(t)].ops) out.ops.push_back(op);
}
constexpr bool always(const Shape&) {
  return true;
}

template <int n, Operation operation>
constexpr Generator generator{
    "drawn", operation, rounds<n>, buffers<n>, emit<n>, always, Operators::commutative};

// Says what a drawn broadcast may do beside sending blocks to ranks that do not have them.
struct Liberties {
  bool again = false;    // send blocks to ranks that have them
  bool scratch = false;  // receive into scratch and copy from there
};

// Draws `rounds` rounds in which ranks send each other blocks that they hold, until all are
// everywhere or the rounds end. So the schedule may be no broadcast.
[[nodiscard]] Programs draw_broadcast(std::mt19937& random, int p, int root, int blocks, int rounds,
                                      Liberties liberties);
// Draws rounds in which blocks wander from the root to their ranks. If `copies`, a rank may send a
// block again that it has sent.
[[nodiscard]] Programs draw_scatter(std::mt19937& random, int p, int root, int rounds, bool copies);

}  // namespace tutti::schedule::drawn
