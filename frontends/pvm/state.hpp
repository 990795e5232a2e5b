// SPDX-License-Identifier: BSD-3-Clause
// Everything that a task of PVM remembers between calls: the one state object of a process.
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

constexpr int options = 26;  // options of pvm_setopt, numbered from 1

[[nodiscard]] constexpr std::array<int, options> first_options() {
  std::array<int, options> option{};
  option[PvmRoute] = PvmAllowDirect;
  option[PvmAutoErr] = 1;
  option[PvmTraceOptions] = PvmTraceFull;
  option[PvmSelfTraceOptions] = PvmTraceFull;
  option[PvmFragSize] = 4096;
  option[PvmShowTids] = 1;
  option[PvmPollType] = PvmPollConstant;
  return option;
}

struct PvmState {
  std::optional<VirtualMachine> machine;  // empty while this task belongs to none
  // A descriptor for programs that wait on several (pvm_getfds), which becomes readable at times;
  // -1 if there is none.
  int ticker = -1;
  bool left = false;       // pvm_exit was called, after which no call joins again
  int spawned = 0;         // number of tasks that this one has started
  bool explained = false;  // the reason why no task can be started was printed
  std::string reason;      // why the call in progress fails, as the runtime says it
  int endpoint = -1;
  int tid = 0;
  int parent = PvmNoParent;
  int context = PvmBaseContext;
  std::array<int, options> option = first_options();
  MessageBuffers buffers;
  Inbox inbox{buffers};
  Output output;
  std::unique_ptr<Board> board;  // made at the first use
  std::vector<int> siblings;
  std::vector<void (*)()> before_exit;
  // The tasks on each host, counted when `announced` tasks had been announced and `departures` of
  // the job had happened.
  struct Count {
    std::uint32_t announced = 0;
    std::int64_t departures = -1;
    std::vector<int> by_host;
  } count;
  // The lists that pvm_config and pvm_tasks have returned.
  std::vector<std::string> host_names;
  std::vector<pvmhostinfo> host_list;
  std::deque<std::string>
      task_names;  // a deque, so that names which task_list points to stay where they are
  std::vector<pvmtaskinfo> task_list;
};

// Never destroyed, because exit handlers of the program may still call PVM.
[[nodiscard]] inline PvmState& state() {
  static PvmState& only = *new PvmState;
  return only;
}
// Returns the value of a variable of `tutti info --vars`.
[[nodiscard]] inline std::string setting(const char* name) {
  std::string text(tutti_setting_text(name, nullptr, 0) + 1, '\0');
  tutti_setting_text(name, text.data(), text.size());
  text.pop_back();
  return text;
}

// Returns the text of an error.
[[nodiscard]] const char* text_of(int code);
// Returns PvmOk if the flags and the name of pvm_spawn admit a host, PvmNoHost if they admit none,
// or PvmBadParam.
[[nodiscard]] int choose_host(int flag, const char* where);

}  // namespace tutti::pvm
