// SPDX-License-Identifier: BSD-3-Clause
// The catalogue of algorithms: a page and pictures for each family, and an index by operation and
// by source. `make manual` writes it into docs/algorithms.
#pragma once

#include <string>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::tools {

// Writes the catalogue into a folder, which is made if it is not there.
void write_catalogue(const std::string& folder);

// The properties of an algorithm that the verifier finds for 1 to 16 ranks, as "always",
// "sometimes", "never" or "-", and for which numbers of ranks it is proved.
struct Properties {
  std::string order, same_tree, canonical, one_port;
  std::string proved_for;  // numbers of ranks: "1 to 64", "every p", or that with a theorem
  bool in_place = false;
};
[[nodiscard]] Properties properties_of(const schedule::Generator& generator);

// Returns the source that a header states, with the authors of a paper in place of its number.
[[nodiscard]] std::string with_authors(std::string source);

}  // namespace tutti::tools
