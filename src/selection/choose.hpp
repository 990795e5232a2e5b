// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm serves an operation when the caller names none. A pure function of what is equal on all ranks: were
// it anything else, ranks would choose differently and wait for each other for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "machine/profile.hpp"
#include "schedule/generator.hpp"
#include "selection/policy.hpp"
#include "selection/ranking.hpp"
#include "selection/settings.hpp"

namespace tutti::selection {

struct Choice {
  std::string_view algorithm;
  std::string reason;  // one clause, for explanations
  Settings settings{};
};

// Chooses for one policy. Without a profile of the machine in use the rule made by measurements comes first, and what
// it does not cover goes by the profile `host`; with one, the model decides everything that is not forced.
class Chooser {
 public:
  explicit Chooser(Policy policy = {}, std::optional<machine::Profile> profile = std::nullopt);

  // `bytes`: of the whole vector. Throws Error(no_such_plan) if what is forced must not serve the question.
  [[nodiscard]] Choice choose(Question question, std::int64_t bytes);

  [[nodiscard]] const Policy& policy() const { return policy_; }

 private:
  Choice by_model(const Question& question, std::int64_t bytes);

  Policy policy_;
  bool measured_;
  std::string machine_;
  Rankings rankings_;
};

// By the rule alone, as for the default policy. `commutative`: whether operands may change places.
[[nodiscard]] Choice choose(schedule::Operation operation, int p, std::int64_t bytes, bool commutative);

}  // namespace tutti::selection
