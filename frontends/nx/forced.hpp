// SPDX-License-Identifier: BSD-3-Clause
// Messages of forced types, which are discarded if no receive is posted for them.
#pragma once

#include <cstdint>
#include <span>

#include "selector.hpp"

namespace tutti::nx {

// Called once, when this process has joined the job. Throws CallFailure.
void discard_forced();
// Looks for messages of forced types that have come, because they are only discarded when they are
// found. Called before this process leaves the job.
void find_forced();
// With TUTTI_NX_FORCED=error, looks for them in every call, so that the job ends near the mistake.
void find_forced_if_error();
// Called before a message is sent: counts one of a forced type for each receiver that has left the
// job, because nobody finds it there. Afterwards it would be too late: a receiver may take the
// message and leave at once.
void discard_for_those_who_left(std::span<const int> to, std::uint64_t key, long bytes);
// Tells on stderr how many were discarded, if any were.
void count_discarded();

}  // namespace tutti::nx
