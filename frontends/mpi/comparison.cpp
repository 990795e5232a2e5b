// SPDX-License-Identifier: BSD-3-Clause
// Notes calls and makes them again (comparison.hpp). Communicators may be freed by then, so calls
// are made on the first processes of MPI_COMM_WORLD, as many as the communicator had.
#include "comparison.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <tuple>

#include "measure.hpp"

namespace tutti::mpi {
namespace {

constexpr std::size_t most_kinds = 48;  // of those that are made again

struct Noted {
  std::int64_t calls = 0, bytes = 0;  // of all of them
};
struct KindAndSize {
  ComparedKind kind;
  int size_class = 0;
  friend auto operator<=>(const KindAndSize&, const KindAndSize&) = default;
};

std::mutex mutex;  // threads may note calls at the same time
ComparedTimes times[operation_count];

std::map<KindAndSize, Noted>& noted() {
  static auto* const all = new std::map<KindAndSize, Noted>;
  return *all;
}

// Calls of one size, in a form in which they are sent to all processes.
struct Again {
  ComparedKind kind;
  std::int64_t calls = 0, bytes = 0;  // bytes of one call
  // About how much the calls matter.
  [[nodiscard]] double weight() const {
    constexpr double bytes_like_a_call = 1000;
    return static_cast<double>(calls) * (1 + static_cast<double>(bytes) / bytes_like_a_call);
  }
};

std::vector<Again> list_of_rank_0() {
  std::vector<Again> list;
  for (const auto& [what, how_many] : noted())
    list.push_back({what.kind, how_many.calls, how_many.bytes / how_many.calls});
  std::sort(list.begin(), list.end(),
            [](const Again& a, const Again& b) { return a.weight() > b.weight(); });
  list.resize(std::min(list.size(), most_kinds));
  auto count = static_cast<int>(list.size());
  plain.Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  list.resize(static_cast<std::size_t>(count));
  plain.Bcast(list.data(), count * static_cast<int>(sizeof(Again)), MPI_BYTE, 0, MPI_COMM_WORLD);
  std::stable_sort(list.begin(), list.end(),
                   [](const Again& a, const Again& b) { return a.kind.members < b.kind.members; });
  return list;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void add(const Again& what, const MeasuredTurns& turns) {
  ComparedTimes& sum = times[static_cast<int>(what.kind.operation)];
  const double calls = static_cast<double>(what.calls) * 1e-6;
  sum.ours += calls * median(turns.ours);
  sum.theirs += calls * median(turns.theirs);
}

}  // namespace

void note_for_comparison(const ComparedKind& kind, Count bytes) {
  const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
  const std::lock_guard lock(mutex);
  Noted& all = noted()[{kind, width}];
  all.calls += 1;
  all.bytes += bytes;
}

void compare_calls() {
  constexpr tutti_mpi_measurement how{
      .members = 0, .rounds = 5, .block_us = 300, .by_rows = 0, .rewritten = 0, .stop_early = 0};
  const std::vector<Again> list = list_of_rank_0();
  for (std::size_t first = 0, end = 0; first < list.size(); first = end) {
    std::vector<MeasuredCall> calls;
    for (end = first; end < list.size() && list[end].kind.members == list[first].kind.members;
         ++end)
      calls.push_back({list[end].kind.operation, list[end].kind.applier, list[end].bytes});
    tutti_mpi_measurement here = how;
    here.members = list[first].kind.members;
    measure_calls(here, calls, [&](int call, const MeasuredTurns& turns) {
      add(list[first + static_cast<std::size_t>(call)], turns);
    });
  }
}

ComparedTimes compared_times(MpiOperation operation) {
  return times[static_cast<int>(operation)];
}

}  // namespace tutti::mpi
