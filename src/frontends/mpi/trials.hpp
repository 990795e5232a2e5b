// SPDX-License-Identifier: BSD-3-Clause
// Tries on a communicator who serves an operation faster. Its first calls are served by tutti and
// by the MPI in turns and timed. Then all members add up their times, and so decide alike. Calls of
// one operation are apart by the size of the data and by who computes the operator, as far as all
// members know them.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "job.hpp"

namespace tutti::mpi {

// Says who applies the operator of a call, if it has one.
enum class Applier : std::uint8_t { tutti, mpi };

class Trials {
 public:
  // Begins a call that all members describe alike. Returns why the MPI serves it; nullptr if tutti
  // does.
  [[nodiscard]] const char* judge(MpiOperation operation, Count bytes,
                                  Applier applier = Applier::tutti) {
    const int kind = kind_of(operation, bytes, applier);
    const Verdict verdict = verdicts_[static_cast<std::size_t>(kind)];
    if (verdict == Verdict::tutti || job.trials == 0) [[likely]]
      return nullptr;
    return verdict == Verdict::mpi ? faster : begin(kind);
  }
  // Returns true if the call that was begun last is timed. Then it must be ended.
  [[nodiscard]] bool timing() const { return timed_ != nullptr; }
  // Ends a call. Decides, by the MPI, if it was the last one of the trial.
  void end(MPI_Comm handle);

 private:
  enum class Verdict : std::uint8_t { open, tutti, mpi };
  static constexpr int size_classes = 12, kinds = operation_count * 2 * size_classes;
  static constexpr const char* faster = "it was faster in a trial";

  // Times of one kind of call, in nanoseconds.
  struct Trial {
    int kind = 0;
    std::vector<std::int64_t> ours, theirs;
  };

  // A class has sizes that differ by at most a factor of 8.
  [[nodiscard]] static int kind_of(MpiOperation operation, Count bytes, Applier applier);
  [[nodiscard]] const char* begin(int kind);
  void decide(const Trial& trial, MPI_Comm handle);

  std::array<Verdict, kinds> verdicts_{};
  std::map<int, Trial> trials_;
  Trial* timed_ = nullptr;
  bool ours_ = false;  // the call that is timed is served by tutti
  std::int64_t begun_ = 0;
};

}  // namespace tutti::mpi
