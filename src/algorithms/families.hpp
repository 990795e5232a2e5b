// SPDX-License-Identifier: BSD-3-Clause
// The generators that the family files define, declared from the list of the registry.
#pragma once

#include "schedule/generator.hpp"

namespace tutti::algorithms {

#define TUTTI_ALGORITHM(name) extern const schedule::Generator name;
#include "algorithms/registry.def"
#undef TUTTI_ALGORITHM

// Requirements on the shape that several families share.
constexpr bool any_shape(const schedule::Shape&) {
  return true;
}

}  // namespace tutti::algorithms
