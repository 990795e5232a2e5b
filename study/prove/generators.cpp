// SPDX-License-Identifier: BSD-3-Clause
#include "generators.hpp"

#include <array>

#include "algorithms/families.hpp"

namespace tutti::prove {
namespace {

using namespace algorithms;

// The proof that the list names decides whether an algorithm is compiled here.
#define TUTTI_PROVE_none(name)
#define TUTTI_PROVE_tried(name) &name,
#define TUTTI_PROVE_itself(name) &name,
#define TUTTI_PROVE_T4(name) &name,
#define TUTTI_PROVE_T5(name) &name,
constexpr std::array compiled{
#define TUTTI_ALGORITHM(operation, name, family, proof) TUTTI_PROVE_##proof(operation##_##name)
#include "algorithms/registry.def"
#undef TUTTI_ALGORITHM
};

}  // namespace

std::span<const schedule::Generator* const> generators() {
  return compiled;
}

}  // namespace tutti::prove
