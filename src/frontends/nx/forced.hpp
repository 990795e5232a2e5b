// SPDX-License-Identifier: BSD-3-Clause
// Messages of forced types, which are discarded if no receive is posted for them.
#pragma once

namespace tutti::nx {

// Called once, when this process has joined the job. Throws CallFailure.
void discard_forced();
// Tells on stderr how many were discarded, if any were.
void count_discarded();

}  // namespace tutti::nx
