// SPDX-License-Identifier: BSD-3-Clause
// Finds out which processes of a group can reach each other's memory (peers.hpp).
#include "peers.hpp"

#include <unistd.h>

#include <algorithm>
#include <new>

#include "audit.hpp"
#include "errors.hpp"

namespace tutti::bsp {
namespace {

// The words by which each process introduces itself to the others.
struct Introduction {
  std::int64_t progress;  // name of the window with its ProgressLine
  std::int64_t loaded;
  std::int64_t process;
  std::int64_t number;  // of this group
};

// Makes a label of the first process and the number that the group has there.
std::uint64_t label_of(int endpoint, std::int64_t number) {
  return (static_cast<std::uint64_t>(endpoint) & 0xffffU) << 12 |
         (static_cast<std::uint64_t>(number) & 0xfffU);
}

void introduce(const char* routine, Peers& peers, int number) {
  constexpr std::size_t words = sizeof(Introduction) / sizeof(std::int64_t);
  const auto name = static_cast<std::int64_t>(tutti_window_name(peers.own_progress.get()));
  Introduction own{name, static_cast<std::int64_t>(program_address()), ::getpid(), number};
  std::vector<Introduction> all(peers.count());
  const tutti_data input = tutti_array(&own, words, TUTTI_INT64);
  const tutti_data output =
      tutti_array(all.data(), static_cast<std::int64_t>(words * all.size()), TUTTI_INT64);
  check(routine, tutti_allgather, peers.group, &input, &output);
  for (std::size_t pid = 0; pid < all.size(); ++pid) {
    void* const line =
        tutti_window_address(peers.endpoints[pid], static_cast<std::uint64_t>(all[pid].progress));
    peers.progress.push_back(static_cast<ProgressLine*>(line));
    peers.loaded.push_back(static_cast<std::uint64_t>(all[pid].loaded));
    peers.processes.push_back(all[pid].process);
  }
  peers.label = label_of(peers.endpoints.front(), all.front().number);
}

}  // namespace

const StreamBlock* Peers::resolve(std::size_t other, std::uint64_t name) const {
  return static_cast<const StreamBlock*>(tutti_window_address(endpoints[other], name));
}

bool for_all(const char* routine, const Peers& peers, bool mine) {
  std::int32_t holds = mine ? 1 : 0;
  const tutti_data data = tutti_array(&holds, 1, TUTTI_INT32);
  check(routine, tutti_allreduce, peers.group, &data, &data, TUTTI_MIN);
  return holds != 0;
}

Peers peers_of(const char* routine, tutti_group group, int number) {
  Peers peers;
  peers.group = group;
  peers.pid = tutti_rank(group);
  const int count = tutti_size(group);
  for (int rank = 0; rank < count; ++rank) peers.endpoints.push_back(tutti_endpoint(group, rank));
  void* line = nullptr;
  check(routine, tutti_alloc, sizeof(ProgressLine), &line);
  peers.own_progress.reset(new (line) ProgressLine{});
  introduce(routine, peers, number);
  const bool reached =
      std::find(peers.progress.begin(), peers.progress.end(), nullptr) == peers.progress.end();
  peers.reach_windows = for_all(routine, peers, reached && tutti_setting("TUTTI_BSP_WINDOWS") != 0);
  return peers;
}

}  // namespace tutti::bsp
