// SPDX-License-Identifier: BSD-3-Clause
// The groups of a process in its job, and the plans of these groups, by the handles that the C
// interface gives out. The Job owns them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/group.hpp"
#include "engine/tag.hpp"
#include "job/handles.hpp"

namespace tutti::job {

class GroupHandles {
 public:
  // Makes the world, anew if there was one: its handle stays the same. `common` is what all groups
  // have from now on, and `self` is the endpoint of this process.
  void begin(int self, const engine::Common& common, const std::vector<int>& world);
  // Forgets the world and all plans, before begin() makes another one.
  void end();

  [[nodiscard]] std::uint64_t world() const { return world_; }
  [[nodiscard]] engine::Group* find(std::uint64_t id) {
    const auto* found = groups_.find(id);
    return found == nullptr ? nullptr : found->get();
  }
  // Makes a group of these ranks of `parent`, in that order. This process must be among them.
  // Throws Error.
  std::uint64_t create(const engine::Group& parent, std::span<const int> ranks);
  // Makes a group of endpoints that need not have a group in common. All members give the same list
  // and label. Its blocking operations may interleave with those of other groups differently on
  // each member.
  std::uint64_t create_of(std::vector<int> endpoints, std::uint64_t label);
  bool free(std::uint64_t id);
  // Throws Error(invalid_argument) if there is any group but the world, or the world has requests.
  void check_alone();
  // Throws Error(no_such_plan) unless an MPI has started all members of the group as ranks.
  static void require_ranks_of_mpi(const engine::Group& group);
  // Lets the MPI's own collectives serve a group of ranks. Collective over the group. It waits
  // inside of MPI, so all members should be there.
  static void use_mpi(engine::Group& group);
  // Frees the memory that the calls of all groups keep from one run to the next.
  void release_calls() {
    groups_.for_each([](const std::unique_ptr<engine::Group>& group) { group->release(); });
  }
  // Says which processes a group has, for messages.
  [[nodiscard]] std::string text_of(std::uint64_t number) const;
  // Says to which operation a packet belongs, for messages.
  [[nodiscard]] std::string operation_of(const engine::Tag& tag) const;

  // The object behind a plan's handle: made once per plan, void when its group is freed.
  struct PlanReference {
    std::uint64_t group = 0;
    engine::Plan* plan = nullptr;
  };
  std::uint64_t handle_of(std::uint64_t group, engine::Plan& plan);
  [[nodiscard]] PlanReference* plan(std::uint64_t id) { return plans_.find(id); }

 private:
  void require_member(std::span<const int> endpoints) const;
  [[nodiscard]] std::unique_ptr<engine::Group> make(
      group::Members members, engine::Mode mode,
      selection::Native native = selection::Native::other_group);
  [[nodiscard]] std::unique_ptr<engine::Group> make_counted(
      std::vector<int> endpoints, selection::Native native = selection::Native::other_group);

  int self_ = -1;
  std::optional<engine::Common> common_;
  group::Occurrences occurrences_;
  Handles<std::unique_ptr<engine::Group>> groups_;
  // All groups, by members().id().
  std::unordered_map<std::uint64_t, const engine::Group*> by_number_;
  Handles<PlanReference> plans_;
  // Handles of plans_, until their groups are freed.
  std::unordered_map<const engine::Plan*, std::uint64_t> plan_handles_;
  std::uint64_t world_ = 0;
};

}  // namespace tutti::job
