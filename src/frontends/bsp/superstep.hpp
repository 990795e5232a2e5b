// SPDX-License-Identifier: BSD-3-Clause
// The end of a superstep.
#pragma once

#include <cstdint>
#include <vector>

#include "agreement.hpp"

namespace tutti::bsp {

// Gets read, gets write, puts write; then messages, registrations and tag size are those of the
// next superstep.
void end_superstep(const char* routine, SuperstepEnd ending);

// The same without gets and changes, as soon as what others have for this process is there:
// counts[q] puts and messages of process q.
void end_superstep_by_counts(const std::vector<std::uint64_t>& counts);
// The same where only these processes may have something for this one, or it for them; each is a
// neighbour of the other.
void end_superstep_among(const std::vector<int>& neighbours);

}  // namespace tutti::bsp
