// SPDX-License-Identifier: BSD-3-Clause
// `tutti pvm` starts a virtual machine of PVM that stays, and its console, which is a task of the
// machine.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/input_file.hpp"
#include "base/uninterrupted.hpp"
#include "commands.hpp"
#include "launch/output.hpp"
#include "launch/process.hpp"
#include "launch/rendezvous.hpp"
#include "launch/supervisor.hpp"
#include "pvm/folder.hpp"
#include "support/child.hpp"
#include "support/parse_words.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::tools {
namespace {

constexpr const char* pvm_footer =
    "Commands: conf, ps, spawn [-COUNT] PROGRAM [ARGUMENT...], kill TASK..., halt, help, quit; "
    "start makes a machine and no\n"
    "more. Without a command they are read from stdin.";
constexpr const char* ready = "ready";  // what a keeper says (frontends/pvm/console/main.cpp)

bool is_running(const std::string& name) {
  return launch::Rendezvous::connect(name).valid();
}

// Redirects the output of a machine, which has no terminal, into its log.
void detach(const std::string& log) {
  const launch::Descriptor file(
      base::open_in_shared_folder(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND));
  base::let_go_of(STDIN_FILENO);
  if (!file.valid() || ::dup2(file.get(), STDOUT_FILENO) < 0 ||
      ::dup2(file.get(), STDERR_FILENO) < 0)
    base::fail_errno(("writing " + log).c_str());
}

void supervise_machine(launch::Rendezvous& job_socket, const std::string& console, int starter) {
  detach(job_socket.path() + ".log");
  auto mapping = transport::shm::Mapping::create(
      {.world_size = 1, .policy = transport::shm::DeathPolicy::tolerant, .limit_bytes = {}});
  launch::SupervisorOptions options;
  options.name = "tutti pvm";
  options.programs = {
      {.executable = console, .arguments = {console, "--keep"}, .ranks = 1, .setting = {}}};
  options.job_socket = job_socket.listener();
  launch::Supervisor supervisor(mapping, std::move(options));
  // The keeper says by its standard input that it is ready.
  if (::dup2(starter, STDIN_FILENO) < 0) base::fail_errno("giving the keeper a pipe");
  supervisor.start(0);
  base::let_go_of(STDIN_FILENO);
  ::close(starter);
  static_cast<void>(supervisor.run());
}

// Becomes the virtual machine, in a session of its own. No shell waits for it, because it outlives
// its parent. Tells `starter` why it cannot start.
[[noreturn]] void be_machine(launch::Rendezvous& job_socket, const std::string& console,
                             int starter) {
  // Failure is harmless: it cannot fail in a new child, which leads no group.
  ::setsid();
  job_socket.listen_here();
  int code = 0;
  try {
    supervise_machine(job_socket, console, starter);
  } catch (const std::exception& error) {
    // Failure is harmless: the starter has ended, and nobody waits for the answer.
    launch::write_all(starter, error.what());
    code = 1;
  }
  job_socket.remove();
  ::_exit(code);
}

std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 512> bytes;
  const auto next = [&] { return ::read(descriptor, bytes.data(), bytes.size()); };
  ssize_t got = 0;
  while ((got = base::uninterrupted(next)) > 0)
    text.append(bytes.data(), static_cast<std::size_t>(got));
  if (got < 0) base::fail_errno("hearing whether the machine is ready");
  return text;
}

int run_console(const std::string& console, std::vector<std::string> words) {
  words.insert(words.begin(), console);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) base::fail_errno("starting the console");
  if (child == 0) {
    launch::end_with_parent(parent);
    // Failure is harmless: the next line ends the process.
    ::execv(console.c_str(), arguments.data());
    ::_exit(127);
  }
  return exit_code_of(child);
}

// Returns what a machine that has ended says in its log, in one line.
std::string reason_in(const std::string& log) {
  base::InputFile file(log);
  std::string line;
  std::getline(file, line);
  for (const char* name : {"tutti pvm: ", "libpvm: "})
    if (line.starts_with(name)) line.erase(0, std::strlen(name));
  return line.empty() ? "it has ended" : line;
}

