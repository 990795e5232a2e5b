// SPDX-License-Identifier: BSD-3-Clause
// Writes and reads questions as words (question_text.hpp).
#include "selection/question_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "algorithms/registry.hpp"
#include "base/error.hpp"

namespace tutti::selection {

std::string question_text(const Question& question, std::int64_t bytes) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {}", static_cast<int>(question.operation),
                     question.p, question.root, static_cast<int>(question.commutative),
                     static_cast<int>(question.reproducible),
                     static_cast<int>(question.whole_vectors), static_cast<int>(question.native),
                     question.only == nullptr ? "-" : question.only->name, bytes,
                     fmt::join(question.mesh, " "));
}

std::pair<Question, std::int64_t> parse_question(const std::string& text) {
  std::istringstream words(text);
  Question question;
  int operation = 0, native = 0;
  std::string only;
  std::int64_t bytes = 0;
  words >> operation >> question.p >> question.root >> question.commutative >>
      question.reproducible >> question.whole_vectors >> native >> only >> bytes;
  if (!words || operation < 0 || operation >= schedule::operation_kinds || question.p < 1)
    base::fail(base::Status::invalid_argument, "'{}' is no question for a plan", text);
  question.operation = static_cast<schedule::Operation>(operation);
  question.native = static_cast<Native>(native);
  if (only != "-") question.only = algorithms::named(question.operation, only);
  for (int extent = 0; words >> extent;) question.mesh.push_back(extent);
  return {std::move(question), bytes};
}

}  // namespace tutti::selection
