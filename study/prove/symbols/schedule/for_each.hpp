// SPDX-License-Identifier: BSD-3-Clause
// Loops over ranks. The body runs for the steps that the statement at hand looks at (view.hpp).
#pragma once

#include <vector>

namespace tutti::prove {

// Returns those of the numbers first .. last - 1 for which the body of a loop runs, in their order.
std::vector<schedule::Int> steps_of_loop(const schedule::Int& first, const schedule::Int& last);

}  // namespace tutti::prove

namespace tutti::schedule {

template <class Body>
void for_each(const Int& first, const Int& last, Body body) {
  for (const Int& i : prove::steps_of_loop(first, last)) body(i);
}

}  // namespace tutti::schedule
