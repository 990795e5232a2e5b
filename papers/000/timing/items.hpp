// SPDX-License-Identifier: BSD-3-Clause
// Entries of paper 000 that are measured here instead.
#pragma once

#include <memory>

#include "papers/000/timing/timings.hpp"

namespace tutti::papers {

// Makes the entries show these times. Without this, the first entry measures for about a second.
void use_timings(Timings timings);

}  // namespace tutti::papers
