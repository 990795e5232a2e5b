// SPDX-License-Identifier: BSD-3-Clause
// A group of processes as one of its members sees it: its members, its plans, and the number of
// operations so far. The C interface calls collectives through it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/bound_calls.hpp"
#include "engine/choices.hpp"
#include "selection/machine_info.hpp"

namespace tutti::engine {

// Settings with which a group makes its plans.
struct PlanPolicy {
  bool verify = false;  // proves each plan for this p (TUTTI_VERIFY)
  // Says how blocking runs appear to other operations: two of mode blocking never overlap.
  Mode mode = Mode::blocking;
};

// Chooses algorithms by one policy and the machine information. It asks for that information only
// when the first choice is made, because the answer may have to be waited for.
class LazyChooser {
 public:
  using Guide = std::function<selection::MachineInfo()>;
  explicit LazyChooser(
      selection::Policy policy, Guide machine_info = [] { return selection::MachineInfo(); },
      selection::Chooser::Adviser adviser = nullptr)
      : policy_(std::move(policy)),
        machine_info_(std::move(machine_info)),
        adviser_(std::move(adviser)) {}
  [[nodiscard]] const selection::Policy& policy() const { return policy_; }
  [[nodiscard]] selection::Chooser& chooser() {
    if (!chooser_) {
      chooser_.emplace(selection::chooser_of(policy_, machine_info_()));
      if (adviser_) chooser_->set_adviser(adviser_);
    }
    return *chooser_;
  }

 private:
  selection::Policy policy_;
  Guide machine_info_;
  selection::Chooser::Adviser adviser_;
  std::optional<selection::Chooser> chooser_;
};

// Objects and settings of the process that its groups use.
struct Common {
  transport::Transport& transport;
  InFlight& in_flight;
  LazyChooser& choice;
  PlanPolicy policy{};
  // Returns the number of an endpoint's host; nullptr if there is only one host.
  std::function<int(int)> host_of = nullptr;
  // Says whether the MPI's own collectives can serve this group, and for which ranks.
  selection::Native native = selection::Native::no_mpi;
  transport::wire::NativeRanks mpi{};
};

class Group {
 public:
  Group(group::Members members, int rank, const Common& common);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  [[nodiscard]] const group::Members& members() const { return members_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return members_.size(); }
  // Returns true if the MPI's own collectives may be chosen for this group. Only then must a caller
  // find out whether they serve its call.
  [[nodiscard]] bool mpi_may_serve() const {
    return common_.native == selection::Native::may_serve;
  }

  // Says that the MPI's own collectives serve this group from now on, for these ranks.
  void use_mpi(const transport::wire::NativeRanks& ranks) {
    common_.mpi = ranks;
    common_.native = selection::Native::may_serve;
  }
  [[nodiscard]] const transport::wire::NativeRanks& mpi() const { return common_.mpi; }

  // Returns the plan for this request. It is made at the first request and kept until the group is
  // freed. Throws Error.
  Plan& plan(const Request& request);
  // Returns the plan for a call for which tutti chooses. Throws Error.
  Plan& chosen(schedule::Operation operation, const PlanQuestion& question) {
    check_root(question.root);
    Plan*& known = choices_.answer(operation, question);
    return known != nullptr ? *known : choose(operation, question);
  }
  // Returns what the choice depends on, except the size.
  [[nodiscard]] selection::Question question(schedule::Operation operation,
                                             const PlanQuestion& question) const;
  // A call for which tutti chooses the factors of one algorithm. `rows` are those of the mesh that
  // the ranks form, row by row.
  struct FactorsQuestion {
    int root;
    std::int64_t bytes;
    int rows;
  };
  // Returns the plan with the factors that are the fastest in the model of the machine.
  Plan& fastest(const schedule::Generator& generator, const FactorsQuestion& question);
  [[nodiscard]] std::span<const std::unique_ptr<Plan>> plans() const { return choices_.plans(); }
  // Frees the memory that calls keep from one run to the next.
  void release() { calls_.release(); }

  // Runs a blocking call if it repeats one that is remembered, with contiguous operands at these
  // addresses. Otherwise returns false: the general way then explains what is wrong, if anything
  // is. `op` replaces the operator, which has the same signature; nullptr keeps that one.
  [[gnu::always_inline]] bool run_again(schedule::Operation operation, const Signature& call,
                                        void* input, void* output,
                                        const data::Operator* op = nullptr,
                                        transport::GiveUp question = {}) {
    BoundCall* const bound = calls_.find(operation, call);
    // A predicate of the program may make the same call in a wait of this one.
    if (bound == nullptr || bound->in_use() || !bound->admits(input, output)) return false;
    const std::uint32_t number = take_number();
    try {
      bound->run_again(number, input, output, op, question);
    } catch (...) {
      calls_.end(*bound);  // it stays in the middle of a round
      throw;
    }
    return true;
  }
  // Runs a blocking call whose arguments the plan has checked, and remembers it, if its signature
  // says so. A call that is refused for its arguments is no operation: it takes no number.
  void run(Plan& plan, const Arguments& arguments, const Signature& call = {},
           const Extent& extent = {});
  // Returns a call of the plan that can go on beside others: one that was given back, or a new one.
  [[nodiscard]] std::unique_ptr<BoundCall> lend(Plan& plan);
  void give_back(std::unique_ptr<BoundCall> call);
  // Returns the plan of the allreduce by which all ranks learn whether an operator has failed
  // (engine/operator_failure.hpp), after an operation of this mode.
  Plan& failure_plan(Mode mode);
  // Returns how many requests, which can be waited for or started again, belong to this group.
  [[nodiscard]] int requests() const { return lent_; }
  // Returns the number that the next operation will have.
  [[nodiscard]] std::uint32_t next_number() const { return next_operation_; }
  // Returns the number of an operation that begins. Throws Error if the caller is a function that
  // combines operands for this group: its call cannot end before the operation that it is part of.
  std::uint32_t take_number() {
    if (common_.in_flight.combines_for(members_.id())) [[unlikely]]
      refuse_in_operator();
    return next_operation_++;
  }

 private:
  [[noreturn]] static void refuse_in_operator();
  // Called after a run of the plan with an operator that may fail. Throws Error(operator_failed) on
  // all ranks if it has failed on one of them.
  void share_failure(const Plan& plan, int code, transport::GiveUp question);
  void check_root(int root) const {
    if (root < 0 || root >= size()) [[unlikely]]
      refuse_root(root);
  }
  [[noreturn]] void refuse_root(int root) const;
  void check_native(const Request& request) const;
  Plan& choose(schedule::Operation operation, const PlanQuestion& question);
  Plan& make_for_local_counts(schedule::Operation operation, int root);

  group::Members members_;
  int rank_;
  Common common_;
  selection::Hosts hosts_;  // empty if there is only one host
  std::uint32_t next_operation_ = 0;
  Choices choices_;
  BoundCalls calls_;
  int lent_ = 0;
};

// Throws Error(no_such_plan) that lists the existing names.
[[nodiscard]] const schedule::Generator& generator_named(schedule::Operation operation,
                                                         std::string_view name);

}  // namespace tutti::engine
