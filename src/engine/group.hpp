// SPDX-License-Identifier: BSD-3-Clause
// A group of processes as one of its members sees it: who belongs to it, how many operations it has done, and its plans.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/plan.hpp"

namespace tutti::engine {

class Group {
 public:
  Group(group::Members members, int rank, transport::Transport& transport)
      : members_(std::move(members)), rank_(rank), transport_(&transport) {}
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  [[nodiscard]] const group::Members& members() const { return members_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return members_.size(); }

  // Made at the first request, kept until the group is freed. Throws Error.
  Plan& plan(const Request& request);
  // The plan tutti chooses for `bytes` (of the whole vector, equal on all ranks).
  Plan& chosen(schedule::Operation operation, int root, std::int64_t bytes, bool commutative);
  void run(Plan& plan, const Arguments& arguments) { plan.run(next_operation_++, arguments); }

 private:
  static constexpr int size_classes = 48;  // powers of two of bytes
  static constexpr int operations = 11;

  group::Members members_;
  int rank_;
  transport::Transport* transport_;
  std::uint32_t next_operation_ = 0;
  std::vector<std::unique_ptr<Plan>> plans_;
  std::array<std::vector<Plan*>, operations> chosen_;  // [operation][(root * 2 + commutative) * size_classes + class]
};

// Throws Error(no_such_plan) that lists the names there are.
[[nodiscard]] const schedule::Generator& generator_named(schedule::Operation operation, std::string_view name);

}  // namespace tutti::engine
