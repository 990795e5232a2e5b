// SPDX-License-Identifier: BSD-3-Clause
// The plans of a group, by the questions that have led to them.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "engine/plan.hpp"
#include "selection/size_class.hpp"

namespace tutti::engine {

// A call for which tutti chooses a plan. `bytes` is the size of the whole vector, a number equal on
// all ranks. With `native_serves`, the MPI's own collective is allowed where it is named and the
// group is all of MPI's job.
struct PlanQuestion {
  int root;
  std::int64_t bytes;
  bool commutative;
  bool native_serves;
  bool whole_vectors = false;
  bool local_counts = false;  // not every rank knows the counts; then the size does not matter
};

class Choices {
 public:
  // Returns the place of the answer: nullptr if the question is new.
  [[nodiscard]] Plan*& answer(schedule::Operation operation, const PlanQuestion& question) {
    std::vector<Plan*>& table = answers_[static_cast<std::size_t>(operation)];
    const std::size_t index = index_of(question);
    if (index >= table.size()) [[unlikely]]
      table.resize(index + 1, nullptr);
    return table[index];
  }
  // Returns the plan that was made for this request; nullptr if there is none.
  [[nodiscard]] Plan* made(const Request& request) const {
    for (const std::unique_ptr<Plan>& plan : plans_)
      if (plan->request() == request) return plan.get();
    return nullptr;
  }
  Plan& add(std::unique_ptr<Plan> plan) { return *plans_.emplace_back(std::move(plan)); }
  [[nodiscard]] std::span<const std::unique_ptr<Plan>> plans() const { return plans_; }

 private:
  static std::size_t index_of(const PlanQuestion& question) {
    const int kind = (question.commutative ? 1 : 0) + (question.native_serves ? 2 : 0) +
                     (question.whole_vectors ? 4 : 0);
    // No vector is so long that it is in the last class.
    const int size = question.local_counts ? selection::size_classes - 1
                                           : selection::size_class_of(question.bytes);
    return static_cast<std::size_t>((question.root * 8 + kind) * selection::size_classes + size);
  }

  std::vector<std::unique_ptr<Plan>> plans_;
  std::array<std::vector<Plan*>, schedule::operation_kinds> answers_;
};

}  // namespace tutti::engine
