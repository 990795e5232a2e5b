// SPDX-License-Identifier: BSD-3-Clause
// Starting, advancing and waiting for executions.
#include "engine/execution.hpp"

#include <algorithm>

#include "transport/relax.hpp"

namespace tutti::engine {

Execution::Execution(Plan& plan, Underway& underway)
    : plan_(&plan), underway_(&underway), executor_(plan.make_executor(Mode::overlapping)) {}

Execution::~Execution() {
  if (under_way_) underway_->remove(*this);
}

const Operand* Execution::keep(const Operand* given, Operand& own) {
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
  arguments_.counts = {arguments.counts.cut, keep(arguments.counts.input, input_counts_),
                       keep(arguments.counts.output, output_counts_)};
}

void Execution::start(std::uint32_t sequence) {
  failure_ = nullptr;
  plan_->start(executor_, sequence, arguments_);
  underway_->add(*this);
  under_way_ = true;
  advance();
}

void Execution::leave() {
  underway_->remove(*this);
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

void wait_for(std::span<Execution* const> executions, Underway& underway,
              transport::Transport& transport) {
  int turn = 0;
  transport::Wait wait(transport);
  const Underway::Waiter waiter(underway, 0);
  for (;;) {
    const bool moved = underway.advance();
    const auto next = std::find_if(executions.begin(), executions.end(),
                                   [](const Execution* one) { return one->under_way(); });
    if (next == executions.end()) return;
    underway.set_stuck(!moved);
    if (underway.uncovered() || moved) {
      turn = 0;
      wait.over();
    } else if (turn++ < transport.spin_turns()) {
      transport::relax();
    } else {
      (*next)->executor().idle(wait, turn - 1);
    }
  }
}

}  // namespace tutti::engine
