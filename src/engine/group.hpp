// SPDX-License-Identifier: BSD-3-Clause
// A group of processes as one of its members sees it: who belongs to it, how many operations it has
// done, and its plans.
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

// What is done with every plan when it is made.
struct PlanPolicy {
  bool verify = false;  // prove it for this p, TUTTI_VERIFY
  // How its blocking runs appear to other operations: two of mode blocking never overlap.
  Mode mode = Mode::blocking;
};

// Chooses by one policy and by what `machine_info` says, which is asked when the first choice has
// to be made.
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

// What the groups of a process share.
struct Common {
  transport::Transport& transport;
  InFlight& in_flight;
  LazyChooser& choice;
  PlanPolicy policy{};
  std::function<int(int)> host_of =
      nullptr;  // number of an endpoint's host; nullptr where there is one
  // Whether the group is one that the MPI's own collectives serve, and that MPI's job.
  selection::Native native = selection::Native::no_mpi;
  const transport::wire::WireJob* mpi = nullptr;
};

class Group {
 public:
  Group(group::Members members, int rank, const Common& common);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  [[nodiscard]] const group::Members& members() const { return members_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return members_.size(); }
  // Whether the MPI's own collectives may be chosen for it: only then need anybody ask whether they
  // serve a call.
  [[nodiscard]] bool mpi_may_serve() const {
    return common_.native == selection::Native::may_serve;
  }

  // Made at the first request, kept until the group is freed. Throws Error.
  Plan& plan(const Request& request);
  // What a plan is chosen for.
  struct Question {
    int root;
    std::int64_t bytes;  // of the whole vector, equal on all ranks
    bool commutative;
    bool native_serves;  // the MPI's own may be chosen where a user names it
    friend bool operator==(const Question&, const Question&) = default;
  };
  Plan& chosen(schedule::Operation operation, const Question& question) {
    Answer& last = last_chosen_[static_cast<std::size_t>(operation)];
    if (last.plan == nullptr || last.question != question)
      last = {question, &look_up(operation, question)};
    return *last.plan;
  }
  // The same question as the selection asks it, without the size.
  [[nodiscard]] selection::Question question(schedule::Operation operation,
                                             const Question& question) const;
  // The largest size of the class of `bytes`, for which the chooser is asked once; `bytes` where a
  // table divides the class.
  [[nodiscard]] std::int64_t size_asked_for(schedule::Operation operation,
                                            std::int64_t bytes) const;
  // For counts that are not known everywhere: gather, scatter, complete exchange.
  Plan& chosen_for_local_counts(schedule::Operation operation, int root);
  // Frees the memory that plans keep from one run to the next.
  void release() {
    for (const auto& plan : plans_) plan->release();
  }
  // What is remembered of the last call of an operation with a root, so that the next one, if it is
  // the same but for the addresses of contiguous operands, needs no look-up, check or choice again.
  // `what` is the caller's: type and operator.
  struct Repeat {
    std::uint64_t what = 0;
    std::int64_t input_count = 0, output_count = 0;
    int root = 0;
    std::uint32_t bound = 0;
    std::uint64_t input_bytes = 0, output_bytes = 0;
    std::uintptr_t displacement = 0;  // from input to output: allowed, even if they overlap
    Plan* plan = nullptr;             // nullptr: nothing is remembered
  };
  [[nodiscard]] Repeat& repeat(schedule::Operation operation, int root) {
    return repeats_[static_cast<std::size_t>(operation)]
                   [static_cast<unsigned>(root) % roots_remembered];
  }
  bool run_again(const Repeat& last, void* input, void* output) {
    if (last.bound != last.plan->bindings() || overlap(last, input, output)) return false;
    last.plan->run_again(next_operation_++, input, output);
    return true;
  }
  // The same of a located operator; where.layout is not looked at.
  bool run_located_again(const Repeat& last, void* input, void* output, const Locations& where) {
    const bool same =
        last.bound == last.plan->bindings() && Plan::runs_located_again(last.input_count);
    if (!same || overlap(last, input, output)) return false;
    last.plan->run_located_again(next_operation_++, last.input_count, input, output, where);
    return true;
  }
  // A call that is refused for its arguments is no operation: it takes no number.
  void run(Plan& plan, const Arguments& arguments) {
    plan.check(arguments);
    plan.run(next_operation_++, arguments);
  }
  void run_checked(Plan& plan, const Arguments& arguments) {
    plan.run(next_operation_++, arguments);
  }
  // How many of its operations can be waited for or started again.
  [[nodiscard]] int requests() const {
    int count = 0;
    for (const auto& plan : plans_) count += plan->lent();
    return count;
  }
  // The number of an operation that is started and not waited for.
  std::uint32_t take_number() { return next_operation_++; }

 private:
  // Two sides that are neither apart nor as they were: the long way explains.
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

  // Whether a table tells sizes of the class of `bytes` from each other.
  [[nodiscard]] bool divided(schedule::Operation operation, std::int64_t bytes) const;
  void check_native(const Request& request) const;
  Plan& look_up(schedule::Operation operation, const Question& question);

  static constexpr int operations = 11;
  static constexpr int roots_remembered = 8;  // programs that take turns at being the root

  group::Members members_;
  int rank_;
  Common common_;
  selection::Hosts hosts_;  // empty where there is one
  std::uint32_t next_operation_ = 0;
  std::vector<std::unique_ptr<Plan>> plans_;
  std::array<Answer, operations> last_chosen_;
  std::array<std::array<Repeat, roots_remembered>, operations> repeats_;
  std::array<std::vector<Plan*>, operations>
      chosen_;  // [operation][(root * 4 + kind) * size_classes + class]
};

// Throws Error(no_such_plan) that lists the names there are.
[[nodiscard]] const schedule::Generator& generator_named(schedule::Operation operation,
                                                         std::string_view name);

}  // namespace tutti::engine
