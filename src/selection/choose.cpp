// SPDX-License-Identifier: BSD-3-Clause
// What is forced, else the rule, else the model.
#include "selection/choose.hpp"

#include <fmt/format.h>

#include <utility>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "selection/rule.hpp"

namespace tutti::selection {
namespace {

Choice forced_choice(const Forced& forced, const Question& question) {
  const std::string settings = to_text(forced.settings);
  const std::string name = forced.generator->name + (settings.empty() ? "" : ":" + settings);
  const std::string why = obstacle({forced.generator, forced.settings, name, {}, {}}, question);
  if (!why.empty()) {
    base::fail(base::Status::no_such_plan, "{}={} is asked for, but for p = {} it {}",
               schedule::to_text(question.operation), name, question.p, why);
  }
  return {forced.generator->name, "asked for by name", forced.settings};
}

// The advice of the rule as far as the algorithm exists and may serve.
std::optional<Choice> advised(const Question& question, std::int64_t bytes) {
  const Advice advice = rule(question.operation, question.p, bytes);
  const schedule::Generator* generator = algorithms::find(question.operation, advice.algorithm);
  if (generator == nullptr || !obstacle({generator, {}, {}, {}, {}}, question).empty()) return std::nullopt;
  return Choice{generator->name, std::string(advice.reason)};
}

}  // namespace

Chooser::Chooser(Policy policy, std::optional<machine::Profile> profile)
    : policy_(std::move(policy)),
      measured_(profile.has_value()),
      machine_(profile ? profile->name : "host"),
      rankings_(profile ? *profile : machine::load("host")) {}

Choice Chooser::choose(Question question, std::int64_t bytes) {
  question.reproducible = question.reproducible || policy_.reproducible;
  if (const auto& forced = policy_.forced_for(question.operation)) return forced_choice(*forced, question);
  if (!measured_) {
    if (auto choice = advised(question, bytes)) return *std::move(choice);
  }
  return by_model(question, bytes);
}

Choice Chooser::by_model(const Question& question, std::int64_t bytes) {
  const Ranking& ranking = rankings_.of(question);
  if (ranking.empty()) {
    base::fail(base::Status::no_such_plan, "no algorithm for {} of {} ranks{}{}", schedule::to_text(question.operation),
               question.p, question.commutative ? "" : " keeps the order of the operands",
               question.reproducible ? " in the canonical order" : "");
  }
  const Alternative& best = ranking.best(static_cast<double>(bytes));
  return {best.generator->name, fmt::format("least time in the model of machine {}", machine_), best.settings};
}

Choice choose(schedule::Operation operation, int p, std::int64_t bytes, bool commutative) {
  Question question;
  question.operation = operation;
  question.p = p;
  question.commutative = commutative;
  if (auto choice = advised(question, bytes)) return *std::move(choice);
  return Chooser().choose(std::move(question), bytes);
}

}  // namespace tutti::selection
