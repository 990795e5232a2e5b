// SPDX-License-Identifier: BSD-3-Clause
// Starts the timekeeper and waits for it (virtual_time.hpp).
#include "run/virtual_time.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <utility>

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/notice.hpp"
#include "base/uninterrupted.hpp"
#include "launch/process.hpp"
#include "machine/machine.hpp"
#include "run/links.hpp"
#include "support/child.hpp"

namespace tutti::tools {
namespace {

constexpr int milliseconds_between_looks = 50;  // for a signal of the user

// Runs between fork and exec. The process has no other threads, so every function may be called.
[[noreturn]] void become(std::vector<std::string>& words, pid_t parent, int segment, int report) {
  launch::end_with_parent(parent, SIGTERM);
  const bool ready = dup2(report, STDOUT_FILENO) >= 0 && ::fcntl(segment, F_SETFD, 0) >= 0;
  base::let_go_of(STDIN_FILENO);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Failure is harmless: the exit code then says that there is no timekeeper.
  if (ready) ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

// Returns true if the user has asked to end the job. The supervisor has blocked these signals.
bool is_interrupted() {
  sigset_t pending;
  ::sigpending(&pending);
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  return std::any_of(std::begin(numbers), std::end(numbers),
                     [&](int number) { return sigismember(&pending, number) == 1; });
}

void set(std::vector<launch::LaunchedProgram>& programs, base::Variable variable,
         const std::string& value) {
  for (launch::LaunchedProgram& program : programs)
    program.setting.environment.push_back(fmt::format("{}={}", base::name_of(variable), value));
}

// Lets the programs, and no other process, have virtual time for the clocks of the C library.
void preload_clock(std::vector<launch::LaunchedProgram>& programs) {
  const std::string_view preload = "LD_PRELOAD=";
  for (launch::LaunchedProgram& program : programs) {
    std::vector<std::string>& given = program.setting.environment;
    const auto sets_it = [=](const std::string& one) { return one.starts_with(preload); };
    if (std::none_of(given.begin(), given.end(), sets_it))
      given.push_back(std::string(preload) + base::preloaded());
    put_first({.folders = {}, .files = {"libtutti-clock.so.0"}}, given);
  }
}

}  // namespace

VirtualTime::VirtualTime(VirtualTimeOptions options, int ranks)
    : options_(std::move(options)), ranks_(ranks), machine_(options_.machine) {
  const machine::Machine machine = machine::load_machine(options_.machine, {options_.topology});
  const machine::Topology& network = *machine.network.topology;
  if (ranks > network.nodes())
    base::fail(base::Status::invalid_argument, "{} ranks do not fit on the {} nodes of {}, {}",
               ranks, network.nodes(), machine.name, network.name());
  if (machine_.find('/') != std::string::npos || machine_.ends_with(".toml"))
    machine_ = std::filesystem::absolute(machine_).string();
}

void VirtualTime::ask(std::vector<launch::LaunchedProgram>& programs) const {
  set(programs, base::Variable::machine, machine_);
  set(programs, base::Variable::machine_topology, options_.topology);
  preload_clock(programs);
  // Data that processes read from each other's memory have no time.
  set(programs, base::Variable::bsp_windows, "0");
}

std::vector<std::string> VirtualTime::words(int segment, const std::string& title) const {
  std::vector<std::string> words{helper_program(study_program), timekeeper_verb};
  const auto add = [&words](const char* name, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(name);
    words.push_back(value);
  };
  const auto number = [](const auto& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  add("--segment", fmt::to_string(segment));
  add("--title", title);
  add("--machine", machine_);
  add("--topology", options_.topology);
  add("--seed", number(options_.seed));
  add("--noise", number(options_.noise));
  add("--drift", number(options_.drift));
  add("--top", number(options_.top));
  add("--svg", options_.svg);
  add("--trace", options_.trace);
  add("--heat", options_.heat);
  if (options_.force) words.emplace_back("--force");
  return words;
}

void VirtualTime::start(const transport::shm::Mapping& mapping, const std::string& title) {
  board_ = &timed::make_board(mapping, ranks_);
  report_ = launch::Descriptor(base::raised(::memfd_create("tutti-report", MFD_CLOEXEC)));
  if (!report_.valid()) base::fail_errno("making room for the report");
  std::vector<std::string> arguments = words(mapping.descriptor(), title);
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) base::fail_errno("starting the timekeeper");
  if (child == 0) become(arguments, parent, mapping.descriptor(), report_.get());
  pidfd_ = launch::Descriptor(base::raised(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))));
  if (!pidfd_.valid()) base::fail_errno("watching the timekeeper");
}

std::optional<nlohmann::json> VirtualTime::finish(bool cut_short) {
  pollfd ended{pidfd_.get(), POLLIN, 0};
  while (base::uninterrupted([&] { return ::poll(&ended, 1, milliseconds_between_looks); }) == 0)
    if (is_interrupted()) timed::cut_short(*board_);
  const std::uint32_t reported = board_->reported.see();
  if (reported == 0 && !cut_short)
    base::notice("tutti run: the timekeeper was killed, so the virtual time has no report\n");
  if (reported != timed::TimedBoard::has_reported) return std::nullopt;
  std::string text(
      static_cast<std::size_t>(std::max<off_t>(::lseek(report_.get(), 0, SEEK_END), 0)), '\0');
  if (::pread(report_.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    base::fail_errno("reading the report of the timekeeper");
  return nlohmann::json::parse(text);
}

void leave_virtual_time(std::vector<launch::LaunchedProgram>& programs) {
  if (!base::text(base::Variable::machine)) return;
  set(programs, base::Variable::machine, "");
}

}  // namespace tutti::tools
