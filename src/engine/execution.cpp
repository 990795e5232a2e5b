// SPDX-License-Identifier: BSD-3-Clause
// Starts and advances executions.
#include "engine/execution.hpp"

namespace tutti::engine {

Execution::Execution(Plan& plan, InFlight& in_flight)
    : plan_(&plan), in_flight_(&in_flight), executor_(plan.make_executor(Mode::overlapping)) {}

Execution::~Execution() {
  if (under_way_) in_flight_->progress().remove(*this);
}

const CallOperand* Execution::keep(const CallOperand* given, CallOperand& own) {
  if (given == nullptr) return nullptr;
  own = *given;
  return &own;
}

std::span<const std::int64_t> Execution::keep(std::span<const std::int64_t> given,
                                              std::vector<std::int64_t>& own) {
  own.assign(given.begin(), given.end());
  return own;
}

Execution::SecondPart::SecondPart(Plan& of)
    : plan(&of), executor(of.make_executor(Mode::overlapping)) {}

void Execution::bind(const Arguments& arguments, Plan* failure_plan) {
  second_ = failure_plan == nullptr ? nullptr : std::make_unique<SecondPart>(*failure_plan);
  arguments_ = {};
  arguments_.input = keep(arguments.input, input_);
  arguments_.output = keep(arguments.output, output_);
  if (arguments.op != nullptr) {
    op_ = *arguments.op;
    arguments_.op = &op_;
  }
  arguments_.counts = {arguments.counts.cut, arguments.counts.known_everywhere,
                       keep(arguments.counts.input, input_counts_),
                       keep(arguments.counts.output, output_counts_)};
}

void Execution::start(std::uint32_t sequence, std::uint32_t second_sequence) {
  failure_ = nullptr;
  if (second_ != nullptr) {
    second_->runs = false;
    second_->sequence = second_sequence;
  }
  plan_->start(executor_, sequence, arguments_);
  if (in_flight_->recorder() != nullptr) [[unlikely]]
    executor_.record_begin(*in_flight_->recorder());
  in_flight_->progress().add(*this);
  under_way_ = true;
  advance();
}

void Execution::leave() {
  if (in_flight_->recorder() != nullptr) [[unlikely]]
    executor_.record_end(*in_flight_->recorder());
  in_flight_->progress().remove(*this);
  under_way_ = false;
}

bool Execution::expects(transport::Label label) const {
  if (label == this->label()) return true;
  if (second_ == nullptr || second_->runs) return false;
  const Tag other(label);
  return other.group() == Tag(executor_.label()).group() &&
         other.later_than(second_->sequence) == 0;
}

void Execution::begin_second() {
  second_->failure.tell(plan_->rank(), executor_.operator_code());
  second_->plan->start(second_->executor, second_->sequence, second_->failure.arguments());
  second_->runs = true;
}

// That an operator has failed is the result of the wait for this run, not of whichever call
// advances it.
transport::Look Execution::advance() {
  using transport::Look;
  try {
    const Look progress = executor().advance();
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

}  // namespace tutti::engine
