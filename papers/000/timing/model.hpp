// SPDX-License-Identifier: BSD-3-Clause
// Times of broadcasts and sums as sections 4.3 and 5.4 of paper 000 predict them. T_c, T_s and T_o
// are lines that messages between two processes and sums in one processor gave; no measured
// broadcast or sum is used.
#pragma once

#include <optional>
#include <string>

#include "papers/000/blacs_model.hpp"
#include "papers/000/timing/timings.hpp"

namespace tutti::papers {

// The times of one call. `first` is that of a call after a barrier. In rings a further call of the
// same source takes `next`, because the processes are ordered by then; in trees next equals first.
struct TopologyTime {
  schedule::Time first, next, source;
};
// TOP as the programs have it: I, D, S, M3, H, 1 to 9, F. Empty if it is no topology of the paper.
[[nodiscard]] std::optional<TopologyTime> broadcast_time(const std::string& top, int p);
// The result is left on all. The paper has one prediction for trees and for the exchange (H),
// because on its machines sends and receives did not overlap.
[[nodiscard]] std::optional<TopologyTime> sum_time(const std::string& top, int p);
// The exchange if a process sends and receives at the same time (section 5.4.2).
[[nodiscard]] schedule::Time overlapped_exchange(int p);

// T_c, T_s and T_o of this machine. T_c and T_s are those of the BLACS 1.1 on two processes. Throws
// base::Error if they were not measured.
[[nodiscard]] BlacsMachine measured_machine(const Timings& timings);

// Returns the average time of `reps` calls in a loop, as a line.
[[nodiscard]] Line average_of(const TopologyTime& time, int reps, const BlacsMachine& machine);

// Returns the prediction of a series of broadcasts or sums, if there is one.
[[nodiscard]] std::optional<TopologyTime> time_of_series(const TimingSeries& series);

// Returns the largest relative error of predictions in per cent (4.4.2, 5.5.2). Broadcasts divide
// by the observed time, as table 11; sums divide by the predicted one, as table 15. Length 0 does
// not count.
enum class ErrorOver { observed, predicted };
enum class Whose { longest, source };
[[nodiscard]] double prediction_error(const std::vector<TimingPoint>& observed,
                                      const Line& predicted, ErrorOver over, Whose whose);

}  // namespace tutti::papers
