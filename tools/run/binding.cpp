// SPDX-License-Identifier: BSD-3-Clause
// Distributes the ranks over parts of the machine that hwloc finds.
#include "run/binding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwloc.h>

#include <cstring>
#include <map>
#include <memory>

#include "base/error.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

Topology load() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0)
    base::fail(base::Status::system_error, "hwloc cannot describe this machine");
  Topology topology(raw);
  if (hwloc_topology_load(raw) != 0)
    base::fail(base::Status::system_error, "hwloc cannot describe this machine");
  return topology;
}

using Parts = std::vector<std::vector<int>>;

std::vector<int> processors_in(hwloc_const_cpuset_t set) {
  std::vector<int> processors;
  for (int p = hwloc_bitmap_first(set); p >= 0; p = hwloc_bitmap_next(set, p))
    processors.push_back(p);
  return processors;
}

// Returns the processors of each part of a type. The topology has only what this process may use.
// If the machine shows no parts of this type, each processor is a part.
Parts objects(hwloc_topology* topology, hwloc_obj_type_t type) {
  if (hwloc_get_nbobjs_by_type(topology, type) < 1) type = HWLOC_OBJ_PU;
  Parts parts;
  for (hwloc_obj_t one = nullptr;
       (one = hwloc_get_next_obj_by_type(topology, type, one)) != nullptr;) {
    if (!hwloc_bitmap_iszero(one->cpuset)) parts.push_back(processors_in(one->cpuset));
  }
  if (parts.empty()) base::fail(base::Status::system_error, "hwloc finds no processors to bind to");
  return parts;
}

struct FreeBitmap {
  void operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }
};

// Reads "4" or "0-3". hwloc would accept "", "x" and "-3" as sets, too.
std::vector<int> processors_named(const std::string& word) {
  const std::unique_ptr<hwloc_bitmap_s, FreeBitmap> set(hwloc_bitmap_alloc());
  const bool digits = !word.empty() && word.front() != '-' &&
                      word.find_first_not_of("0123456789-") == std::string::npos;
  if (!digits || hwloc_bitmap_list_sscanf(set.get(), word.c_str()) != 0 ||
      hwloc_bitmap_weight(set.get()) < 1) {
    base::fail(base::Status::invalid_argument,
               "--bind: '{}' is neither a processor nor a range such as 0-3", word);
  }
  return processors_in(set.get());
}

Parts listed(hwloc_topology* topology, const std::string& list) {
  Parts parts;
  hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(topology);
  for (const std::string& word : words_of(list)) {
    for (const int processor : processors_named(word)) {
      if (hwloc_bitmap_isset(allowed, static_cast<unsigned>(processor)) == 0) {
        base::fail(base::Status::invalid_argument,
                   "--bind: processor {} is none of those that can be used: {}", processor,
                   fmt::join(processors_in(allowed), ", "));
      }
      parts.push_back({processor});
    }
  }
  return parts;
}

Parts parts_of(const std::string& what) {
  constexpr const char* list = "list:";
  const std::map<std::string, hwloc_obj_type_t> types{{"thread", HWLOC_OBJ_PU},
                                                      {"core", HWLOC_OBJ_CORE},
                                                      {"l3", HWLOC_OBJ_L3CACHE},
                                                      {"numa", HWLOC_OBJ_NUMANODE},
                                                      {"socket", HWLOC_OBJ_PACKAGE}};
  const auto type = types.find(what);
  if (type != types.end()) return objects(load().get(), type->second);
  if (what.starts_with(list)) return listed(load().get(), what.substr(std::strlen(list)));
  base::fail(base::Status::invalid_argument, "--bind is '{}' but must be {}", what, bindings);
}

}  // namespace

std::vector<std::vector<int>> bind_ranks(const std::string& what, int ranks) {
  if (what == "none") return {};
  const Parts parts = parts_of(what);
  std::vector<std::vector<int>> bound;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank)
    bound.push_back(parts[rank % parts.size()]);
  return bound;
}

}  // namespace tutti::tools
