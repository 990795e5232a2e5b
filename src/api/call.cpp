// SPDX-License-Identifier: BSD-3-Clause
// Makes a plan and operands from a call, and runs it in one of three ways.
#include "api/call.hpp"

#include "api/plans.hpp"
#include "engine/native.hpp"

namespace tutti::api {
namespace {

using schedule::Operation;

std::span<const std::int64_t> counts_of(const std::int64_t* counts, int p, const char* argument) {
  if (counts == nullptr)
    base::fail(base::Status::invalid_argument, "argument '{}' is NULL", argument);
  return {counts, static_cast<std::size_t>(p)};
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
  if (engine::combines(call.operation))
    arguments_.op = &mine.op(call.operands.op, call.operands.input->type);
  if (call.given != GivenCounts::even) take_counts(group, call, needs);
  plan_ = &choose(group, call);
  plan_->check(arguments_);
  if (mine.explainer != nullptr) [[unlikely]] {
    mine.explainer->explain(mine.runtime, group, *plan_, arguments_,
                            local_counts(call) ? Way::local_counts : Way::chosen);
  }
}

void PreparedCall::take_counts(const engine::Group& group, const Call& call,
                               const engine::OperandNeeds& needs) {
  const bool both = call.operation == Operation::alltoall;
  const bool by_input =
      both || call.operation == Operation::scatter || call.operation == Operation::reduce_scatter;
  const bool by_output = both || !by_input;
  engine::RankCounts& counts = arguments_.counts;
  // Only the root has input and output, and knows all counts.
  if (call.given == GivenCounts::own && !(needs.input && needs.output)) {
    counts.cut = engine::Cut::own_only;
    return;
  }
  counts.cut = engine::Cut::by_counts;
  if (by_input)
    counts.input = counts_of(call.input_counts, group.size(), both ? "input_counts" : "counts");
  if (by_output)
    counts.output = counts_of(call.output_counts, group.size(), both ? "output_counts" : "counts");
}

engine::Plan& PreparedCall::choose(engine::Group& group, const Call& call) const {
  if (local_counts(call)) return group.chosen_for_local_counts(call.operation, call.root);
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
  return group.chosen(call.operation, {call.root, bytes, commutative, native_serves});
}

void run_first(ApiState& mine, tutti_group handle, const Call& call) {
  engine::Group& group = mine.group(handle);
  const PreparedCall prepared(mine, group, call);
  if (mine.recorder != nullptr) [[unlikely]]
    mine.recorder->plan_is_chosen();
  group.run_checked(prepared.plan(), prepared.arguments());
  if (call.given == GivenCounts::even)
    remember(group.repeat(call.operation, call.root), call.root, call.operands, prepared.plan());
  // The hook comes last, because it may free the group.
  if (mine.hook.function != nullptr) call_hook(mine, handle, prepared.plan());
}

namespace {

tutti_request add_request(ApiState& mine, tutti_group handle, const Call& call, Requests::Kind kind,
                          const tutti_request* request) {
  if (request == nullptr) base::fail(base::Status::invalid_argument, "argument 'request' is NULL");
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
