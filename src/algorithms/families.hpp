// SPDX-License-Identifier: BSD-3-Clause
// Declarations of all generators, made from registry.def, for the registry and for algorithms that
// are composed of others.
#pragma once

#include "schedule/generator.hpp"

namespace tutti::algorithms {

#define TUTTI_ALGORITHM(operation, name, family, proof) \
  extern const schedule::Generator operation##_##name;
#include "algorithms/registry.def"
#undef TUTTI_ALGORITHM

// Returns true for every shape, as algorithms for any p and any root require.
constexpr bool any_shape(const schedule::Shape&) {
  return true;
}

}  // namespace tutti::algorithms
