// SPDX-License-Identifier: BSD-3-Clause
// Messages of forced types, which are discarded if no receive is posted for them.
#pragma once

namespace tutti::nx {

// Called once, when this process has joined the job. Throws CallFailure.
void discard_forced();
// Looks for messages of forced types that have come, because they are only discarded when they are
// found. Called before this process leaves the job.
void find_forced();
// With TUTTI_NX_FORCED=error, looks for them in every call, so that the job ends near the mistake.
void find_forced_if_error();
// Tells on stderr how many were discarded, if any were.
void count_discarded();

}  // namespace tutti::nx
