// SPDX-License-Identifier: BSD-3-Clause
// Implements the operations whose latency is measured. Every result is checked: an exchange without
// a wait would be fast but wrong.
#include "latency/operations.hpp"

#include "tutti/tutti.h"

namespace tutti::bench {
namespace {

bool exchange(int rank, int count) {
  const tutti_group world = tutti_world();
  double mine = 0;
  double theirs = 0;
  const tutti_data out = tutti_array(&mine, 1, TUTTI_DOUBLE);
  const tutti_data in = tutti_array(&theirs, 1, TUTTI_DOUBLE);
  bool good = true;
  for (int i = 0; i < count; ++i) {
    mine = 2.0 * i + rank;
    good = tutti_send(world, &out, 1 - rank, 0) == TUTTI_OK && good;
    good = tutti_receive(world, &in, 1 - rank, 0, nullptr, nullptr) == TUTTI_OK && good;
    good = good && static_cast<int>(theirs) == 2 * i + 1 - rank;
  }
  return good;
}

bool allreduce(int rank, int count) {
  const tutti_group world = tutti_world();
  double mine = 0;
  double sum = 0;
  const tutti_data in = tutti_array(&mine, 1, TUTTI_DOUBLE);
  const tutti_data out = tutti_array(&sum, 1, TUTTI_DOUBLE);
  bool good = true;
  for (int i = 0; i < count; ++i) {
    mine = 2.0 * i + rank;
    good = tutti_allreduce(world, &in, &out, TUTTI_SUM) == TUTTI_OK && good;
    good = good && static_cast<int>(sum) == 4 * i + 1;
  }
  return good;
}

bool barrier(int /*rank*/, int count) {
  const tutti_group world = tutti_world();
  bool good = true;
  for (int i = 0; i < count; ++i) good = tutti_barrier(world) == TUTTI_OK && good;
  return good;
}

constexpr Measured all[] = {{"exchange", exchange}, {"allreduce", allreduce}, {"barrier", barrier}};

}  // namespace

std::span<const Measured> measured_operations() {
  return all;
}

}  // namespace tutti::bench
