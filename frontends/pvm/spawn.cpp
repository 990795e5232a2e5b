// SPDX-License-Identifier: BSD-3-Clause
// The calls of PVM that start tasks, end them, and ask for notices of their end.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core.hpp"
#include "state.hpp"

using namespace tutti::pvm;

namespace {

namespace fs = std::filesystem;

bool executable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

fs::path folder_of_this_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

// Returns the folders in which a task is looked for before PATH: that of this program, the working
// directory, and those that a pvmd looks in unless its host file says otherwise.
std::vector<fs::path> folders_of_tasks() {
  std::vector<fs::path> folders{folder_of_this_program(), "."};
  const std::string home = setting("HOME"), root = setting("PVM_ROOT"), kind = setting("PVM_ARCH");
  if (!home.empty()) folders.push_back(fs::path(home) / "pvm3/bin" / kind);
  if (!root.empty()) folders.push_back(fs::path(root) / "bin" / kind);
  return folders;
}

// Returns the path of a program whose name has no slash, or its name: tutti_spawn then looks in
// PATH. Returns "" if the name is a path and there is no such program.
std::string find_program(const std::string& name) {
  if (name.empty()) return "";
  if (name.find('/') != std::string::npos) return executable(name) ? name : "";
  for (const fs::path& folder : folders_of_tasks()) {
    if (executable(folder / name)) return (folder / name).string();
  }
  return name;
}

int code_of_failure(tutti_status status) {
  return status == TUTTI_SYSTEM_ERROR ? PvmNoFile : code_of(status);
}

// Prints once why tasks cannot be started, because an error code of PVM does not tell what to do.
void explain_once(const char* why) {
  if (!std::exchange(state().explained, true))
    std::fputs(fmt::format("libpvm: {}\n", why).c_str(), stderr);
}

// Says once where a task was looked for that is nowhere.
void explain_search(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return explain_once(fmt::format("there is no program '{}' to spawn", name).c_str());
  std::string places;
  for (const fs::path& folder : folders_of_tasks())
    places += (places.empty() ? "" : ", ") + folder.string();
  const char* const root =
      setting("PVM_ROOT").empty() ? "; PVM_ROOT, which names a further place, is not set" : "";
  explain_once(
      fmt::format("there is no program '{}' to spawn in {} or PATH{}", name, places, root).c_str());
}

int none_started(int count, int* tids, int code) {
  if (tids != nullptr) std::fill_n(tids, count, code);
  return 0;
}

// Returns the descriptor of the log if tasks are to write there and it can be opened, else -1.
int log_for_tasks() {
  const std::string where = setting("TUTTI_PVM_OUTPUT");
  if (where != "log") {
    if (where != "terminal") explain_once("TUTTI_PVM_OUTPUT must be terminal or log");
    return -1;
  }
  const int log = open_log();
  if (log < 0) {
    const std::string why = fmt::format("the log of the tasks in {} cannot be written: {}",
                                        setting("PVM_TMP"), std::strerror(errno));
    explain_once(why.c_str());
  }
  return log;
}

tutti_status start(const char* program, char** argv, int count, int* endpoints) {
  if (const int log = state().output.collects() ? -1 : log_for_tasks(); log >= 0) {
    const tutti_status status = tutti_spawn_logged(program, argv, count, log, endpoints);
    ::close(log);
    return status;
  }
  const Output::Lent lent(state().output);
  return tutti_spawn(program, argv, count, endpoints);
}

void announce(const char* task, int flag, int count, const int* endpoints, int* tids) {
  PvmState& mine = state();
  mine.spawned += count;
  const int parent = (flag & PvmNoSpawnParent) != 0 ? PvmParentNotSet : mine.tid;
  for (int i = 0; i < count; ++i) {
    if (!mine.machine->announce(endpoints[i], parent, mine.context, task))
      explain_once(tutti_error_text());
    const int tid = mine.machine->tid(endpoints[i]);
    mine.output.started(tid);
    if (tids != nullptr) tids[i] = tid;
  }
}

int watch(int what, int tag, int count, const int* tids) {
  PvmState& mine = state();
  if (!std::all_of(tids, tids + count, [](int tid) { return is_task_tid(tid); }))
    return PvmBadParam;
  for (int i = 0; i < count; ++i) {
    if ((what & PvmNotifyCancel) != 0) {
      mine.inbox.cancel_watch(tids[i], tag, mine.context);
    } else {
      mine.inbox.watch(tids[i], tag, mine.context);
    }
  }
  return PvmOk;
}

}  // namespace

extern "C" {

int tutti_pvm_spawned() {
  return state().spawned;
}

int pvm_spawn(char* task, char** argv, int flag, char* where, int count, int* tids) {
  return call("pvm_spawn", [&] {
    if (task == nullptr || count < 1) return PvmBadParam;
    if (const int status = choose_host(flag, where); status < 0) {
      return status == PvmNoHost ? none_started(count, tids, status) : status;
    }
    const std::string program = find_program(task);
    if (program.empty()) {
      explain_search(task);
      return none_started(count, tids, PvmNoFile);
    }
    std::vector<int> endpoints(static_cast<std::size_t>(count));
    const tutti_status status = start(program.c_str(), argv, count, endpoints.data());
    const bool was_found = program.find('/') != std::string::npos;
    if (status == TUTTI_NO_SLOT || (status == TUTTI_SYSTEM_ERROR && was_found))
      explain_once(tutti_error_text());
    if (status == TUTTI_SYSTEM_ERROR && !was_found) explain_search(task);
    if (status != TUTTI_OK) return none_started(count, tids, code_of_failure(status));
    announce(task, flag, count, endpoints.data(), tids);
    return count;
  });
}

int pvm_sendsig(int tid, int signal) {
  return call("pvm_sendsig", [&] {
    if (!is_task_tid(tid)) return PvmBadParam;
    const tutti_status status = tutti_signal(tutti_pvm_endpoint(tid), signal);
    return status == TUTTI_PEER_LEFT ? PvmNoTask : code_of(status);
  });
}

int pvm_kill(int tid) {
  return call("pvm_kill", [&] {
    if (!is_task_tid(tid)) return PvmBadParam;
    const tutti_status status = tutti_signal(tutti_pvm_endpoint(tid), SIGTERM);
    return status == TUTTI_PEER_LEFT ? PvmNoTask : code_of(status);
  });
}

// Hosts and routes neither come nor go, so notices about them are accepted and never sent.
int pvm_notify(int what, int tag, int count, int* tids) {
  return call("pvm_notify", [&] {
    switch (what & ~PvmNotifyCancel) {
      case PvmTaskExit:
        if (tag < 0 || count < 1 || tids == nullptr) return PvmBadParam;
        return watch(what, tag, count, tids);
      case PvmHostDelete:
      case PvmHostAdd:
      case PvmRouteAdd:
      case PvmRouteDelete:
        return tag < 0 ? PvmBadParam : PvmOk;
      default:
        return PvmBadParam;
    }
  });
}

}  // extern "C"
