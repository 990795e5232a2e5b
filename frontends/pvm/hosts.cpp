// SPDX-License-Identifier: BSD-3-Clause
// The calls of PVM about hosts and tasks of the machine (pvm_config, pvm_tasks, ...).
#include <fmt/format.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>

#include "core.hpp"
#include "state.hpp"

namespace tutti::pvm {
namespace {

constexpr std::string_view architecture = "LINUX64";
constexpr int data_signature = 0x408841;  // code of little-endian 64-bit machines
constexpr int usual_speed = 1000;

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

bool is_this_host(std::string_view name) {
  const std::string own = host_name();
  return name == "." || name == "localhost" || name == own || name == own.substr(0, own.find('.'));
}

// A pretended host (TUTTI_HOSTS) has the name of this host and a number from 2 on.
std::string name_of_host(int host) {
  return host == 0 ? host_name() : fmt::format("{}-{}", host_name(), host + 1);
}

bool is_host(std::string_view name) {
  if (is_this_host(name)) return true;
  for (int host = 1; host < state().machine->hosts(); ++host) {
    if (name == name_of_host(host)) return true;
  }
  return false;
}

bool present(const TaskEntry& task) {
  const int endpoint = task.endpoint_plus_1.load() - 1;
  return endpoint >= 0 && tutti_present(endpoint) != 0;
}

// `name` must live as long as the list that receives this entry.
pvmtaskinfo info_of(const TaskEntry& task, char* name) {
  constexpr int running = 4;
  return {task.tid,
          task.parent > 0 ? task.parent : 0,
          tid_of_host(host_of_tid(task.tid)),
          running,
          name,
          task.pid.load()};
}

}  // namespace

int choose_host(int flag, const char* where) {
  const bool by_host = (flag & PvmTaskHost) != 0, by_architecture = (flag & PvmTaskArch) != 0;
  if (!by_host && !by_architecture) return PvmOk;
  if (where == nullptr) return PvmBadParam;
  const std::string_view wanted =
      std::string_view(where).substr(0, std::string_view(where).find(':'));
  const bool fits = (!by_host || is_host(wanted)) && (!by_architecture || wanted == architecture);
  const bool others = (flag & PvmHostCompl) != 0;
  return fits != others ? PvmOk : PvmNoHost;
}

}  // namespace tutti::pvm

using namespace tutti::pvm;

