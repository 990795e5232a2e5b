// SPDX-License-Identifier: BSD-3-Clause
// Cores as hwloc sees them.
#include "run/binding.hpp"

#include <hwloc.h>

#include <memory>

#include "base/error.hpp"

namespace tutti::tools {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

Topology load() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) base::fail(base::Status::system_error, "hwloc cannot describe this machine");
  Topology topology(raw);
  if (hwloc_topology_load(raw) != 0) base::fail(base::Status::system_error, "hwloc cannot describe this machine");
  return topology;
}

std::vector<int> processors_of(hwloc_obj_t core) {
  std::vector<int> processors;
  for (int p = hwloc_bitmap_first(core->cpuset); p >= 0; p = hwloc_bitmap_next(core->cpuset, p)) {
    processors.push_back(p);
  }
  return processors;
}

}  // namespace

std::vector<std::vector<int>> bind_to_cores(int ranks) {
  const Topology topology = load();
  // The topology holds only what this process is allowed to use; a machine that shows no cores shows processors.
  const auto type = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  const int cores = hwloc_get_nbobjs_by_type(topology.get(), type);
  if (cores < 1) base::fail(base::Status::system_error, "hwloc finds no processors to bind to");
  std::vector<std::vector<int>> bound;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto index = static_cast<unsigned>(rank % cores);
    bound.push_back(processors_of(hwloc_get_obj_by_type(topology.get(), type, index)));
  }
  return bound;
}

}  // namespace tutti::tools
