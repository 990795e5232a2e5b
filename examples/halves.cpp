// SPDX-License-Identifier: BSD-3-Clause
// Two groups work at the same time. Each half of the ranks finds its largest value. Then the first
// ranks of both exchange the results by messages and broadcast them in their halves. At the end,
// the program provokes an error and catches it.
#include <cstdio>
#include <numeric>
#include <span>
#include <tutti/tutti.hpp>
#include <vector>

namespace {

std::vector<int> half_of(int rank, int size) {
  const int middle = (size + 1) / 2;
  const int first = rank < middle ? 0 : middle;
  std::vector<int> ranks(static_cast<std::size_t>(rank < middle ? middle : size - middle));
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

bool refuses_bad_root(const tutti::Group& world) {
  try {
    double value = 0;
    world.bcast(std::span(&value, 1), world.size());
  } catch (const tutti::Error& error) {
    return error.status() == TUTTI_INVALID_ARGUMENT;
  }
  return false;
}

}  // namespace

int main() {
  tutti::Session session;
  const tutti::Group world = tutti::world();
  const int middle = (world.size() + 1) / 2;
  const tutti::Group half = world.create(half_of(world.rank(), world.size()));

  const long long best =
      half.allreduce(static_cast<long long>(world.rank() * world.rank()), tutti::Op::max);
  long long other = best;
  if (world.size() > 1 && half.rank() == 0) {
    const int partner = world.rank() == 0 ? middle : 0;
    world.send(std::span<const long long>(&best, 1), partner);
    world.receive(std::span(&other, 1), partner);
  }
  half.bcast(std::span(&other, 1), 0);
  world.barrier();

  const long long highest = world.size() - 1;
  const bool right = (best > other ? best : other) == highest * highest;
  if (world.rank() == 0) std::printf("halves: %lld and %lld\n", best, other);
  return right && refuses_bad_root(world) ? 0 : 1;
}
