// SPDX-License-Identifier: BSD-3-Clause
// Times calls and decides (trials.hpp).
#include "trials.hpp"

#include <algorithm>
#include <bit>

#include "clock.hpp"

namespace tutti::mpi {
namespace {

// The first calls of each side are not counted: they make plans and connections.
constexpr std::size_t not_counted = 2;

std::int64_t median(const std::vector<std::int64_t>& times) {
  std::vector<std::int64_t> sorted(times.begin() + not_counted, times.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

}  // namespace

int Trials::kind_of(MpiOperation operation, Count bytes, Applier applier) {
  const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
  const int size_class = std::min(width / 3, size_classes - 1);
  return (static_cast<int>(operation) * 2 + static_cast<int>(applier)) * size_classes + size_class;
}

const char* Trials::begin(int kind) {
  Trial& trial = trials_[kind];
  trial.kind = kind;
  timed_ = &trial;
  ours_ = trial.ours.size() <= trial.theirs.size();
  begun_ = nanoseconds_now();
  return ours_ ? nullptr : "a trial compares it with tutti";
}

void Trials::end(MPI_Comm handle) {
  Trial& trial = *timed_;
  timed_ = nullptr;
  (ours_ ? trial.ours : trial.theirs).push_back(nanoseconds_now() - begun_);
  const auto enough = static_cast<std::size_t>(job.trials) + not_counted;
  if (trial.theirs.size() < enough) return;
  decide(trial, handle);
  trials_.erase(trial.kind);
}

// The MPI gets the calls only if it is clearly faster, because every trial is disturbed.
void Trials::decide(const Trial& trial, MPI_Comm handle) {
  std::uint64_t sums[] = {static_cast<std::uint64_t>(median(trial.ours)),
                          static_cast<std::uint64_t>(median(trial.theirs))};
  plain.Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, handle);
  constexpr std::uint64_t clearly = 95;
  verdicts_[static_cast<std::size_t>(trial.kind)] =
      sums[1] * 100 < sums[0] * clearly ? Verdict::mpi : Verdict::tutti;
}

}  // namespace tutti::mpi
