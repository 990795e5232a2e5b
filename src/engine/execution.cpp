// SPDX-License-Identifier: BSD-3-Clause
// Starts and advances executions, and waits for them.
#include "engine/execution.hpp"

namespace tutti::engine {

Execution::Execution(Plan& plan, InFlight& in_flight)
    : plan_(&plan), in_flight_(&in_flight), executor_(plan.make_executor(Mode::overlapping)) {}

Execution::~Execution() {
  if (under_way_) in_flight_->remove(*this);
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

void Execution::bind(const Arguments& arguments) {
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

void Execution::start(std::uint32_t sequence) {
  failure_ = nullptr;
  plan_->start(executor_, sequence, arguments_);
  in_flight_->add(*this);
  under_way_ = true;
  advance();
}

void Execution::leave() {
  in_flight_->remove(*this);
  under_way_ = false;
}

bool Execution::advance() {
  try {
    const Progress progress = executor_.advance();
    if (progress == Progress::done) leave();
    return progress != Progress::none;
  } catch (...) {
    failure_ = std::current_exception();
    leave();
    throw;
  }
}

void wait_until_over(Awaited& awaited, InFlight& in_flight, transport::Transport& transport) {
  int turn = 0;
  transport::Wait wait(transport);
  const InFlight::Waiter waiter(in_flight, {});
  for (;;) {
    const bool moved = in_flight.advance();
    if (awaited.over()) return;
    in_flight.set_stuck(!moved);
    if (in_flight.uncovered() || moved) {
      turn = 0;
      wait.over();
    } else if (turn++ < transport.spin_turns()) {
      wait.relax();
    } else {
      awaited.idle(wait, turn - 1);
    }
  }
}

}  // namespace tutti::engine
