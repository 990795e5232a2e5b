// SPDX-License-Identifier: BSD-3-Clause
// Tests progress during a wait for something else: operations of two groups are started in opposite
// orders, and a message is sent only after an operation has come to its end elsewhere.
// Usage: under `tutti run -n 3`: progress
#include <array>
#include <cstdint>
#include <cstdio>
#include <tutti/tutti.hpp>
#include <vector>

namespace {

int wrong = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++wrong;
  std::fprintf(stderr, "%s does not hold\n", what);
}

// On each channel, the messages of one operation come before those of the other.
void opposite_orders(const tutti::Group& world, const tutti::Group& twin) {
  const int p = world.size(), me = world.rank();
  for (const std::size_t n : {1U, 20U, 3000U, 200'000U}) {
    std::vector<double> a(n, me + 1), b(n, 2 * me + 1);
    const auto start = [&](const tutti::Group& group, std::vector<double>& values) {
      return group.nonblocking().allreduce(values, tutti::Op::sum);
    };
    tutti::Request first = me == 0 ? start(world, a) : start(twin, b);
    tutti::Request second = me == 0 ? start(twin, b) : start(world, a);
    second.wait();
    first.wait();
    expect(a.front() == p * (p + 1) / 2 && a.back() == a.front(), "the sum of the world");
    expect(b.front() == p * p && b.back() == b.front(), "the sum of its twin");
  }
}

// Rank 0 sends its message when the reduction has reached it. The reduction passes through ranks
// that wait for that message.
void behind_a_receive(const tutti::Group& world) {
  const int p = world.size(), me = world.rank();
  std::vector<double> values(5000, 1.0), token(1);
  tutti::Request sum = world.nonblocking().allreduce(values, tutti::Op::sum);
  if (me == 0) {
    sum.wait();
    for (int rank = 1; rank < p; ++rank) world.send(token, rank);
  } else {
    world.receive(token, 0);
    sum.wait();
  }
  expect(values.back() == p, "the sum behind a receive");
}

// A receive is posted in front of a collective, and takes its message meanwhile.
void posted_before(const tutti::Group& world) {
  const int p = world.size(), me = world.rank();
  std::vector<double> values(100, 1.0), out(7, me), in(7, -1.0);
  tutti::Envelope envelope;
  tutti::Request get = world.ireceive(in, tutti::any, 3, &envelope);
  tutti::Request never = world.ireceive(values, tutti::any, 4);
  expect(!get.test(), "nothing has come");
  world.barrier();
  tutti::Request put = world.isend(out, (me + 1) % p, 3);
  world.allreduce(values, tutti::Op::sum);
  put.wait();
  get.wait();
  const int before = (me + p - 1) % p;
  expect(in.back() == before && envelope.source == before && envelope.tag == 3, "the message");
  expect(never.cancel() && !never.cancel(), "the other receive is taken back");
}

template <class T>
void sums_of(const tutti::Group& world) {
  const int p = world.size();
  std::vector<T> values(9, static_cast<T>(world.rank()));
  world.allreduce(values, tutti::Op::sum);
  expect(values.back() == static_cast<T>(p * (p - 1) / 2), "a sum of short elements");
}

void short_elements(const tutti::Group& world) {
  sums_of<std::int8_t>(world);
  sums_of<unsigned char>(world);
  sums_of<std::int16_t>(world);
  sums_of<unsigned short>(world);
  sums_of<unsigned>(world);
  sums_of<unsigned long>(world);
  std::array<bool, 2> flags = {world.rank() == 0, true};
  world.allreduce(flags, tutti::Op::logical_and);
  expect(flags[0] == (world.size() == 1) && flags[1], "the booleans");
  std::array<tutti::BFloat16, 3> ones{};
  for (tutti::BFloat16& one : ones) one.bits = 0x3f80;
  world.allreduce(ones, tutti::Op::max);
  expect(ones[2].bits == 0x3f80, "the greatest bfloat16");
  std::array<tutti::Float16, 1> half = {{{0x3800}}};
  world.bcast(half, 0);
  expect(half[0].bits == 0x3800, "the float16");
}

void limits_and_members(const tutti::Group& world) {
  const int p = world.size(), me = world.rank();
  std::vector<double> out(1, me), in(1);
  tutti::Request get = world.ireceive(in, (me + p - 1) % p, 8);
  expect(!get.wait_for(0.001), "the wait is too short");
  world.barrier();
  world.send(out, (me + 1) % p, 8);
  expect(get.wait_for(60) && in[0] == (me + p - 1) % p, "the wait is long enough");
  const std::vector<int> ranks = world.split(me % 2, -me).members(world);
  expect(ranks.back() == me % 2, "the last of this half");
}

}  // namespace

int main() {
  const tutti::Session session;
  const tutti::Group world = tutti::world(), twin = world.dup();
  for (int i = 0; i < 200; ++i) opposite_orders(world, twin);
  for (int i = 0; i < 200; ++i) behind_a_receive(world);
  for (int i = 0; i < 200; ++i) posted_before(world);
  short_elements(world);
  limits_and_members(world);
  try {
    std::vector<double> x(2);
    world.bcast(x, world.size());
    expect(false, "a root outside is refused");
  } catch (const tutti::Error& error) {
    expect(error.status() == TUTTI_INVALID_ARGUMENT, "the status of a wrong root");
  }
  return wrong == 0 ? 0 : 1;
}
