// SPDX-License-Identifier: BSD-3-Clause
// A plan: one algorithm for one operation of one group, lowered and ready to run any number of times on any data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/element.hpp"
#include "data/layout.hpp"
#include "data/operator.hpp"
#include "engine/executor.hpp"
#include "engine/lowered.hpp"
#include "group/members.hpp"

namespace tutti::engine {

// What a plan is asked for. Equal requests yield the same plan.
struct Request {
  const schedule::Generator* generator = nullptr;
  int root = 0;
  int branches = 1;
  int rings = 1;
  int segments = 1;
  friend bool operator==(const Request&, const Request&) = default;
};

// One side of an operation in the caller's memory.
struct Operand {
  void* address = nullptr;
  data::Layout layout;
  std::size_t element_bytes = 1;
};

// Where the winners of a located operator are written: one group rank per element.
struct Locations {
  std::int32_t* ranks = nullptr;
  data::Layout layout;
  int distance_root = 0;
};

struct Arguments {
  const Operand* input = nullptr;   // not for broadcast
  const Operand* output = nullptr;  // broadcast: the data
  const data::Operator* op = nullptr;
  const Locations* locations = nullptr;
};

// Which operands an operation uses on a rank, and which of them are the whole vector.
struct OperandNeeds {
  bool input, output;
  bool input_is_whole, output_is_whole;
};

class Plan {
 public:
  // Throws Error when the generator does not serve this shape.
  Plan(const group::Members& members, int rank, const Request& request, transport::Transport& transport);

  // Throws Error(invalid_argument) unless the operands are those the operation needs on this rank.
  void check(const Arguments& arguments) const;
  // Blocks until this rank's part is done. `sequence` counts the operations of the group. The arguments were checked.
  void run(std::uint32_t sequence, const Arguments& arguments);
  // The same in pieces, for whoever drives several executions; not for located operators.
  void start(std::uint32_t sequence, const Arguments& arguments);
  Progress advance() { return executor_.advance(); }
  // The last execution once more with other addresses: same number of elements, type and operator, contiguous operands,
  // no located operator. Only as long as bindings() is what it was after that execution.
  void run_again(std::uint32_t sequence, void* input, void* output) {
    executor_.start_again(sequence, input, output);
    executor_.run();
  }
  [[nodiscard]] std::uint32_t bindings() const { return bindings_; }

  // Frees what is kept from one run to the next.
  void release();

  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] schedule::Operation operation() const { return request_.generator->operation; }
  // What is executed, read back from the lowered form.
  [[nodiscard]] schedule::Program program() const;
  [[nodiscard]] std::string text() const;
  // "broadcast fully_connected over 4 ranks, root 0: 1 rounds".
  [[nodiscard]] std::string describe() const;
  // Throws Error(no_such_plan) with the counter-example if the schedule is not right for this p.
  void verify() const;

 private:
  [[nodiscard]] schedule::Shape shape() const;
  [[nodiscard]] std::int64_t vector_elements(const Arguments& arguments) const;
  [[noreturn]] void refuse(const Operand* operand, std::int64_t wanted, const char* side) const;
  [[nodiscard]] std::int64_t multiplied(std::int64_t elements) const;
  void run_located(std::uint32_t sequence, const Arguments& arguments);
  void deliver_located(std::int64_t n, const Arguments& arguments) const;
  [[nodiscard]] bool receives_result() const;

  const group::Members* members_;
  int rank_;
  Request request_;
  OperandNeeds needs_;
  LoweredPlan lowered_;
  Executor executor_;
  std::uint32_t bindings_ = 0;                       // counts executions that were not repetitions, and releases
  std::vector<std::byte> wire_input_, wire_output_;  // located operators only
};

}  // namespace tutti::engine
