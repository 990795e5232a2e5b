// SPDX-License-Identifier: BSD-3-Clause
// Knows the result that every operation must deliver, and runs plans of several ranks, for every
// transport and every way to drive them. Operands are pairs (a, b) that stand for x -> a*x + b
// modulo 2^32. Composing them is associative but not commutative, so a wrong order shows as a wrong
// result.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "engine/bound_call.hpp"

namespace tutti::engine::test {

using Value = std::uint64_t;

[[nodiscard]] Value value_of(int rank, std::int64_t index);
[[nodiscard]] Value compose(Value left, Value right);
[[nodiscard]] const data::Operator& ordered_operator();      // compose
[[nodiscard]] const data::Operator& commutative_operator();  // addition

// How the vectors of a rank lie in memory: input and output, strided or not, in the same memory or
// not.
struct Scene {
  Request request;
  int p = 1;
  std::int64_t n =
      1;  // elements: of the whole vector, or of one rank's part where it is cut by rank
  bool in_place = false;
  bool strided = false;
};
[[nodiscard]] std::string describe(const Scene& scene);

// One rank with its plan and its memory, which holds its contribution.
class Player {
 public:
  Player(const Scene& scene, int rank, transport::Transport& transport,
         std::pmr::memory_resource& memory = *std::pmr::get_default_resource());
  // The resumable form, for tests that drive the ranks themselves.
  void start();
  Look advance();
  // The blocking form.
  void run();
  // Returns an empty text if the result is right, else the error.
  [[nodiscard]] std::string verdict() const;
  [[nodiscard]] schedule::Program program() const { return plan_.program(); }

 private:
  [[nodiscard]] std::int64_t input_elements() const;
  [[nodiscard]] std::int64_t output_elements() const;
  [[nodiscard]] schedule::Operation operation() const {
    return scene_.request.generator->operation;
  }
  [[nodiscard]] Value combined(int count, std::int64_t index) const;
  [[nodiscard]] Value expected_output(std::int64_t index) const;
  [[nodiscard]] bool has_result() const;
  void share_memory();
  [[nodiscard]] Arguments arguments();

  Scene scene_;
  int rank_;
  group::Members members_;
  std::pmr::vector<Value> input_memory_, output_memory_;
  CallOperand input_, output_;
  const data::Operator* op_ = nullptr;
  Plan plan_;
  transport::Waiter waiter_;
  InFlight in_flight_{waiter_};
  BoundCall call_;
};

// Returns all scenes of a generator for p: roots, sizes, memory, and parameters if the generator
// has them.
[[nodiscard]] std::vector<Scene> scenes_of(const schedule::Generator& generator, int p);

}  // namespace tutti::engine::test
