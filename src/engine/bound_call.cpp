// SPDX-License-Identifier: BSD-3-Clause
// Binds calls, runs them, and advances those that go on beside others.
#include "engine/bound_call.hpp"

#include <algorithm>

namespace tutti::engine {
namespace {

const CallOperand* copied(const CallOperand* given, CallOperand& own) {
  if (given == nullptr) return nullptr;
  own = *given;
  return &own;
}

std::span<const std::int64_t> copied(std::span<const std::int64_t> given,
                                     std::vector<std::int64_t>& own) {
  own.assign(given.begin(), given.end());
  return own;
}

}  // namespace

BoundCall::BoundCall(Plan& plan, InFlight& in_flight, Mode mode)
    : plan_(&plan), in_flight_(&in_flight), mode_(mode), run_(plan.make_run(in_flight, mode)) {}

BoundCall::~BoundCall() {
  if (under_way_) in_flight_->progress().remove(*this);
}

bool BoundCall::same_counts(const Signature& call) const {
  const std::size_t inputs = call.input_counts.size();
  return known_counts_.size() == inputs + call.output_counts.size() &&
         std::equal(call.input_counts.begin(), call.input_counts.end(), known_counts_.begin()) &&
         std::equal(call.output_counts.begin(), call.output_counts.end(),
                    known_counts_.begin() + static_cast<std::ptrdiff_t>(inputs));
}

void BoundCall::remember(const Signature& call, const Extent& extent) {
  known_ = call;
  known_.input_counts = known_.output_counts = {};
  extent_ = extent;
  known_counts_.assign(call.input_counts.begin(), call.input_counts.end());
  known_counts_.insert(known_counts_.end(), call.output_counts.begin(), call.output_counts.end());
}

void BoundCall::run(std::uint32_t number, const Arguments& arguments) {
  known_ = {};
  if (arguments.op != nullptr && arguments.op->has_maps()) {
    if (!maxloc_) maxloc_ = std::make_unique<Maxloc>(plan_->caller(), plan_->tuning());
    return maxloc_->run(*run_, number, arguments);
  }
  run_->start(number, arguments);
  run_->run(arguments.question);
}

BoundCall::SecondPart::SecondPart(const Plan& of, InFlight& in_flight)
    : run(of.make_run(in_flight, Mode::overlapping)) {}

void BoundCall::keep(const Arguments& arguments, Plan* failure_plan) {
  known_ = {};
  second_ =
      failure_plan == nullptr ? nullptr : std::make_unique<SecondPart>(*failure_plan, *in_flight_);
  arguments_ = {copied(arguments.input, input_), copied(arguments.output, output_)};
  if (arguments.op != nullptr) {
    op_ = *arguments.op;
    arguments_.op = &op_;
  }
  arguments_.counts = {arguments.counts.cut, arguments.counts.known_everywhere,
                       copied(arguments.counts.input, input_counts_),
                       copied(arguments.counts.output, output_counts_)};
}

bool BoundCall::uses(std::span<const std::byte> memory) const {
  const Caller caller = plan_->caller();
  const OperandNeeds needs = needs_of(caller.operation, caller.rank == caller.root);
  return (needs.input && may_meet(input_, memory)) || (needs.output && may_meet(output_, memory));
}

void BoundCall::start(std::uint32_t number, std::uint32_t second_number) {
  failure_ = nullptr;
  if (second_ != nullptr) {
    second_->runs = false;
    second_->number = second_number;
  }
  run_->start(number, arguments_);
  if (in_flight_->recorder() != nullptr) [[unlikely]]
    run_->record_begin(*in_flight_->recorder());
  if (in_flight_->record() != nullptr) [[unlikely]]
    record_start(*in_flight_->record());
  in_flight_->progress().add(*this);
  under_way_ = true;
  advance();
}

void BoundCall::leave() {
  if (in_flight_->recorder() != nullptr) [[unlikely]]
    run_->record_end(*in_flight_->recorder());
  in_flight_->progress().remove(*this);
  under_way_ = false;
}

bool BoundCall::expects(transport::Label label) const {
  if (label == present().label()) return true;
  if (second_ == nullptr || second_->runs) return false;
  const Tag other(label);
  return other.group() == Tag(run_->label()).group() && other.later_than(second_->number) == 0;
}

void BoundCall::begin_second() {
  second_->failure.tell(plan_->rank(), run_->operator_code());
  second_->run->start(second_->number, second_->failure.arguments());
  second_->runs = true;
}

// The second part begins when the first one is over, which no call of the program tells. So both
// are recorded as one operation with the rounds of both, for which the second one is bound now,
// too.
void BoundCall::record_start(record::RunRecorder& record) {
  if (second_ != nullptr) second_->run->start(second_->number, second_->failure.arguments());
  recorded_ = run_->record_start(record, second_ == nullptr ? nullptr : second_->run.get());
}

void BoundCall::record_wait(record::RunRecorder& record) {
  const std::uint32_t request = std::exchange(recorded_, 0);
  if (request == 0) return;
  record.waited_for(request);
}

// That an operator has failed is the result of the wait for this run, not of whichever call
// advances it.
transport::Look BoundCall::advance() {
  using transport::Look;
  if (!under_way_) return Look::done;
  try {
    const Look progress = present().advance();
    if (progress != Look::done) return progress;
    if (second_ != nullptr && !second_->runs) return begin_second(), Look::progress;
  } catch (...) {
    failure_ = std::current_exception();
    leave();
    throw;
  }
  try {
    if (second_ != nullptr) second_->failure.check(plan_->operation());
  } catch (...) {
    failure_ = std::current_exception();
  }
  leave();
  return Look::done;
}

void BoundCall::release() {
  known_ = {};
  run_->release();
  if (maxloc_) maxloc_->release();
}

}  // namespace tutti::engine
