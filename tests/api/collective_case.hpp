// SPDX-License-Identifier: BSD-3-Clause
// One call of a collective, with its memory and the results that it must give. Operands are pairs
// (a, b) that stand for x -> a*x + b modulo 2^32: composing them is associative but not
// commutative, so a wrong order shows.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tutti::test {

using Value = std::uint64_t;

// Composes operands; a function of the type tutti_combine_fn.
void compose(void* result, const void* left, const void* right, std::int64_t count, void* user);

struct Case {
  tutti_operation operation = TUTTI_OP_BARRIER;
  bool by_counts = false;
  int root = 0;
  std::int64_t n =
      0;  // elements of the vector; where it is cut by rank: of each part, or the most a part has
  bool in_place = false;
  bool strided = false;
  bool ordered = false;  // the operator is compose, else the sum
  tutti_op op{0};
  int salt = 0;  // tells the data of cases apart
  // Memory of tutti_alloc has the data. Ranks may differ in it.
  bool input_in_segment = false, output_in_segment = false;
};
[[nodiscard]] std::string describe(const Case& one);

// Memory of a call, of tutti_alloc or not.
class CallMemory {
 public:
  CallMemory() = default;
  CallMemory(std::size_t size, bool in_segment);
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] Value* data() { return all_.data(); }
  [[nodiscard]] const Value& operator[](std::size_t i) const { return all_[i]; }
  void fill(Value value);

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  std::vector<Value> own_;
  std::unique_ptr<void, Free> shared_;
  std::span<Value> all_;
};

enum class Way { blocking, overlapping, persistent };

class Call {
 public:
  Call(tutti_group group, const Case& what);

  // Writes the input and overwrites the output of an earlier run.
  void fill();
  // Runs the call if it is blocking, else sets the request.
  tutti_status make(Way way, tutti_request* request);
  // Runs the call by a plan.
  tutti_status run(tutti_plan plan, Way way = Way::blocking, tutti_request* request = nullptr);
  // Returns an empty text if every result is right and nothing else was changed, else the error.
  [[nodiscard]] std::string verdict() const;
  [[nodiscard]] const Case& what() const { return case_; }

 private:
  [[nodiscard]] bool cut() const;
  [[nodiscard]] std::int64_t part(int from, int to) const;
  [[nodiscard]] std::int64_t start(int from, int to) const;
  [[nodiscard]] std::int64_t input_elements() const;
  [[nodiscard]] std::int64_t output_elements() const;
  [[nodiscard]] Value input_value(int rank, std::int64_t index) const;
  [[nodiscard]] Value folded(int ranks, std::int64_t index) const;
  [[nodiscard]] Value expected(std::int64_t index) const;
  [[nodiscard]] bool has_result() const;
  [[nodiscard]] std::vector<std::int64_t> counts(bool of_input) const;
  [[nodiscard]] std::size_t place(std::int64_t index, std::int64_t elements) const;
  [[nodiscard]] tutti_data describe_side(Value* address, std::int64_t elements) const;

  tutti_group group_;
  Case case_;
  int me_, p_;
  bool shared_ = false;  // one memory for both sides
  std::int64_t input_at_ = 0, output_at_ = 0;
  CallMemory input_memory_, output_memory_;
  tutti_data input_{}, output_{};
};

}  // namespace tutti::test
