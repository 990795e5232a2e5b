// SPDX-License-Identifier: BSD-3-Clause
// The allgather of ring.c in C++.
//
//   c++ -std=c++20 -shared -fPIC ring.cpp -o ring.so $(pkg-config --cflags tutti)
//   TUTTI_GENERATORS=./ring.so tutti draw allgather --algorithm my_ring -n 4
#include <tutti/tutti_generator.hpp>

namespace {

class Ring : public tutti::Generator {
  int rounds(const tutti_schedule_shape& shape) const override { return shape.p; }
  int parts(const tutti_schedule_shape& shape) const override { return shape.p; }
  void emit(tutti::ScheduleRound& out, const tutti_schedule_shape& shape, int me,
            int t) const override {
    const int p = shape.p;
    if (t == 0) return out.copy(tutti::output(me), tutti::input(0));
    out.send(tutti::output((me - t + 1 + p) % p), (me + 1) % p);
    out.receive(tutti::output((me - t + p) % p), (me + p - 1) % p);
  }
};

}  // namespace

void tutti_generators(tutti_registrar* registrar) {
  static Ring ring;
  tutti::add(registrar, ring,
             {.name = "my_ring",
              .operation = TUTTI_OP_ALLGATHER,
              .about = "each rank hands the block that has come last to the next rank"});
}
