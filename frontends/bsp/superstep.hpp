// SPDX-License-Identifier: BSD-3-Clause
// The end of a superstep: bsp_sync, its partial forms, and bsp_end.
#pragma once

#include <cstdint>
#include <vector>

#include "agreement.hpp"

namespace tutti::bsp {

// Ends the superstep of all processes. Gets read first, then gets write, then puts write.
// Afterwards messages, registrations and tag size are those of the next superstep.
void end_superstep(const char* routine, SuperstepEnd ending);

// Ends a superstep without gets and registrations as soon as everything for this process has
// arrived: process q has counts[q] puts and messages for it.
void end_superstep_by_counts(const std::vector<std::uint64_t>& counts);
// Ends a superstep without gets and registrations in which this process exchanges data only with
// these neighbours. Each must name the other.
void end_superstep_among(const std::vector<int>& neighbours);

}  // namespace tutti::bsp
