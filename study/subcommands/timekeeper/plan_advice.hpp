// SPDX-License-Identifier: BSD-3-Clause
// Answers which plan is the best on the machine. All ranks ask the same questions, and the answers
// are kept, because a choice on a large network takes a while.
#pragma once

#include <map>
#include <string>

#include "selection/choose.hpp"
#include "selection/question_text.hpp"

namespace tutti::tools {

class PlanAdvice {
 public:
  // The machine must outlive the object.
  explicit PlanAdvice(const machine::Machine& machine) : chooser_({}, machine, {}) {}

  // `question` is a question_text() of selection. Returns the name of a plan.
  [[nodiscard]] const std::string& on(const std::string& question) {
    auto [place, is_new] = answers_.try_emplace(question);
    if (is_new) {
      const auto [asked, bytes] = selection::parse_question(question);
      place->second = selection::plan_name(asked.operation, chooser_.choose_by_model(asked, bytes));
    }
    return place->second;
  }

 private:
  selection::Chooser chooser_;
  std::map<std::string, std::string> answers_;
};

}  // namespace tutti::tools
