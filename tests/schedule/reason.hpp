// SPDX-License-Identifier: BSD-3-Clause
// Asks the verifier why it refuses Programs that a test writes. verifier_test.cpp,
// hazards_test.cpp and waits_test.cpp use it.
#pragma once

#include <string>
#include <vector>

#include "schedule/generator.hpp"
#include "schedule/verifier.hpp"

namespace tutti::schedule::handmade {

inline const Block in{Buffer::input, 0}, out{Buffer::output, 0}, scratch{Buffer::scratch, 0};

using Programs = std::vector<Program>;

inline std::string reason(Operation operation, const Buffers& buffers, const Programs& programs,
                          Placement placement = Placement::separate) {
  const Shape s{.p = static_cast<int>(programs.size())};
  return verify(operation, s, buffers, programs, placement).problem;
}

}  // namespace tutti::schedule::handmade
