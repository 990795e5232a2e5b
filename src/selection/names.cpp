// SPDX-License-Identifier: BSD-3-Clause
// Finds operations by their names.
#include "selection/names.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "schedule/printer.hpp"

namespace tutti::selection {

using schedule::Operation;

Operation operation_named(std::string_view name) {
  std::string all;
  std::vector<base::KnownWord> known;
  for (int i = 0; i < schedule::operation_kinds; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (schedule::to_text(operation) == name ||
        algorithms::is_word_of(name, facts_of(operation).aliases))
      return operation;
    all += (all.empty() ? "" : ", ") + std::string(schedule::to_text(operation));
    known.push_back({schedule::to_text(operation), schedule::to_text(operation)});
    for (const std::string_view alias : algorithms::words_of(facts_of(operation).aliases))
      known.push_back({alias, schedule::to_text(operation)});
  }
  const std::string hint = base::did_you_mean(name, known);
  base::fail(base::Status::invalid_argument, "there is no operation '{}'{}", name,
             hint.empty() ? "; there are: " + all : hint);
}

}  // namespace tutti::selection