extern "C" {

int pvm_config(int* hosts, int* architectures, struct pvmhostinfo** list) {
  return call("pvm_config", [&] {
    static std::string kind(architecture);
    PvmState& mine = state();
    mine.host_list.clear();
    mine.host_names.clear();
    for (int host = 0; host < mine.machine->hosts(); ++host)
      mine.host_names.push_back(name_of_host(host));
    for (int host = 0; host < mine.machine->hosts(); ++host) {
      char* const name = mine.host_names[static_cast<std::size_t>(host)].data();
      mine.host_list.push_back({tid_of_host(host), name, kind.data(), usual_speed, data_signature});
    }
    if (hosts != nullptr) *hosts = static_cast<int>(mine.host_list.size());
    if (architectures != nullptr) *architectures = 1;
    if (list != nullptr) *list = mine.host_list.data();
    return PvmOk;
  });
}

int pvm_tasks(int where, int* count, struct pvmtaskinfo** list) {
  return call("pvm_tasks", [&] {
    PvmState& mine = state();
    const bool host = where > 0 && where == tid_of_host(host_of_tid(where));
    if (where != 0 && !host && !is_task_tid(where)) return PvmBadParam;
    if (host && host_of_tid(where) >= mine.machine->hosts()) return PvmNoHost;
    mine.task_list.clear();
    mine.task_names.clear();
    for (int slot = 0; slot < slots; ++slot) {
      const TaskEntry& task = mine.machine->task(slot);
      const bool meant =
          where == 0 || task.tid == where || (host && host_of_tid(task.tid) == host_of_tid(where));
      if (!present(task) || !meant) continue;
      mine.task_names.push_back(mine.machine->name(task.endpoint_plus_1.load() - 1));
      mine.task_list.push_back(info_of(task, mine.task_names.back().data()));
    }
    if (where != 0 && !host && mine.task_list.empty()) return PvmNoTask;
    if (count != nullptr) *count = static_cast<int>(mine.task_list.size());
    if (list != nullptr) *list = mine.task_list.data();
    return PvmOk;
  });
}

const int* tutti_pvm_tasks_by_host(int* hosts) {
  PvmState& mine = state();
  const VirtualMachine& machine = *mine.machine;
  *hosts = machine.hosts();
  const std::uint32_t announced = machine.record().announced.load();
  const std::int64_t departures = tutti_departures();
  if (mine.count.announced == announced && mine.count.departures == departures)
    return mine.count.by_host.data();
  mine.count = {announced, departures, std::vector<int>(static_cast<std::size_t>(*hosts))};
  for (int slot = 0; slot < slots; ++slot) {
    const TaskEntry& task = machine.task(slot);
    if (present(task)) ++mine.count.by_host[static_cast<std::size_t>(host_of_tid(task.tid))];
  }
  return mine.count.by_host.data();
}

int pvm_tidtohost(int tid) {
  return call("pvm_tidtohost",
              [&] { return is_task_tid(tid) ? tid_of_host(host_of_tid(tid)) : PvmBadParam; });
}

int pvm_pstat(int tid) {
  return call("pvm_pstat", [&] {
    if (!is_task_tid(tid)) return PvmBadParam;
    return tutti_present(tutti_pvm_endpoint(tid)) != 0 ? PvmOk : PvmNoTask;
  });
}

int pvm_mstat(char* host) {
  return call("pvm_mstat", [&] {
    if (host == nullptr) return PvmBadParam;
    return is_host(host) ? PvmOk : PvmNoHost;
  });
}

int pvm_archcode(char* name) {
  return call("pvm_archcode", [&] {
    if (name == nullptr) return PvmBadParam;
    return name == architecture ? data_signature : PvmNotFound;
  });
}

// All tasks read the same clock: pretended hosts are this host.
int pvm_hostsync(int host, struct timeval* clock, struct timeval* difference) {
  return call("pvm_hostsync", [&] {
    if (host_of_tid(host) < 0 || host_of_tid(host) >= state().machine->hosts()) return PvmNoHost;
    if (clock != nullptr) ::gettimeofday(clock, nullptr);
    if (difference != nullptr) *difference = {0, 0};
    return PvmOk;
  });
}

// There is no daemon to start: the machine exists as soon as a task does.
int pvm_start_pvmd(int, char**, int) {
  return call("pvm_start_pvmd", [] { return PvmOk; });
}

int pvm_halt(void) {
  return call("pvm_halt", [] {
    const PvmState& mine = state();
    for (int slot = 0; slot < slots; ++slot) {
      const TaskEntry& task = mine.machine->task(slot);
      const int endpoint = task.endpoint_plus_1.load() - 1;
      if (present(task) && endpoint != mine.endpoint)
        // Failure is harmless: the task has ended.
        static_cast<void>(tutti_signal(endpoint, SIGTERM));
    }
    return PvmOk;
  });
}

int pvm_addhosts(char** hosts, int count, int* infos) {
  return call("pvm_addhosts", [&] {
    if (hosts == nullptr || count < 1) return PvmBadParam;
    for (int i = 0; i < count && infos != nullptr; ++i)
      infos[i] = is_host(hosts[i]) ? PvmDupHost : PvmNoHost;
    return 0;
  });
}

// A pvmd answers PvmBadParam for the host of the master daemon, which it cannot remove either.
int pvm_delhosts(char** hosts, int count, int* infos) {
  return call("pvm_delhosts", [&] {
    if (hosts == nullptr || count < 1) return PvmBadParam;
    for (int i = 0; i < count && infos != nullptr; ++i)
      infos[i] = is_host(hosts[i]) ? PvmBadParam : PvmNoHost;
    return 0;
  });
}

// Every task has the environment of the job's supervisor, so exporting a variable has no effect.
int pvm_export(char* name) {
  return call("pvm_export", [&] { return name == nullptr ? PvmBadParam : PvmOk; });
}

int pvm_unexport(char* name) {
  return call("pvm_unexport", [&] { return name == nullptr ? PvmBadParam : PvmOk; });
}

char* pvm_version(void) {
  static char version[] = PVM_VER;
  return version;
}

int pvmsleep(int seconds) {
  const timespec time{std::max(seconds, 0), 0};
  ::nanosleep(&time, nullptr);
  return 0;
}

int pvmgetclock(struct timeval* now) {
  return ::gettimeofday(now, nullptr);
}

}  // extern "C"
