// SPDX-License-Identifier: BSD-3-Clause
// The header comments before the generators in src/algorithms, taken into the library when it is
// built. Their formulas are the only statement of what an algorithm costs; the exhaustive tests
// compare them with counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schedule/generator.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {

struct AlgorithmHeader {
  std::string_view name;  // operation and algorithm, such as "broadcast mst"
  std::string_view about, source, needs, cost;
};

// Returns what the comment above the generator in src/algorithms says: source, needs and cost. Null
// if the generator is not in the table of algorithms.
[[nodiscard]] const AlgorithmHeader* header_of(const schedule::Generator& generator);

// Returns a sentence that says what the generator does, by its header or by who has registered it;
// empty if neither says.
[[nodiscard]] std::string about(const schedule::Generator& generator);

// Returns the shapes that the generator serves, in words that follow "it needs", by its header or
// its file; empty if neither says.
[[nodiscard]] std::string needs_of(const schedule::Generator& generator);

// The coefficients of alpha, beta and gamma that a header states, or that the verifier has counted
// for a schedule from a file. Those of beta and gamma are per byte of the whole vector. If `bound`,
// some are bounds, which other roots may reach.
struct Stated {
  Terms terms;
  bool bound = false;
  double rounds = 0;  // with messages; 0 if they are not known
};
// Returns nothing for the collectives of an MPI. Throws std::runtime_error if a formula cannot be
// understood.
[[nodiscard]] std::optional<Stated> stated(const schedule::Generator& generator,
                                           const schedule::Shape& shape);

}  // namespace tutti::selection
