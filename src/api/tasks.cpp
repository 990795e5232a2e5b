// SPDX-License-Identifier: BSD-3-Clause
// Implements the tasks of tutti_runtime.h: starts them, and tells which processes are there.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <utility>

#include "api/state.hpp"
#include "launch/spare.hpp"
#include "schedule/printer.hpp"
#include "transport/shm/slots.hpp"

using namespace tutti;
using api::answered;
using api::state;

namespace {

// Makes a path absolute, because the supervisor may have another working directory.
std::string absolute(std::string path) {
  if (path.find('/') == std::string::npos || path.front() == '/') return path;
  return (std::filesystem::current_path() / path).string();
}

launch::SpawnRequest request_of(const char* path, const char* const* arguments, int count) {
  launch::SpawnRequest request;
  request.executable = absolute(path);
  request.arguments.emplace_back(path);
  for (; arguments != nullptr && *arguments != nullptr; ++arguments)
    request.arguments.emplace_back(*arguments);
  request.count = count;
  return request;
}

void spawn(launch::SpawnRequest request, int output, int* endpoints) {
  api::ApiState& mine = state();
  static constexpr api::CallWords words("tutti_spawn");
  const api::CallName name(mine, words);
  mine.job.mailbox().part();  // frees the slots of tasks that have ended for new ones
  const std::vector<int> started = mine.job.membership().spawn(request, output);
  std::copy(started.begin(), started.end(), endpoints);
}

launch::SpawnRequest checked_request(const char* path, const char* const* arguments, int count,
                                     const int* endpoints) {
  if (path == nullptr || *path == '\0' || endpoints == nullptr) {
    base::fail(base::Status::invalid_argument, "argument 'path' or 'endpoints' is NULL or empty");
  }
  if (count < 1)
    base::fail(base::Status::invalid_argument, "argument 'count' is {} but must be 1 or more",
               count);
  return request_of(path, arguments, count);
}

using transport::shm::ProcessEnd;
static_assert(static_cast<int>(ProcessEnd::How::left) == TUTTI_LEFT &&
              static_cast<int>(ProcessEnd::How::killed) == TUTTI_KILLED &&
              static_cast<int>(ProcessEnd::How::exited) == TUTTI_EXITED &&
              static_cast<int>(ProcessEnd::How::failed) == TUTTI_FAILED &&
              static_cast<int>(ProcessEnd::How::replaced) == TUTTI_REPLACED);

// Nothing is known of processes on other hosts.
ProcessEnd end_at(int endpoint) {
  api::ApiState* const current = api::process.current;
  const bool known = current != nullptr && current->job.hosts() == 1 && !current->job.in_open_job();
  return known ? transport::shm::end_of(current->job.membership().mapping(), endpoint)
               : ProcessEnd{};
}

}  // namespace

extern "C" {

tutti_status tutti_spawn(const char* path, const char* const* arguments, int count,
                         int* endpoints) {
  return answered("tutti_spawn", [&] {
    spawn(checked_request(path, arguments, count, endpoints), STDOUT_FILENO, endpoints);
  });
}

tutti_status tutti_spawn_logged(const char* path, const char* const* arguments, int count,
                                int output, int* endpoints) {
  return answered("tutti_spawn_logged", [&] {
    launch::SpawnRequest request = checked_request(path, arguments, count, endpoints);
    request.logged = true;
    spawn(std::move(request), output, endpoints);
  });
}

tutti_status tutti_serve_as_spare(int* exit_code) {
  return answered("tutti_serve_as_spare", [&] {
    api::reject_if_ended();
    if (api::process.current != nullptr) {
      base::fail(base::Status::invalid_argument,
                 "this process has joined its job as a rank: it cannot be a spare one");
    }
    const int code = launch::serve_as_spare(schedule::name_in_report);
    api::process.ended = api::Ended::spare;
    if (exit_code != nullptr) *exit_code = code;
  });
}

int tutti_parent(void) {
  api::ApiState* const current = api::process.current;
  return current == nullptr ? -1 : current->job.membership().parent();
}

int tutti_present(int endpoint) {
  api::ApiState* const current = api::process.current;
  if (current == nullptr || endpoint < 0) return 0;
  bool present = false;
  const tutti_status status =
      answered("tutti_present", [&] { present = current->job.present(endpoint); });
  return status == TUTTI_OK && present ? 1 : 0;
}

int64_t tutti_departures(void) {
  api::ApiState* const current = api::process.current;
  if (current == nullptr) return 0;
  if (!current->job.in_open_job()) return current->job.departures();
  std::int64_t count = 0;
  (void)answered("tutti_departures", [&] { count = current->job.departures(); });
  return count;
}

void tutti_ending_of(int endpoint, tutti_ending* ending) {
  if (ending == nullptr || ending->struct_size < sizeof *ending) return;
  const ProcessEnd end = end_at(endpoint);
  ending->how = static_cast<tutti_end>(end.how);
  ending->signal = end.how == ProcessEnd::How::killed ? end.value : 0;
  ending->exit_code = end.how == ProcessEnd::How::exited ? end.value : 0;
}

size_t tutti_ending_text(int endpoint, char* text, size_t size) {
  const std::string found = transport::shm::text_of(end_at(endpoint));
  if (text != nullptr && size > 0) text[found.copy(text, size - 1)] = '\0';
  return found.size();
}

tutti_status tutti_signal(int endpoint, int signal) {
  return answered("tutti_signal", [&] {
    launch::Membership& membership = state().job.membership();
    if (signal < 0 || signal >= NSIG) {
      base::fail(base::Status::invalid_argument, "argument 'signal' is {} but must be below {}",
                 signal, NSIG);
    }
    membership.signal(endpoint, signal);
  });
}

tutti_status tutti_tolerate_deaths(void) {
  return answered("tutti_tolerate_deaths", [] { state().job.membership().tolerate_deaths(); });
}

}  // extern "C"
