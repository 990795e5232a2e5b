// SPDX-License-Identifier: BSD-3-Clause
// Makes and frees groups and communicators (communicators.hpp).
#include "communicators.hpp"

#include <algorithm>
#include <utility>

#include "errors.hpp"

extern "C" {
iCC_g_Comm iCC_g_COMM_WORLD = nullptr;
iCC_g_Comm iCC_g_COMM_SELF = nullptr;
}

namespace tutti::icc {
namespace {

constexpr const char* create_call = "iCC_g_Comm_create";

iCC_g_Group keep(std::vector<int> nodes) {
  auto made = std::make_unique<iCC_g_group>(iCC_g_group{std::move(nodes)});
  iCC_g_Group handle = made.get();
  state().groups.emplace(handle, std::move(made));
  return handle;
}

tutti_group group_of_places(tutti_group parent, const std::vector<int>& places) {
  tutti_group made{0};
  check(create_call,
        tutti_group_create(parent, static_cast<int>(places.size()), places.data(), &made));
  return made;
}

}  // namespace

void initialize_groups() {
  IccState& mine = state();
  require(mine.world != nullptr, iCC_g_ERROR_NO_INITIALIZATION);
  if (mine.has_groups) return;
  const int me = tutti_rank(tutti_world());
  mine.self = make_communicator("iCC_g_Group_init", group_of_places(tutti_world(), {me}), {me});
  iCC_g_COMM_WORLD = mine.world.get();
  iCC_g_COMM_SELF = mine.self.get();
  mine.has_groups = true;
}

const Communicator& communicator_of(iCC_g_Comm comm) {
  IccState& mine = state();
  if (comm == mine.world.get() && comm != nullptr) [[likely]]
    return *mine.world;
  require(comm != nullptr, iCC_g_ERROR_COMM_NULL);
  if (comm == mine.self.get()) return *mine.self;
  const auto found = mine.communicators.find(comm);
  require(found != mine.communicators.end(), iCC_g_ERROR_COMM_NULL);
  return *found->second;
}

const iCC_g_group& group_of(iCC_g_Group group) {
  require(group != nullptr, iCC_g_ERROR_GROUP_NULL);
  const auto found = state().groups.find(group);
  require(found != state().groups.end(), iCC_g_ERROR_GROUP_NULL);
  return *found->second;
}

iCC_g_Group group_of_members(iCC_g_Comm comm) {
  return keep(communicator_of(comm).nodes);
}

iCC_g_Group group_of_ranks(iCC_g_Group group, long n, const long* ranks) {
  const std::vector<int>& nodes = group_of(group).nodes;
  require(n > 0, iCC_g_ERROR_GROUP_EMPTY);
  require(ranks != nullptr, iCC_g_ERROR_NULL);
  std::vector<bool> taken(nodes.size());
  std::vector<int> listed;
  for (long i = 0; i < n; ++i) {
    const auto place = static_cast<std::size_t>(ranks[i]);
    require(ranks[i] >= 0 && place < nodes.size() && !taken[place], iCC_g_ERROR_MYPOS);
    taken[place] = true;
    listed.push_back(nodes[place]);
  }
  return keep(std::move(listed));
}

void free_group(iCC_g_Group* group) {
  require(group != nullptr, iCC_g_ERROR_NULL);
  static_cast<void>(group_of(*group));
  state().groups.erase(*group);
  *group = nullptr;
}

iCC_g_Comm create_communicator(iCC_g_Comm comm, iCC_g_Group group) {
  const Communicator& parent = communicator_of(comm);
  const std::vector<int>& nodes = group_of(group).nodes;
  std::vector<int> places;
  for (const int node : nodes) {
    const auto found = std::find(parent.nodes.begin(), parent.nodes.end(), node);
    require(found != parent.nodes.end(), iCC_g_ERROR_MEMBERSHIP);
    places.push_back(static_cast<int>(found - parent.nodes.begin()));
  }
  if (std::find(places.begin(), places.end(), static_cast<int>(parent.source)) == places.end())
    return nullptr;
  auto made = make_communicator(create_call, group_of_places(parent.group, places), nodes);
  iCC_g_Comm handle = made.get();
  state().communicators.emplace(handle, std::move(made));
  return handle;
}

void free_communicator(iCC_g_Comm* comm) {
  require(comm != nullptr, iCC_g_ERROR_NULL);
  const Communicator& freed = communicator_of(*comm);
  IccState& mine = state();
  // The two that are always there are not freed.
  require(&freed != mine.world.get() && &freed != mine.self.get(), iCC_g_ERROR_COMM_NULL);
  check("iCC_g_Comm_free", tutti_group_free(freed.group));
  mine.communicators.erase(*comm);
  *comm = nullptr;
}

}  // namespace tutti::icc
