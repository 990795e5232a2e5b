// SPDX-License-Identifier: BSD-3-Clause
// Chooses the algorithm for an operation when the caller names none. The choice is a pure function
// of what is equal on all ranks. Otherwise ranks could choose differently and wait for each other
// for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "schedule/generator.hpp"
#include "selection/host_ranking.hpp"
#include "selection/policy.hpp"
#include "selection/ranking.hpp"
#include "selection/settings.hpp"
#include "selection/table.hpp"

namespace tutti::selection {

enum class Decider : std::uint8_t { user, table, shared_memory, model };

struct Choice {
  std::string_view algorithm;
  std::string reason;  // one clause, for explanations
  Settings settings{};
  Decider decider = Decider::user;
};

// The name of the plan that the choice makes, in the form of plan_name in settings.hpp.
[[nodiscard]] std::string plan_name(schedule::Operation operation, const Choice& choice);

// Chooses for one policy. A forced algorithm comes first, then the first row of the tables that may
// serve, then, on one host, the least price in shared memory (host_ranking.hpp). On several hosts
// the model of alpha, beta and gamma decides. The rates are those of the profile given, or of
// `host`. Without a number of processors, those count that this process may use.
class Chooser {
 public:
  explicit Chooser(Policy policy = {}, std::optional<machine::Profile> profile = std::nullopt,
                   std::vector<Table> tables = {}, int processors = 0);
  // Chooses as on a described machine, on the first nodes of which the ranks lie. Shared memory has
  // no price there.
  Chooser(Policy policy, const machine::Machine& machine, std::vector<Table> tables);

  // Returns a plan for a question and the bytes of its vector.
  using Adviser = std::function<Forced(const Question&, std::int64_t)>;
  // From now on the adviser says what is best by the model.
  void set_adviser(Adviser adviser) { adviser_ = std::move(adviser); }

  // Returns the choice that serves a call of `bytes`, the size of the whole vector. It is made by
  // size_asked_for(). Throws Error(no_such_plan) if the forced algorithm must not serve the
  // question.
  [[nodiscard]] Choice choose(Question question, std::int64_t bytes);
  // Returns what has the least time in the model, whatever policy and tables say.
  [[nodiscard]] Choice choose_by_model(const Question& question, std::int64_t bytes);
  // Returns the size by which a call of `bytes` is decided: the largest of its class, so that one
  // choice serves the whole class, or `bytes` itself where a table divides the class.
  [[nodiscard]] std::int64_t size_asked_for(schedule::Operation operation, int p,
                                            std::int64_t bytes) const;
  // Returns true if a table treats some of these sizes unlike others.
  [[nodiscard]] bool divides(schedule::Operation operation, int p, const Range& bytes) const;

  [[nodiscard]] const Policy& policy() const { return policy_; }
  // Returns the row that says who serves a call of a program of an MPI; nullptr if none does.
  [[nodiscard]] const MpiRow* row_for(const MpiCall& call) const;
  // The profile by which the model prices.
  [[nodiscard]] const machine::Profile& machine() const { return machine_; }
  // The number of processors that the job may use.
  [[nodiscard]] int processors() const { return host_ranking_.processors(); }

 private:
  // Returns the cheapest plan for processes on one host, if any may serve.
  std::optional<Choice> on_one_host(const Question& question, std::int64_t bytes);
  Choice choose_by(Question question, std::int64_t size);
  // Appends to `notes` the plans that a table names although they must not serve.
  std::optional<Choice> by_table(const Question& question, std::int64_t bytes,
                                 std::string& notes) const;

  Policy policy_;
  machine::Profile machine_;
  std::shared_ptr<const machine::Topology> network_{};  // of the described machine
  Rankings rankings_;
  std::vector<Table> tables_;
  HostRanking host_ranking_;
  Adviser adviser_{};
};

// Chooses as the default policy does on one host, with the rates of `host`.
// `commutative` says whether operands may change places.
[[nodiscard]] Choice choose(schedule::Operation operation, int p, std::int64_t bytes,
                            bool commutative);

}  // namespace tutti::selection
