// SPDX-License-Identifier: BSD-3-Clause
// Plans of a group.
#include "engine/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "algorithms/registry.hpp"
#include "base/error.hpp"

namespace tutti::engine {

const schedule::Generator& generator_named(schedule::Operation operation, std::string_view name) {
  if (const schedule::Generator* found = algorithms::find(operation, name)) return *found;
  std::string names;
  for (const schedule::Generator* generator : algorithms::all()) {
    if (generator->operation == operation) names += std::string(names.empty() ? "" : ", ") + generator->name;
  }
  base::fail(base::Status::no_such_plan, "there is no algorithm '{}' for this operation; there are: {}", name, names);
}

namespace {

Request request_of(const schedule::Generator& generator, int root, const selection::Settings& settings) {
  return {&generator, root, settings.branches, settings.rings, settings.segments, settings.factors, settings.cut};
}

}  // namespace

Plan& Group::plan(const Request& request, std::string_view reason) {
  const auto found =
      std::find_if(plans_.begin(), plans_.end(), [&](const auto& plan) { return plan->request() == request; });
  if (found != plans_.end()) return **found;
  if (request.root < 0 || request.root >= size()) {
    base::fail(base::Status::invalid_argument, "argument 'root' is {} but the group has {} ranks (rank {})",
               request.root, size(), rank_);
  }
  if (request.branches < 1 || request.rings < 1 || request.segments < 1) {
    base::fail(base::Status::invalid_argument, "branches, rings and segments must be 1 or more, not {}, {} and {}",
               request.branches, request.rings, request.segments);
  }
  auto unproved = std::make_unique<Plan>(members_, rank_, request, common_.transport, &common_.underway);
  if (common_.policy.verify) unproved->verify();
  Plan& made = *plans_.emplace_back(std::move(unproved));
  if (common_.policy.explain && rank_ == 0) fmt::print(stderr, "tutti: {}: {}\n", made.describe(), reason);
  return made;
}

// The rule is asked once per power of two, with the largest size of the class: the same for all ranks.
Plan& Group::look_up(schedule::Operation operation, const Question& question) {
  const auto [root, bytes, commutative] = question;
  if (root < 0 || root >= size()) {
    base::fail(base::Status::invalid_argument, "argument 'root' is {} but the group has {} ranks (rank {})", root,
               size(), rank_);
  }
  const int size_class = bytes <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes - 1)));
  auto& table = chosen_[static_cast<std::size_t>(operation)];
  const auto index = static_cast<std::size_t>((root * 2 + (commutative ? 1 : 0)) * size_classes + size_class);
  if (index < table.size() && table[index] != nullptr) [[likely]]
    return *table[index];
  selection::Question asked;
  asked.operation = operation;
  asked.p = size();
  asked.root = root;
  asked.commutative = commutative;
  const selection::Choice choice = common_.choice.chooser().choose(std::move(asked), std::int64_t{1} << size_class);
  const Request request = request_of(generator_named(operation, choice.algorithm), root, choice.settings);
  if (table.size() <= index) table.resize(index + 1, nullptr);
  return *(table[index] = &plan(request, choice.reason));
}

Plan& Group::chosen_for_own_counts(schedule::Operation operation, int root) {
  if (const auto& forced = common_.choice.policy().forced_for(operation)) {
    return plan(request_of(*forced->generator, root, forced->settings), "asked for by name");
  }
  constexpr int most_at_once = 16;  // beyond, one block at a time
  const bool exchange = operation == schedule::Operation::alltoall;
  const char* name = !exchange ? "fully_connected" : size() <= most_at_once ? "direct" : "pairwise";
  return plan(request_of(generator_named(operation, name), root, {}), "serves counts that are not known everywhere");
}

}  // namespace tutti::engine
