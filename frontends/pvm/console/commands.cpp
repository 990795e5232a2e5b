// SPDX-License-Identifier: BSD-3-Clause
// The commands of the console (console.hpp).
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pvm3.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "console.hpp"

namespace tutti::pvm::console {
namespace {

constexpr int done = 0, failed = 1, not_understood = 2;

struct Command {
  int (*run)(const Words& arguments, bool json);
  const char* arguments;
  const char* text;
};

void print(const nlohmann::ordered_json& out) {
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

bool json_wanted = false;  // by the present command

// The answer is an object as those of the command tutti are (tutti-pvm-1.schema.json).
void answer(const char* field, const nlohmann::json& found) {
  print({{"tutti_pvm", 1}, {field, found}});
}

// A command that fails twice prints one answer, about the first failure.
int complain(int code, const std::string& text) {
  std::fputs(fmt::format("tutti pvm: {}\n", text).c_str(), stderr);  // print would throw
  if (std::exchange(json_wanted, false)) {
    print({{"tutti_error", 1},
           {"command", "tutti pvm"},
           {"status", code == not_understood ? "invalid_argument" : "system_error"},
           {"message", text},
           {"exit_code", code}});
  }
  return code;
}

std::string name_of(int tid) {
  return fmt::format("t{:x}", tid);
}

std::string error_of(int code) {
  pvm_errno = code;
  return pvm_strerror();
}

std::vector<pvmhostinfo> all_hosts() {
  int count = 0;
  pvmhostinfo* list = nullptr;
  if (pvm_config(&count, nullptr, &list) != PvmOk) return {};
  return {list, list + count};
}

// Returns all tasks except this console and the keeper.
std::vector<pvmtaskinfo> all_tasks() {
  int count = 0;
  pvmtaskinfo* list = nullptr;
  std::vector<pvmtaskinfo> tasks;
  if (pvm_tasks(0, &count, &list) != PvmOk) return tasks;
  std::copy_if(list, list + count, std::back_inserter(tasks),
               [keeping = keeper()](const pvmtaskinfo& task) {
                 return task.ti_tid != pvm_mytid() && task.ti_tid != keeping;
               });
  return tasks;
}

int conf(const Words&, bool json) {
  nlohmann::json out = nlohmann::json::array();
  if (!json) fmt::print("{:<24} {:<10} {:<10} {}\n", "host", "id", "machine", "speed");
  for (const pvmhostinfo& host : all_hosts()) {
    if (json) {
      out.push_back({{"host", host.hi_name},
                     {"tid", host.hi_tid},
                     {"arch", host.hi_arch},
                     {"speed", host.hi_speed}});
    } else {
      fmt::print("{:<24} {:<10} {:<10} {}\n", host.hi_name, name_of(host.hi_tid), host.hi_arch,
                 host.hi_speed);
    }
  }
  if (json) answer("hosts", out);
  return done;
}

int ps(const Words&, bool json) {
  nlohmann::json out = nlohmann::json::array();
  if (!json)
    fmt::print("{:<10} {:<10} {:<10} {:>8}  {}\n", "task", "host", "parent", "pid", "program");
  for (const pvmtaskinfo& task : all_tasks()) {
    const std::string parent = task.ti_ptid > 0 ? name_of(task.ti_ptid) : "-";
    if (json) {
      out.push_back({{"tid", task.ti_tid},
                     {"host", task.ti_host},
                     {"parent", task.ti_ptid},
                     {"pid", task.ti_pid},
                     {"program", task.ti_a_out}});
    } else {
      fmt::print("{:<10} {:<10} {:<10} {:>8}  {}\n", name_of(task.ti_tid), name_of(task.ti_host),
                 parent, task.ti_pid, task.ti_a_out);
    }
  }
  if (json) answer("tasks", out);
  return done;
}

// Returns the number if the whole text is one.
std::optional<int> number_of(std::string_view text, int base = 10) {
  int value = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// A task must not inherit a stdout that is a pipe: its reader would see the end only when the tasks
// end, not when this console does. So stdout is closed while tasks start, unless it is a terminal.
// Tasks started without a stdout write to the log of the machine.
class NotToPipes {
 public:
  NotToPipes()
      : stdout_(::isatty(STDOUT_FILENO) != 0 ? -1 : ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    if (stdout_ >= 0) ::close(STDOUT_FILENO);
  }
  void restore() const {
    if (stdout_ < 0) return;
    const bool again = ::dup2(stdout_, STDOUT_FILENO) >= 0;
    ::close(stdout_);
    if (!again) throw std::system_error(errno, std::generic_category(), "stdout after a spawn");
  }

 private:
  int stdout_;
};

// Arguments: [-COUNT] PROGRAM [ARGUMENT...]. Starts tasks and prints their identifiers.
int spawn(const Words& words, bool json) {
  const bool counted = !words.empty() && words.front().starts_with('-');
  const std::optional<int> count =
      counted ? number_of(std::string_view(words.front()).substr(1)) : 1;
  const std::size_t program = counted ? 1 : 0;
  if (!count || *count < 1 || words.size() <= program) {
    return complain(not_understood,
                    "spawn needs a program, and before it, if wanted, how many, such as -4");
  }
  std::string name = words[program];
  std::vector<std::string> texts(words.begin() + static_cast<std::ptrdiff_t>(program) + 1,
                                 words.end());
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  std::vector<int> tids(static_cast<std::size_t>(*count));
  // Failure is harmless: main() asks ferror() at the end.
  std::fflush(stdout);
  char anywhere[] = "";
  const NotToPipes kept;
  const int started =
      pvm_spawn(name.data(), arguments.data(), PvmTaskDefault, anywhere, *count, tids.data());
  kept.restore();
  if (started != *count)
    return complain(failed, fmt::format("cannot start '{}': {}", name, error_of(tids.front())));
  if (json) {
    answer("started", tids);
  } else {
    for (const int tid : tids) fmt::print("{}\n", name_of(tid));
  }
  return done;
}

// Accepts an identifier as ps shows it ("t40002") or as ps --json does (a number).
std::optional<int> task_of(std::string_view word) {
  return word.starts_with('t') ? number_of(word.substr(1), 16) : number_of(word);
}

int kill(const Words& words, bool) {
  if (words.empty()) return complain(not_understood, "kill needs tasks, as ps shows them");
  int code = done;
  for (const std::string& word : words) {
    const std::optional<int> tid = task_of(word);
    if (!tid)
      return complain(not_understood, fmt::format("'{}' names no task: ps shows them", word));
    const std::vector<pvmtaskinfo> tasks = all_tasks();
    const bool known = std::any_of(tasks.begin(), tasks.end(),
                                   [&](const pvmtaskinfo& task) { return task.ti_tid == *tid; });
    const int status = known ? pvm_kill(*tid) : int{PvmNoTask};
    if (status != PvmOk) code = complain(failed, fmt::format("{}: {}", word, error_of(status)));
  }
  return code;
}

// The machine may end, by SIGTERM to its processes, when this one has left it and has not yet
// ended. The signal is ignored, so that this process ends by itself.
int halt(const Words&, bool) {
  std::signal(SIGTERM, SIG_IGN);
  if (!ask_keeper_to_halt()) pvm_halt();
  return done;
}

int help(const Words&, bool);

const std::map<std::string, Command, std::less<>>& commands() {
  static const std::map<std::string, Command, std::less<>> all = {
      {"conf", {conf, "", "shows the hosts"}},
      {"halt", {halt, "", "ends all tasks and the machine"}},
      {"help", {help, "", "shows this"}},
      {"kill", {kill, "TASK...", "ends tasks"}},
      {"ps", {ps, "", "shows the tasks"}},
      {"quit",
       {[](const Words&, bool) { return done; }, "", "leaves the console; the machine stays"}},
      {"spawn", {spawn, "[-COUNT] PROGRAM [ARGUMENT...]", "starts tasks"}},
  };
  return all;
}

int help(const Words&, bool) {
  for (const auto& [name, command] : commands()) {
    fmt::print("{:<40} {}\n", fmt::format("{} {}", name, command.arguments), command.text);
  }
  return done;
}

// Splits a line into words; a word with spaces is put in double quotes.
Words words_of(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> std::quoted(word);) words.push_back(word);
  return words;
}

}  // namespace

int obey(Words words) {
  const std::string name = words.front();
  words.erase(words.begin());
  const bool json = !words.empty() && words.front() == "--json";
  if (json) words.erase(words.begin());
  json_wanted = json;
  const auto found = commands().find(name);
  const int code =
      found == commands().end()
          ? complain(not_understood, fmt::format("there is no command '{}': help shows them", name))
          : found->second.run(words, json);
  // Failure is harmless: main() asks ferror() at the end.
  std::fflush(stdout);
  return code;
}

int converse() {
  for (std::string line; fmt::print("pvm> "), std::fflush(stdout), std::getline(std::cin, line);) {
    const Words words = words_of(line);
    if (words.empty()) continue;
    static_cast<void>(obey(words));
    if (words.front() == "quit" || words.front() == "halt") return done;
  }
  fmt::print("\n");
  return done;
}

}  // namespace tutti::pvm::console
