// SPDX-License-Identifier: BSD-3-Clause
// Makes, finds and chooses the plans of a group.
#include "engine/group.hpp"

#include <algorithm>
#include <string>

#include "algorithms/adopted.hpp"
#include "algorithms/from_file.hpp"
#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "engine/operator_failure.hpp"
#include "schedule/printer.hpp"
#include "selection/size_class.hpp"

namespace tutti::engine {

const schedule::Generator& generator_named(schedule::Operation operation, std::string_view name) {
  if (const schedule::Generator* found = algorithms::named(operation, name)) return *found;
  if (algorithms::names_file(name))
    base::fail(base::Status::no_such_plan, "{} holds no schedule for {}, only for {}", name,
               schedule::to_text(operation), algorithms::operations_in_file(name));
  std::string names;
  for (const schedule::Generator* generator : algorithms::all()) {
    if (generator->operation == operation) names += std::string(generator->name) + ", ";
  }
  names += algorithms::native_name;
  base::fail(base::Status::no_such_plan,
             "there is no algorithm '{}' for this operation; there are: {}", name, names);
}

namespace {

// The hash of calls of a plan that are not known again.
std::uint64_t hash_of(const Plan& plan) {
  return Signature{.plan = &plan}.hash();
}

}  // namespace

Group::Group(group::Members members, int rank, const Common& common)
    : members_(std::move(members)),
      rank_(rank),
      common_(common),
      calls_(common.transport.tuning()) {
  if (common.host_of == nullptr) return;
  std::vector<int> hosts;
  for (int i = 0; i < size(); ++i) hosts.push_back(common.host_of(members_.endpoint(i)));
  hosts_ = selection::numbered_hosts(hosts);
}

Plan& Group::plan(const Request& request) {
  if (Plan* const made = choices_.made(request)) return *made;
  check_root(request.root);
  const selection::Settings& settings = request.settings;
  if (settings.branches < 1 || settings.rings < 1 || settings.segments < 1) {
    base::fail(base::Status::invalid_argument,
               "branches, rings and segments must be 1 or more, not {}, {} and {}",
               settings.branches, settings.rings, settings.segments);
  }
  selection::require_setting("segments", settings.segments);
  if (algorithms::is_native(*request.generator)) check_native(request);
  auto unproved = std::make_unique<Plan>(members_, rank_, request, common_.transport, common_.mpi);
  if (common_.policy.verify)
    unproved->verify();
  else if (algorithms::source_of(*request.generator) != nullptr)
    unproved->check_executed();
  return choices_.add(std::move(unproved));
}

// MPI matches collectives in the order of their calls. After a started operation, this allreduce
// begins when the operation is over here, so its place among other calls of MPI's differs from rank
// to rank. It is then none of MPI's, whatever the user wants of allreduces.
Plan& Group::failure_plan(Mode mode) {
  constexpr auto allreduce = schedule::Operation::allreduce;
  const bool is_started = mode == Mode::overlapping;
  const auto& forced = common_.choice.policy().forced_for(allreduce);
  if (is_started && forced && algorithms::is_native(*forced->generator))
    return plan({&generator_named(allreduce, "bidirectional_exchange"), 0});
  return chosen(allreduce, {.root = 0,
                            .bytes = OperatorFailure::bytes,
                            .commutative = true,
                            .native_serves = !is_started && mpi_may_serve()});
}

// The call is out of its place while it runs, so nothing that the program's functions do can
// replace it. After an error it ends.
void Group::run(Plan& plan, const Arguments& arguments, const Signature& call,
                const Extent& extent) {
  const std::uint64_t hash = call.what != 0 ? call.hash() : hash_of(plan);
  const bool is_full = calls_.is_full(plan.operation());
  std::unique_ptr<BoundCall> bound;
  if (is_full || call.what == 0) bound = calls_.take(plan, common_.policy.mode, hash);
  if (bound == nullptr)
    bound = std::make_unique<BoundCall>(plan, common_.in_flight, common_.policy.mode);
  bound->run(take_number(), arguments);
  if (arguments.op != nullptr && arguments.op->may_fail()) [[unlikely]]
    share_failure(plan, bound->operator_code(), arguments.question);
  if (call.what != 0) bound->remember(call, extent);
  calls_.put(std::move(bound), hash);
}

std::unique_ptr<BoundCall> Group::lend(Plan& plan) {
  ++lent_;
  std::unique_ptr<BoundCall> call = calls_.take(plan, Mode::overlapping, hash_of(plan));
  if (call == nullptr)
    call = std::make_unique<BoundCall>(plan, common_.in_flight, Mode::overlapping);
  return call;
}

void Group::give_back(std::unique_ptr<BoundCall> call) {
  --lent_;
  if (call->in_use()) return;
  const std::uint64_t hash = hash_of(call->plan());
  calls_.put(std::move(call), hash);
}

void Group::share_failure(const Plan& plan, int code, transport::GiveUp question) {
  OperatorFailure failure;
  failure.tell(rank_, code, question);
  run(failure_plan(Mode::blocking), failure.arguments());
  failure.check(plan.operation());
}

void Group::refuse_in_operator() {
  base::fail(base::Status::invalid_argument,
             "the function of a user's operator calls a collective of the group for which it "
             "combines: it may only combine its operands");
}

void Group::refuse_root(int root) const {
  base::fail(base::Status::invalid_argument,
             "argument 'root' is {} but the group has {} ranks (rank {})", root, size(), rank_);
}

void Group::check_native(const Request& request) const {
  const selection::Question asked =
      question(request.generator->operation,
               {.root = request.root, .bytes = 0, .commutative = true, .native_serves = true});
  const std::string why = selection::native_rejection(asked);
  if (why.empty()) return;
  base::fail(base::Status::no_such_plan, "algorithm 'native' for {} {} (rank {} of a group of {})",
             schedule::to_text(asked.operation), why, rank_, size());
}

selection::Question Group::question(schedule::Operation operation,
                                    const PlanQuestion& question) const {
  selection::Question asked;
  asked.operation = operation;
  asked.p = size();
  asked.root = question.root;
  asked.commutative = question.commutative;
  asked.whole_vectors = question.whole_vectors;
  selection::lay_on(asked, hosts_);
  asked.native = common_.native;
  if (!question.native_serves && asked.native == selection::Native::may_serve)
    asked.native = selection::Native::unserved;
  return asked;
}

Plan& Group::choose(schedule::Operation operation, const PlanQuestion& question) {
  Plan* found = nullptr;
  if (question.local_counts) {
    found = &make_for_local_counts(operation, question.root);
  } else {
    selection::Chooser& chooser = common_.choice.chooser();
    const selection::Choice choice =
        chooser.choose(this->question(operation, question), question.bytes);
    found = &plan({&generator_named(operation, choice.algorithm), question.root, choice.settings});
    // A table may choose differently within the size class.
    const auto sizes = selection::sizes_of_class(selection::size_class_of(question.bytes));
    if (chooser.divides(operation, size(), sizes)) return *found;
  }
  return *(choices_.answer(operation, question) = found);
}

Plan& Group::fastest(const schedule::Generator& generator, const FactorsQuestion& question) {
  const auto [root, bytes, rows] = question;
  check_root(root);
  selection::Question asked =
      this->question(generator.operation,
                     {.root = root, .bytes = bytes, .commutative = true, .native_serves = false});
  asked.only = &generator;
  if (rows > 1) asked.mesh = {rows, size() / rows};
  return plan(
      {&generator, root, common_.choice.chooser().choose(std::move(asked), bytes).settings});
}

Plan& Group::make_for_local_counts(schedule::Operation operation, int root) {
  if (const auto& forced = common_.choice.policy().forced_for(operation)) {
    return plan({forced->generator, root, forced->settings});
  }
  // Largest group whose blocks are exchanged all at once; larger ones exchange block by block. Two
  // ranks have only one block for each other.
  constexpr int most_at_once = 16;
  const bool exchange = operation == schedule::Operation::alltoall;
  const char* name = !exchange                              ? "fully_connected"
                     : size() > 2 && size() <= most_at_once ? "direct"
                                                            : "pairwise";
  return plan({&generator_named(operation, name), root});
}

}  // namespace tutti::engine
