// SPDX-License-Identifier: BSD-3-Clause
// Chooses what is forced, else what a table names, else by the price in shared memory, or by the
// model on several hosts.
#include "selection/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "base/processors.hpp"
#include "schedule/printer.hpp"
#include "selection/size_class.hpp"

namespace tutti::selection {
namespace {

Choice forced_choice(const Forced& forced, const Question& question) {
  const std::string name = plan_name(*forced.generator, forced.settings);
  const std::string why = rejection({forced.generator, forced.settings, name, {}, {}}, question);
  if (!why.empty()) {
    base::fail(base::Status::no_such_plan, "{}={} is asked for, but for p = {} it {}",
               schedule::to_text(question.operation), name, question.p, why);
  }
  return {forced.generator->name, "asked for by name", forced.settings, Decider::user};
}

}  // namespace

std::string plan_name(schedule::Operation operation, const Choice& choice) {
  return plan_name(*algorithms::named(operation, choice.algorithm), choice.settings);
}

Chooser::Chooser(Policy policy, std::optional<machine::Profile> profile, std::vector<Table> tables,
                 int processors)
    : policy_(std::move(policy)),
      machine_(profile ? *std::move(profile) : machine::load("host")),
      rankings_(machine_),
      tables_(std::move(tables)),
      host_ranking_(host_rates_of(machine_),
                    processors > 0 ? processors : static_cast<int>(base::usable_cpus())) {}

Chooser::Chooser(Policy policy, const machine::Machine& machine, std::vector<Table> tables)
    : policy_(std::move(policy)),
      machine_(machine.profile),
      network_(machine.network.topology),
      rankings_(machine_, network_.get()),
      tables_(std::move(tables)),
      host_ranking_(host_rates_of(machine_), static_cast<int>(base::usable_cpus())) {}

std::optional<Choice> Chooser::on_one_host(const Question& question, std::int64_t bytes) {
  const auto best = host_ranking_.best(question, bytes);
  if (!best) return std::nullopt;
  return Choice{
      best->generator->name,
      fmt::format("least price in shared memory, for {} processors", host_ranking_.processors()),
      {},
      Decider::shared_memory};
}

Choice Chooser::choose(Question question, std::int64_t bytes) {
  const std::int64_t size = size_asked_for(question.operation, question.p, bytes);
  return choose_by(std::move(question), size);
}

Choice Chooser::choose_by(Question question, std::int64_t size) {
  question.reproducible = question.reproducible || policy_.reproducible;
  if (network_ != nullptr && question.p == network_->nodes() && question.mesh.empty())
    question.mesh = machine::mesh_of(*network_);
  // Policy, tables and the ranking of a host name algorithms, not settings of one.
  if (question.only != nullptr) return choose_by_model(question, size);
  if (const auto& forced = policy_.forced_for(question.operation))
    return forced_choice(*forced, question);
  std::string notes;
  if (auto choice = by_table(question, size, notes)) return *std::move(choice);
  std::optional<Choice> choice;
  if (question.hosts.empty() && network_ == nullptr) choice = on_one_host(question, size);
  if (!choice) choice = choose_by_model(question, size);
  choice->reason += notes;
  return *std::move(choice);
}

std::int64_t Chooser::size_asked_for(schedule::Operation operation, int p,
                                     std::int64_t bytes) const {
  const int size_class = size_class_of(bytes);
  return divides(operation, p, sizes_of_class(size_class)) ? bytes
                                                           : sizes_of_class(size_class).last;
}

bool Chooser::divides(schedule::Operation operation, int p, const Range& bytes) const {
  return std::any_of(tables_.begin(), tables_.end(), [&](const Table& table) {
    return table.divides(operation, p, bytes, processors());
  });
}

const MpiRow* Chooser::row_for(const MpiCall& call) const {
  for (const Table& table : tables_)
    if (const MpiRow* const row = table.row_for(call, processors())) return row;
  return nullptr;
}

std::optional<Choice> Chooser::by_table(const Question& question, std::int64_t bytes,
                                        std::string& notes) const {
  for (const Table& table : tables_) {
    for (const TableRow& row : table.rows()) {
      const bool meant = row.operation == question.operation && row.ranks.contains(question.p) &&
                         row.bytes.contains(bytes);
      if (!meant) continue;
      if (!row.origin.serves(processors())) {
        notes += fmt::format("; {} line {} is for {} processors", table.origin(), row.line,
                             row.origin.processors);
        continue;
      }
      const std::string name = plan_name(*row.generator, row.settings);
      const std::string why = rejection({row.generator, row.settings, name, {}, {}}, question);
      if (why.empty()) {
        return Choice{row.generator->name,
                      fmt::format("named by {} line {}", table.origin(), row.line), row.settings,
                      Decider::table};
      }
      notes += fmt::format("; {} line {} names {}, but it {}", table.origin(), row.line, name, why);
    }
  }
  return std::nullopt;
}

Choice Chooser::choose_by_model(const Question& question, std::int64_t bytes) {
  const std::string reason = fmt::format("least time in the model of machine {}", machine_.name);
  if (adviser_) {
    const Forced plan = adviser_(question, bytes);
    return {plan.generator->name, reason, plan.settings, Decider::model};
  }
  const Ranking& ranking = rankings_.of(question);
  if (ranking.empty()) {
    base::fail(base::Status::no_such_plan, "no algorithm for {} of {} ranks{}{}",
               schedule::to_text(question.operation), question.p,
               question.commutative ? "" : " keeps the order of the operands",
               question.reproducible ? " in the canonical order" : "");
  }
  const Alternative& best = ranking.best(static_cast<double>(bytes));
  return {best.generator->name, reason, best.settings, Decider::model};
}

Choice choose(schedule::Operation operation, int p, std::int64_t bytes, bool commutative) {
  Question question;
  question.operation = operation;
  question.p = p;
  question.commutative = commutative;
  return Chooser().choose(std::move(question), bytes);
}

}  // namespace tutti::selection
