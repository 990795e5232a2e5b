// SPDX-License-Identifier: BSD-3-Clause
// Says who has served the calls of the program, if TUTTI_EXPLAIN asks for that. Lines about calls
// that tutti serves come from libtutti.
#pragma once

#include <cstdint>

#include "job.hpp"

namespace tutti::mpi {

// Calls of one operation, and the time that they took.
struct CallTally {
  std::int64_t ours = 0, theirs = 0;
  std::int64_t our_nanoseconds = 0, their_nanoseconds = 0;
};

// Windows and files that the program has opened, if tutti serves collectives.
extern constinit std::int64_t opened_objects;

// True if this process explains or counts. Then calls are timed.
extern constinit bool reports;

// One call of the program, from its beginning to its end.
class CountedCall {
 public:
  explicit CountedCall(MpiOperation operation) : operation_(operation) {
    if (reports) [[unlikely]]
      begin();
  }
  ~CountedCall() {
    if (reports) [[unlikely]]
      end();
  }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

  // Says that the MPI serves the call, and why.
  void by_mpi(const char* reason) {
    if (reports) [[unlikely]]
      explain(reason);
  }

 private:
  void begin();
  void end() const;
  void explain(const char* reason);

  MpiOperation operation_;
  bool theirs_ = false;
  std::int64_t begun_ = 0;
};

void set_up_report(int rank);
// Writes the table of all operations. Returns false if the file could not take it, or lines before.
[[nodiscard]] bool print_report();

}  // namespace tutti::mpi
