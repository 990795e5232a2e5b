// SPDX-License-Identifier: BSD-3-Clause
// Records what the ranks compute between exchanges, and how much each exchange moves, for a
// prediction of the program's time. The exchanges themselves are made, because the programs need
// their data, but they are not timed.
#pragma once

#include <vector>

#include "costs.hpp"
#include "processor_clock.hpp"

namespace exchange {

class Recorder {
 public:
  Recorder();
  // A run begins, and ends. All ranks call them.
  void begin();
  void end();
  // Called before an exchange, with the bytes for and from other ranks, and after it.
  void arrive(double out, double in);
  void leave();

  // Returns the supersteps of a run, with the medians of the recorded runs, on rank 0. All ranks
  // call it. A superstep computes and then exchanges; the last one only computes.
  [[nodiscard]] std::vector<profile::Superstep> supersteps() const;

 private:
  struct Step {
    double seconds, out, in;  // words
  };
  support::ProcessorClock clock_;
  std::vector<std::vector<Step>> runs_;
  double start_ = 0;
};

}  // namespace exchange