// Returns when the machine's keeper is ready. `machine` becomes the pid of the machine's process.
void try_to_start_machine(launch::Rendezvous& job_socket, const std::string& console,
                          pid_t& machine) {
  launch::DescriptorPair pipe = launch::pipe_pair();
  machine = ::fork();
  if (machine < 0) base::fail_errno("starting the machine");
  if (machine == 0) be_machine(job_socket, console, pipe.second.release());
  job_socket.hand_over();
  pipe.second.reset();
  const std::string answer = read_to_end(pipe.first.get());
  if (answer == ready) return;
  base::fail(base::Status::system_error, "the machine cannot be started: {}",
             answer.empty() ? reason_in(job_socket.path() + ".log") : answer);
}

// A machine that cannot be used is ended again. Its processes end with it.
void start_machine(const std::string& name, const std::string& console) {
  std::optional<launch::Rendezvous> job_socket = launch::Rendezvous::open(name);
  if (!job_socket)
    base::fail(base::Status::system_error, "the machine '{}' is running already", name);
  pid_t machine = -1;
  try {
    try_to_start_machine(*job_socket, console, machine);
  } catch (const base::Error&) {
    if (machine > 0) {
      // Failure is harmless: the machine has ended.
      ::kill(machine, SIGKILL);
      // Failure is harmless: the reason that is told is another one.
      static_cast<void>(exit_code_of(machine));
    }
    job_socket->remove();
    throw;
  }
}

// Sends SIGTERM to the machine, if it is there. It takes no more tasks, so nobody can send it a
// message.
void end_machine(const std::string& name) {
  const launch::Descriptor machine = launch::Rendezvous::connect(name);
  if (!machine.valid()) return;
  const pid_t process = launch::pid_of_peer(machine);
  if (process <= 0 || ::kill(process, SIGTERM) != 0) base::fail_errno("ending the job at " + name);
}

// Waits until the machine accepts no more tasks, at most five seconds.
void wait_for_end(const std::string& name) {
  constexpr useconds_t look = 10000;
  constexpr int most_looks = 500;
  for (int i = 0; i < most_looks && is_running(name); ++i) ::usleep(look);
}

std::string machine_name() {
  const std::string name = base::text(base::Variable::pvm_machine).value_or("");
  if (name == "none") {
    base::fail(base::Status::bad_environment,
               "environment variable TUTTI_PVM_MACHINE is 'none', which is no machine");
  }
  return name;
}

int pvm(std::vector<std::string> words, bool json) {
  if (json && !words.empty()) words.insert(words.begin() + 1, "--json");
  const std::string name = machine_name(), console = (pvm_folder() / "bin/console").string();
  const std::string command = words.empty() ? "" : words.front();
  if (command == "help") return run_console(console, words);
  if (command == "start") {
    if (words.size() > 1 && words[1] != "--json")
      base::fail(base::Status::invalid_argument, "start takes no other words, but got '{}'",
                 shortened(words[1]));
    start_machine(name, console);
    return 0;
  }
  if (command.empty() && !is_running(name)) start_machine(name, console);
  if (!is_running(name)) {
    base::fail(base::Status::system_error, "no machine '{}' is running; tutti pvm start makes one",
               name);
  }
  const int code = run_console(console, words);
  if (command != "halt") return code;
  if (code != 0) end_machine(name);
  wait_for_end(name);
  return code != 0 && is_running(name) ? code : 0;
}

}  // namespace

void add_pvm(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("pvm", "Makes a machine of PVM that stays; its console.");
  command->footer(pvm_footer);
  command->prefix_command();
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json,
                    "what conf, ps and spawn print is JSON; may also stand behind the command");
  command->callback([command, json, &code] {
    code = reporting_errors(
        "pvm", [&] { return pvm(command->remaining(), *json); }, 1);
  });
}

}  // namespace tutti::tools
