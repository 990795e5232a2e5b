// SPDX-License-Identifier: BSD-3-Clause
// A group of processes as one of its members sees it: its members, its plans, and the number of
// operations so far. The C interface calls collectives through it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/plan.hpp"
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
      selection::Policy policy, Guide machine_info = [] { return selection::MachineInfo(); })
      : policy_(std::move(policy)), machine_info_(std::move(machine_info)) {}
  [[nodiscard]] const selection::Policy& policy() const { return policy_; }
  [[nodiscard]] selection::Chooser& chooser() {
    if (!chooser_) chooser_.emplace(selection::chooser_of(policy_, machine_info_()));
    return *chooser_;
  }

 private:
  selection::Policy policy_;
  Guide machine_info_;
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
  // A call for which tutti chooses a plan. `bytes` is the size of the whole vector, a number equal
  // on all ranks. With `native_serves`, the MPI's own collective is allowed where it is named and
  // the group is all of MPI's job.
  struct Question {
    int root;
    std::int64_t bytes;
    bool commutative;
    bool native_serves;
    bool whole_vectors = false;
    friend bool operator==(const Question&, const Question&) = default;
  };
  Plan& chosen(schedule::Operation operation, const Question& question) {
    Answer& last = last_chosen_[static_cast<std::size_t>(operation)];
    if (last.plan == nullptr || last.question != question)
      last = {question, &look_up(operation, question)};
    return *last.plan;
  }
  // Returns what the choice depends on, except the size.
  [[nodiscard]] selection::Question question(schedule::Operation operation,
                                             const Question& question) const;
  // A call for which tutti chooses the factors of one algorithm. `rows` are those of the mesh that
  // the ranks form, row by row.
  struct FactorsQuestion {
    int root;
    std::int64_t bytes;
    int rows;
  };
  // Returns the plan with the factors that are the fastest in the model of the machine.
  Plan& fastest(const schedule::Generator& generator, const FactorsQuestion& question);
  // Returns the plan for counts that not every rank knows: gather, scatter, complete exchange.
  Plan& chosen_for_local_counts(schedule::Operation operation, int root);
  [[nodiscard]] std::span<const std::unique_ptr<Plan>> plans() const { return plans_; }
  // Frees the memory that plans keep from one run to the next.
  void release() {
    for (const auto& plan : plans_) plan->release();
  }
  // Facts about the last call of an operation with a root. If the next call differs only in the
  // addresses of contiguous operands, it needs no look-up, check or choice. `what` stands for type
  // and operator; the caller defines it.
  struct Repeat {
    std::uint64_t what = 0;
    std::int64_t input_count = 0, output_count = 0;
    int root = 0;
    std::uint32_t bound = 0;
    std::uint64_t input_bytes = 0, output_bytes = 0;
    // Address of the output less that of the input. With the same displacement they may overlap.
    std::uintptr_t displacement = 0;
    Plan* plan = nullptr;  // nullptr: nothing is remembered
  };
  [[nodiscard]] Repeat& repeat(schedule::Operation operation, int root) {
    if (!repeats_) [[unlikely]]
      make_repeats();
    return (*repeats_)[static_cast<std::size_t>(operation)]
                      [static_cast<unsigned>(root) % roots_remembered];
  }
  // Facts about the last call with counts. The counts must be the same, too.
  struct IrregularRepeat {
    Repeat call;
    std::vector<std::int64_t> counts;  // of the input, then of the output, as this rank gave them
  };
  [[nodiscard]] IrregularRepeat& irregular_repeat(schedule::Operation operation, int root) {
    if (!irregular_repeats_) irregular_repeats_ = std::make_unique<IrregularRepeats>();
    return (*irregular_repeats_)[static_cast<std::size_t>(operation)]
                                [static_cast<unsigned>(root) % roots_remembered];
  }
  // `op` replaces the operator of the last call, which had the same signature; nullptr keeps it.
  [[gnu::always_inline]] bool run_again(const Repeat& last, void* input, void* output,
                                        const data::Operator* op = nullptr) {
    if (last.bound != last.plan->bindings() || overlap(last, input, output)) return false;
    if (op != nullptr) last.plan->replace_operator(*op);
    last.plan->run_again(take_number(), input, output);
    return true;
  }
  // A call that is refused for its arguments is no operation: it takes no number.
  void run(Plan& plan, const Arguments& arguments) {
    plan.check(arguments);
    run_checked(plan, arguments);
  }
  void run_checked(Plan& plan, const Arguments& arguments) {
    plan.run(take_number(), arguments);
    if (arguments.op != nullptr && arguments.op->may_fail()) [[unlikely]]
      share_failure(plan);
  }
  // Returns the plan of the allreduce by which all ranks learn whether an operator has failed
  // (engine/operator_failure.hpp), after an operation of this mode.
  Plan& failure_plan(Mode mode);
  // Returns how many requests, which can be waited for or started again, belong to this group.
  [[nodiscard]] int requests() const {
    int count = 0;
    for (const auto& plan : plans_) count += plan->lent();
    return count;
  }
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
  // Returns true if input and output overlap, unless they lie to each other as in the last call.
  // The ordinary path then explains the error.
  static bool overlap(const Repeat& last, const void* input, const void* output) {
    const auto from = reinterpret_cast<std::uintptr_t>(input),
               to = reinterpret_cast<std::uintptr_t>(output);
    return to - from != last.displacement && from < to + last.output_bytes &&
           to < from + last.input_bytes;
  }

  struct Answer {
    Question question{};
    Plan* plan = nullptr;
  };

  [[noreturn]] static void refuse_in_operator();
  void make_repeats();
  // Called after a run of the plan with an operator that may fail. Throws Error(operator_failed) on
  // all ranks if it has failed on one of them.
  void share_failure(const Plan& plan);
  // Returns true if a table chooses differently within the size class of `bytes`.
  [[nodiscard]] bool divided(schedule::Operation operation, std::int64_t bytes) const;
  void check_root(int root) const;
  void check_native(const Request& request) const;
  Plan& look_up(schedule::Operation operation, const Question& question);
  Plan& make_for_local_counts(schedule::Operation operation, int root);

  static constexpr int operations = schedule::operation_kinds;
  static constexpr int roots_remembered = 8;  // enough where a few ranks take turns as the root

  group::Members members_;
  int rank_;
  Common common_;
  selection::Hosts hosts_;  // empty if there is only one host
  std::uint32_t next_operation_ = 0;
  std::vector<std::unique_ptr<Plan>> plans_;
  std::array<Answer, operations> last_chosen_;
  // Made at the first call: a program may have many thousand groups of which it uses few.
  using Repeats = std::array<std::array<Repeat, roots_remembered>, operations>;
  std::unique_ptr<Repeats> repeats_;
  using IrregularRepeats = std::array<std::array<IrregularRepeat, roots_remembered>, operations>;
  std::unique_ptr<IrregularRepeats> irregular_repeats_;
  // Plans chosen so far: [operation][(root * 8 + kind) * size_classes + class].
  std::array<std::vector<Plan*>, operations> chosen_;
  // Plans for counts that not every rank knows: [operation][root].
  std::array<std::vector<Plan*>, operations> for_local_counts_;
};

[[nodiscard]] Request request_of(const schedule::Generator& generator, int root,
                                 const selection::Settings& settings);

// Throws Error(no_such_plan) that lists the existing names.
[[nodiscard]] const schedule::Generator& generator_named(schedule::Operation operation,
                                                         std::string_view name);

}  // namespace tutti::engine
