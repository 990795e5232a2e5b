// SPDX-License-Identifier: BSD-3-Clause
// Makes a plan and operands from a call, and runs it in one of three ways.
#include "api/call.hpp"

#include "api/plans.hpp"
#include "engine/native.hpp"

namespace tutti::api {
namespace {

using schedule::Operation;

std::span<const std::int64_t> listed(const std::int64_t* counts, int p, const char* argument) {
  if (counts == nullptr)
    base::fail(base::Status::invalid_argument, "argument '{}' is NULL", argument);
  return {counts, static_cast<std::size_t>(p)};
}

// Returns the counts that a call gives on this rank. Throws Error if one is missing.
engine::RankCounts counts_of(const engine::Group& group, const Call& call) {
  const engine::OperandNeeds needs = engine::needs_of(call.operation, group.rank() == call.root);
  const bool both = call.operation == Operation::alltoall;
  const bool by_input =
      both || call.operation == Operation::scatter || call.operation == Operation::reduce_scatter;
  const bool by_output = both || !by_input;
  engine::RankCounts counts;
  if (call.given == GivenCounts::even) return counts;
  // Only the root has input and output, and knows all counts.
  if (call.given == GivenCounts::own && !(needs.input && needs.output)) {
    counts.cut = engine::Cut::own_only;
    return counts;
  }
  counts.cut = engine::Cut::by_counts;
  const int p = group.size();
  if (by_input) counts.input = listed(call.input_counts, p, both ? "input_counts" : "counts");
  if (by_output) counts.output = listed(call.output_counts, p, both ? "output_counts" : "counts");
  return counts;
}

// Returns true if the plan must work with counts that not every rank knows.
bool local_counts(const Call& call) {
  return call.given == GivenCounts::own ||
         (call.given == GivenCounts::everything && call.operation == Operation::alltoall);
}

}  // namespace

PreparedCall::PreparedCall(ApiState& mine, engine::Group& group, const Call& call) {
  const engine::OperandNeeds needs = engine::needs_of(call.operation, group.rank() == call.root);
  if (needs.input) input_ = operand_of(call.operands.input, "input");
  if (needs.output) {
    output_ = operand_of(call.operands.output,
                         call.operation == Operation::broadcast ? "data" : "output");
  }
  if (needs.input && needs.output && call.operands.input->type != call.operands.output->type) {
    base::fail(base::Status::invalid_argument,
               "input has elements of type {} but output of type {}",
               type_text(call.operands.input->type), type_text(call.operands.output->type));
  }
  if (needs.input) arguments_.input = &input_;
  if (needs.output) arguments_.output = &output_;
  if (combines(call.operation))
    arguments_.op = &mine.op(call.operands.op, call.operands.input->type);
  arguments_.counts = counts_of(group, call);
  plan_ = &choose(group, call);
  plan_->check(arguments_);
  if (mine.explainer != nullptr) [[unlikely]] {
    mine.explainer->explain(mine.job, group, *plan_, arguments_,
                            local_counts(call) ? Way::local_counts : Way::chosen);
  }
}

engine::Plan& PreparedCall::choose(engine::Group& group, const Call& call) const {
  if (local_counts(call))
    return group.chosen(call.operation, {.root = call.root,
                                         .bytes = 0,
                                         .commutative = false,
                                         .native_serves = false,
                                         .local_counts = true});
  const engine::Caller caller{call.operation, call.root, group.rank(), group.size()};
  const engine::CallOperand* side =
      arguments_.input != nullptr ? arguments_.input : arguments_.output;
  std::int64_t bytes = 0;
  if (side != nullptr &&
      __builtin_mul_overflow(engine::vector_elements(caller, arguments_),
                             static_cast<std::int64_t>(side->element_bytes), &bytes)) {
    base::fail(base::Status::invalid_argument, "{} elements of {} bytes are too many",
               engine::vector_elements(caller, arguments_), side->element_bytes);
  }
  const bool commutative = arguments_.op == nullptr || arguments_.op->commutative();
  const bool native_serves =
      group.mpi_may_serve() && engine::native_rejection(caller, arguments_).empty();
  const bool whole_vectors = arguments_.op != nullptr && arguments_.op->takes_vectors();
  return group.chosen(call.operation,
                      {call.root, bytes, commutative, native_serves, whole_vectors});
}

namespace {

// The facts by which the call is known again, counts included.
engine::Signature signature_of(const engine::Group& group, const Call& call,
                               std::uint64_t op_number) {
  engine::Signature known = call.operands.signature(op_number, call.root);
  if (call.given == GivenCounts::even) return known;
  const engine::RankCounts counts = counts_of(group, call);
  known.cut = counts.cut;
  known.input_counts = counts.input;
  known.output_counts = counts.output;
  return known;
}

// Runs a call with counts or with an operator of the program if it repeats one that the group
// remembers. Otherwise returns false. Ranks may come to different answers, because the plan is the
// same and its messages depend on sizes only.
bool run_repeated_in_general(ApiState& mine, engine::Group& group, const Call& call) {
  const bool irregular = call.given != GivenCounts::even;
  const CallOperands& operands = call.operands;
  const bool by_user = operands.op.id > data::builtin_kinds;
  if (mine.watched || (by_user ? operands.input == nullptr : !irregular)) return false;
  const data::Operator* const op =
      by_user ? mine.user_op(operands.op, operands.input->type) : nullptr;
  if (by_user && op == nullptr) return false;
  if (!operands.plain()) return false;
  return group.run_again(call.operation, signature_of(group, call, number_of(operands.op, op)),
                         CallOperands::address(operands.input),
                         CallOperands::address(operands.output), op);
}

}  // namespace

// The number of the operator is found before the run, because a function of the program may make
// operators, which moves them.
void run_first(ApiState& mine, tutti_group handle, const Call& call) {
  if (mine.recorder != nullptr) [[unlikely]]
    mine.recorder->call_takes_time();
  engine::Group& group = mine.group(handle);
  if (run_repeated_in_general(mine, group, call)) return;
  const PreparedCall prepared(mine, group, call);
  const std::uint64_t op_number = number_of(call.operands.op, prepared.arguments().op);
  if (mine.recorder != nullptr) [[unlikely]]
    mine.recorder->plan_is_chosen();
  group.run(
      prepared.plan(), prepared.arguments(),
      lasting(signature_of(group, call, op_number), call.operands, op_number, prepared.plan()),
      call.operands.extent());
  // The hook comes last, because it may free the group.
  if (mine.hook.function != nullptr) call_hook(mine, handle, prepared.plan());
}

namespace {

tutti_request add_request(ApiState& mine, tutti_group handle, const Call& call, Requests::Kind kind,
                          const tutti_request* request) {
  if (request == nullptr) base::fail(base::Status::invalid_argument, "argument 'request' is NULL");
  if (mine.recorder != nullptr) [[unlikely]]
    mine.recorder->call_takes_time();
  const PreparedCall prepared(mine, mine.group(handle), call);
  return mine.requests.add(mine, handle, prepared.plan(), prepared.arguments(), kind);
}

}  // namespace

void start_call(ApiState& mine, tutti_group handle, const Call& call, tutti_request* request) {
  *request =
      mine.requests.started(mine, add_request(mine, handle, call, Requests::Kind::once, request));
}

void init_call(ApiState& mine, tutti_group handle, const Call& call, tutti_request* request) {
  *request = add_request(mine, handle, call, Requests::Kind::persistent, request);
}

}  // namespace tutti::api
