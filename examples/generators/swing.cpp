// SPDX-License-Identifier: BSD-3-Clause
// The allreduce of swing.c in C++.
//
//   c++ -std=c++20 -shared -fPIC swing.cpp -o swing.so $(pkg-config --cflags tutti)
//   TUTTI_GENERATORS=./swing.so tutti verify allreduce --algorithm swing
#include <tutti/tutti_generator.hpp>

#include <bit>

namespace {

using tutti::Blocks;

int steps(int p) {
  return std::countr_zero(static_cast<unsigned>(p));
}

// Returns the partner of rank r in step s, at distance 1, 1, 3, 5, 11, ... to alternating sides.
int partner(int p, int r, int s) {
  int distance = 0, term = 1;
  for (int i = 0; i <= s; ++i, term *= -2) distance += term;
  return (((r % 2 == 0 ? r + distance : r - distance) % p) + p) % p;
}

// Appends the blocks whose sums rank r still has, or passes on, from step s on.
void append_reached(Blocks& list, int p, int r, int s, tutti_buffer buffer) {
  list.push_back({buffer, r, 1, 0, 1});
  for (; s < steps(p); ++s) append_reached(list, p, partner(p, r, s), s + 1, buffer);
}
Blocks reached(int p, int r, int s, tutti_buffer buffer) {
  Blocks list;
  append_reached(list, p, r, s, buffer);
  return list;
}

class Swing : public tutti::Generator {
  bool applies(const tutti_schedule_shape& shape) const override {
    return shape.p > 1 && std::has_single_bit(static_cast<unsigned>(shape.p));
  }
  int rounds(const tutti_schedule_shape& shape) const override { return 2 * steps(shape.p); }
  int parts(const tutti_schedule_shape& shape) const override { return shape.p; }
  void emit(tutti::ScheduleRound& out, const tutti_schedule_shape& shape, int me,
            int t) const override {
    const int p = shape.p, q = steps(p), s = t < q ? t : 2 * q - 1 - t;
    const int other = partner(p, me, s);
    const tutti_buffer from = t == 0 ? TUTTI_INPUT : TUTTI_OUTPUT;
    if (t < q) {  // scatter the sums: the partner gets those that it leads to
      out.send(reached(p, other, s + 1, from), other);
      out.receive_combine(reached(p, me, s + 1, TUTTI_OUTPUT),
                          {reached(p, me, s + 1, from), tutti::from(other)});
    } else {  // collect them on the way back
      out.send(reached(p, me, s + 1, TUTTI_OUTPUT), other);
      out.receive(reached(p, other, s + 1, TUTTI_OUTPUT), other);
    }
  }
};

}  // namespace

void tutti_generators(tutti_registrar* registrar) {
  static Swing swing;
  tutti::add(
      registrar, swing,
      {.name = "swing",
       .operation = TUTTI_OP_ALLREDUCE,
       .about = "partners at distances 1, 1, 3, 5, 11, ... scatter the sums and collect them",
       .source = "De Sensi, Bonato, Saam, Hoefler, Swing, NSDI 2024",
       .needs = "a power of two",
       .flags = TUTTI_COMMUTATIVE_ONLY});
}
