// SPDX-License-Identifier: BSD-3-Clause
// The choice of mode auto: the algorithm that is predicted to take the least time on a machine.
#pragma once

#include "options.hpp"
#include "prediction.hpp"

namespace matmul {

// Sets the mode, its cube or blocks, and the predicted time. The candidates are all cubes of
// processes and the algorithm of the thesis. All processes call it, and choose the same. `words` is
// the size of an element in words of 8 bytes.
void choose(Options& options, int processes, double words, const Rate& rate);

// Measures one product for all shapes: the times of others follow from their operations.
template <class T>
Rate common_rate();

}  // namespace matmul
