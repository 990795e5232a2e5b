// SPDX-License-Identifier: BSD-3-Clause
// A group is a machine of its own; entering it makes it the current one (groups.hpp).
#include "groups.hpp"

#include <algorithm>

#include "direct.hpp"
#include "errors.hpp"
#include "state.hpp"

namespace tutti::bsp {
namespace {

BspMachine& find_group(const char* routine, int group) {
  BspState& all = state();
  const auto found = all.groups.find(group);
  if (found != all.groups.end()) return *found->second;
  const bool was_one = group > 0 && group <= all.groups_made;
  fail(routine, "{} is not a group of this process{}", group, was_one ? " any more" : "");
}

bool is_entered(const BspMachine& machine) {
  const auto& entered = state().entered;
  return std::find(entered.begin(), entered.end(), &machine) != entered.end();
}

void check_delivered(const char* routine, const BspMachine& machine) {
  if (!machine.traffic.empty())
    fail(routine, "group {} has puts, gets or messages after its last bsp_sync", machine.group);
}

}  // namespace

int split(int color, int key) {
  constexpr const char* routine = "bsp_group_split";
  const BspMachine& parent = machine(routine);
  tutti_group members{0};
  meet(routine, parent.peers);
  check(routine, tutti_group_split, parent.peers.group, color, key, &members);
  if (members.id == 0) return 0;
  BspState& all = state();
  auto group = std::make_unique<BspMachine>(peers_of(routine, members, all.groups_made + 1));
  group->group = ++all.groups_made;
  group->started = parent.started;
  group->parameters = parent.parameters;
  if (parent.audit != nullptr) group->audit = std::make_unique<Audit>(group->peers);
  all.groups.emplace(group->group, std::move(group));
  return all.groups_made;
}

void enter_group(int group) {
  (void)machine("bsp_group_enter");
  BspMachine& entered = find_group("bsp_group_enter", group);
  if (is_entered(entered)) fail("bsp_group_enter", "group {} has been entered already", group);
  state().entered.push_back(&entered);
  current = &entered;
}

void leave_group() {
  (void)machine("bsp_group_leave");
  BspState& all = state();
  if (all.entered.empty()) fail("bsp_group_leave", "no group has been entered");
  all.entered.pop_back();
  current = all.entered.empty() ? all.machine.get() : all.entered.back();
}

void free_group(int group) {
  constexpr const char* routine = "bsp_group_free";
  (void)machine(routine);
  BspMachine& freed = find_group(routine, group);
  if (is_entered(freed)) fail(routine, "group {} has not been left", group);
  check_delivered(routine, freed);
  // No process may free memory that another process still reads.
  meet(routine, freed.peers);
  check(routine, tutti_barrier, freed.peers.group);
  const tutti_group members = freed.peers.group;
  state().groups.erase(group);
  check(routine, tutti_group_free, members);
}

void check_groups_at_end() {
  (void)machine("bsp_end");
  const BspState& all = state();
  if (!all.entered.empty())
    fail("bsp_end", "group {} has not been left", all.entered.back()->group);
  for (const auto& [number, group] : all.groups) check_delivered("bsp_end", *group);
}

}  // namespace tutti::bsp
