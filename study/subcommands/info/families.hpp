// SPDX-License-Identifier: BSD-3-Clause
// The families of algorithms: what a person has written about each, for `tutti info --algorithm`
// and for the catalogue. families.txt has the texts.
#pragma once

#include <string>
#include <vector>

#include "selection/policy.hpp"

namespace tutti::tools {

struct Family {
  std::string name;
  std::string title;
  std::vector<const schedule::Generator*> members;
  std::string when;
  std::vector<std::string> steps;
  // The plan and the number of ranks that pictures show.
  selection::Forced picture{};
  int ranks = 4;
};

// Returns all families. Throws Error(invalid_argument) if families.txt lacks one that an algorithm
// names.
[[nodiscard]] const std::vector<Family>& families();

// Returns the family of the algorithm; null if it is not built in.
[[nodiscard]] const Family* family_of(const schedule::Generator& generator);

}  // namespace tutti::tools
