// SPDX-License-Identifier: BSD-3-Clause
// The proof of a generator: all statements, with the lemmas they use.
#pragma once

#include <string>

#include "subject.hpp"

namespace tutti::prove {

struct Proof {
  Report separate, in_place;
  bool has_in_place = false;  // the generator serves calls in place
  double seconds = 0;         // of one processor
  std::string theorem;        // by which it follows from the proof of another generator
  [[nodiscard]] bool proved() const {
    return separate.proved() && (!has_in_place || in_place.proved());
  }
};

// Returns the generator whose rounds the proof looks at: this one, or the one that it follows from
// by a theorem.
[[nodiscard]] const Generator& looked_at(const Generator& generator);
// Returns true if its proof is for input and output in the same memory, too.
[[nodiscard]] bool prove_in_place(const Generator& generator);
// Proves the generator, or the one that it follows from.
[[nodiscard]] Proof prove(const Generator& generator);

}  // namespace tutti::prove
