// SPDX-License-Identifier: BSD-3-Clause
// Removes copies at the beginning of a Program, for normalize.cpp. A reduction starts by copying
// its input to an accumulator. Most of these copies are not needed: operations that would read the
// accumulator before it is first written may as well read the input.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "schedule/program.hpp"

namespace tutti::schedule {

// A copy from `input` that a Program does not need. Until it is overwritten, operations that read
// it read its source.
struct Forwarded {
  std::size_t place = 0;  // among the operations of the first round
  Blocks copied;
  Blocks source;
  int overwritten = 0;  // round that overwrites the copy; the number of rounds if none does
};

// Finds the copies that a Program of so many rounds does not need. It asks for the rounds after the
// first, in their order, and only for as many as it takes to decide. Neighbouring blocks of a round
// must be merged, as normalize.hpp says.
[[nodiscard]] std::vector<Forwarded> forwarded_copies(
    const Round& first, int rounds, const std::function<const Round&(int)>& round);

// Returns the Program without those copies from `input` that it does not need. Nothing else
// changes.
[[nodiscard]] Program forward_copies(Program program);

}  // namespace tutti::schedule
