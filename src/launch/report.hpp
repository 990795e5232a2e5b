// SPDX-License-Identifier: BSD-3-Clause
// Describes what every rank was doing, as read from the state lines. Supervisor, failure monitor
// and wait graph use it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launch/outcome.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/transport.hpp"

namespace tutti::launch {

enum class WaitState { no, for_all, for_any };

// A copy of one endpoint's state line, taken at one moment.
struct RankView {
  int rank = 0;  // the slot; tasks come after the ranks of the world
  int world_size = transport::shm::capacity;
  int pid = 0;
  transport::shm::Presence presence{};
  std::string call;
  std::string about;  // what the front end says about the call; mostly empty
  WaitState waiting = WaitState::no;
  bool may_give_up = false;
  bool or_more = false;  // more than is shown here may end the wait
  std::uint32_t wait_number = 0;
  std::uint32_t looks = 0;
  std::uint32_t operation = 0;
  std::uint32_t group_size = 0;
  std::uint64_t sequence = 0;
  int round = 0;
  std::vector<int> wait_for;
  std::uint32_t wait_count = 0;  // may exceed wait_for.size()
  std::string words;             // of the front end, for a message; may be empty
  std::string ended;             // how the process has ended, if that is known; else empty

  [[nodiscard]] bool present() const { return presence == transport::shm::Presence::attached; }
  [[nodiscard]] bool departed() const { return transport::shm::departed(presence); }
  [[nodiscard]] bool is_task() const { return rank >= world_size; }
  // Returns true if nobody else than `wait_for` can end the wait.
  [[nodiscard]] bool waits() const { return waits_for_somebody() && !wait_for.empty() && !or_more; }
  // A wait for no process in particular counts here, such as one for a message from anybody.
  [[nodiscard]] bool waits_for_somebody() const { return present() && waiting != WaitState::no; }
  // A send that waits until its receiver has taken earlier messages.
  [[nodiscard]] bool waits_for_room() const {
    return waits_for_somebody() && operation == transport::wait_for_room;
  }
};

[[nodiscard]] RankView view_of(const transport::shm::Mapping& mapping, int rank);
// Returns the views of all slots that were ever used: the world and the tasks.
[[nodiscard]] std::vector<RankView> view_world(const transport::shm::Mapping& mapping);

// Returns a text such as "waiting in dgebs2d (broadcast #12, 4 ranks, round 1) for rank 2". `ranks`
// is the number of ranks that the text is about.
[[nodiscard]] std::string describe(const RankView& view, OperationName operation_name,
                                   std::size_t ranks = 1);

// Returns a text such as "rank 3", "ranks 0-2, 5" or "rank 1, tasks 4, 6". `ranks` ascend and are
// not empty.
[[nodiscard]] std::string list_ranks(const std::vector<int>& ranks,
                                     int world_size = transport::shm::capacity);

// Returns the line that a front end has added to reports of a failure; mostly empty.
[[nodiscard]] std::string failure_note(const transport::shm::Mapping& mapping);

// Returns one indented line per different description, in the order of the first rank that has it.
[[nodiscard]] std::string describe_world(const std::vector<RankView>& world, int without_rank,
                                         OperationName name);

// Returns these lines, the cycle of waits if there is one, and the line of the front end.
[[nodiscard]] std::string report_states(const transport::shm::Mapping& mapping,
                                        const std::vector<RankView>& world, int without_rank,
                                        OperationName name, const std::string& cycle);

}  // namespace tutti::launch
