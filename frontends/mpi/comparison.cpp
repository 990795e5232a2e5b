// SPDX-License-Identifier: BSD-3-Clause
// Makes calls again (comparison.hpp). Communicators may be freed by then, so calls are made on the
// first processes of MPI_COMM_WORLD, as many as the communicator had.
#include "comparison.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "record.hpp"

namespace tutti::mpi {
namespace {

constexpr std::size_t most_kinds = 48;  // of those that are made again
constexpr int rounds = 11;
constexpr double most_seconds = 20;  // that they may take in all, by the times in the program

// Calls of one size, in a form in which they are sent to all processes.
struct Again {
  MpiOperation operation{};
  Applier applier = Applier::tutti;
  std::int32_t members = 0;
  std::int64_t calls = 0, bytes = 0, nanoseconds = 0;  // bytes of one call, the others of all
};

// Adds up the calls of all places.
std::vector<Again> of_record() {
  std::map<std::tuple<MpiOperation, Applier, int, int>, Again> sums;
  for (const KindSums& one : record().kinds()) {
    const CallKind& kind = one.kind;
    if (!kind.ours || kind.members < 2) continue;
    Again& sum = sums[{kind.operation, kind.applier, kind.members, kind.size_class}];
    sum.operation = kind.operation;
    sum.applier = kind.applier;
    sum.members = kind.members;
    sum.calls += one.calls;
    sum.bytes += one.bytes;
    sum.nanoseconds += one.nanoseconds;
  }
  std::vector<Again> list;
  for (auto& [kind, sum] : sums) {
    sum.bytes /= sum.calls;
    list.push_back(sum);
  }
  return list;
}

// Returns about how many seconds it takes to make the calls again: each is made by both sides in
// each round at least twice.
double cost_of(const Again& again) {
  constexpr double repeats = 4 * (rounds + 2), ns = 1e-9;
  return repeats * ns * static_cast<double>(again.nanoseconds) / static_cast<double>(again.calls);
}

// Returns those of rank 0 on which it has spent most time, as far as there is time to make them
// again.
std::vector<Again> list_of_rank_0() {
  std::vector<Again> list = of_record();
  std::sort(list.begin(), list.end(),
            [](const Again& a, const Again& b) { return a.nanoseconds > b.nanoseconds; });
  list.resize(std::min(list.size(), most_kinds));
  double left = most_seconds;
  std::erase_if(list, [&](const Again& again) {
    const bool is_too_long = cost_of(again) > left;
    if (!is_too_long) left -= cost_of(again);
    return is_too_long;
  });
  auto count = static_cast<int>(list.size());
  plain.Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  list.resize(static_cast<std::size_t>(count));
  plain.Bcast(list.data(), count * static_cast<int>(sizeof(Again)), MPI_BYTE, 0, MPI_COMM_WORLD);
  std::stable_sort(list.begin(), list.end(),
                   [](const Again& a, const Again& b) { return a.members < b.members; });
  return list;
}

}  // namespace

std::vector<Compared> compare_calls() {
  constexpr tutti_mpi_measurement how{.members = 0,
                                      .rounds = rounds,
                                      .block_us = 300,
                                      .by_rows = 0,
                                      .rewritten = 0,
                                      .stop_early = 0};
  const std::vector<Again> list = list_of_rank_0();
  std::vector<Compared> compared;
  for (std::size_t first = 0, end = 0; first < list.size(); first = end) {
    std::vector<MeasuredCall> calls;
    for (end = first; end < list.size() && list[end].members == list[first].members; ++end)
      calls.push_back({list[end].operation, list[end].applier, list[end].bytes});
    tutti_mpi_measurement here = how;
    here.members = list[first].members;
    measure_calls(here, calls, [&](int call, const MeasuredTurns& turns) {
      const Again& what = list[first + static_cast<std::size_t>(call)];
      compared.push_back(
          {what.operation, what.applier, what.members, what.calls, what.bytes, turns});
    });
  }
  return compared;
}

}  // namespace tutti::mpi
