// SPDX-License-Identifier: BSD-3-Clause
// Everything a task of PVM remembers between calls.
#pragma once

#include <tutti-pvm/pvm3.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "board.hpp"
#include "buffer.hpp"
#include "inbox.hpp"
#include "machine.hpp"
#include "output.hpp"

namespace tutti::pvm {

constexpr int options = 26;  // of pvm_setopt, numbered from 1

struct PvmState {
  std::optional<VirtualMachine> machine;  // while this task belongs to one
  bool left = false;                      // pvm_exit was called: there is no way back
  bool explained = false;                 // why no task can be started
  int endpoint = -1;
  int tid = 0;
  int parent = PvmNoParent;
  int context = PvmBaseContext;
  std::array<int, options> option{};
  MessageBuffers buffers;
  Inbox inbox;
  Output output;
  std::unique_ptr<Board> board;  // from the first use
  std::vector<int> siblings;
  std::vector<void (*)()> before_exit;
  // Tasks on each host, when so many had been announced and so many had left.
  struct Count {
    std::uint32_t announced = 0;
    std::int64_t departures = -1;
    std::vector<int> by_host;
  } count;
  // What pvm_config and pvm_tasks have returned.
  std::vector<std::string> host_names;
  std::vector<pvmhostinfo> host_list;
  std::deque<std::string>
      task_names;  // which the list of tasks points to: they stay where they are
  std::vector<pvmtaskinfo> task_list;

  PvmState();
};

[[nodiscard]] PvmState& state();

}  // namespace tutti::pvm
