// SPDX-License-Identifier: BSD-3-Clause
// Turns the records of a part into events of a trace.
#pragma once

#include "transport/trace/journal.hpp"
#include "transport/trace/part.hpp"

namespace tutti::trace {

// Returns false if the file had no room for them; the part then stays as it is.
[[nodiscard]] bool write_events(const Part& part, Journal& journal);

}  // namespace tutti::trace
