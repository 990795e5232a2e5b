// SPDX-License-Identifier: BSD-3-Clause
// `tutti reproduce --measure 000`.
#pragma once

#include "papers/runs.hpp"
#include "reproduce/options.hpp"

namespace tutti::papers {

// Throws base::Error(invalid_argument) if options do not belong together.
void check_measuring(const ReproduceOptions& options);
// Measures, or takes the times of --from; prints them or writes the page.
void reproduce_timings(const ReproduceOptions& options);

}  // namespace tutti::papers
