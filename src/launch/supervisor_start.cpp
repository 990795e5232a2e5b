// SPDX-License-Identifier: BSD-3-Clause
// Puts what a supervisor needs into words, and reads it.
#include "launch/supervisor_start.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "base/error.hpp"

namespace tutti::launch {
namespace {

constexpr const char* process_name = "tutti-supervise";
// Words in front of the program's arguments: numbers, socket path, executable.
constexpr int fixed_words = 3;

std::vector<std::string> words_of(const SupervisorStart& start) {
  std::vector<std::string> words{fmt::format("{} {} {} {} {} {}", start.segment, start.pidfd,
                                             start.control, start.socket, start.lock, start.root),
                                 start.socket_path, start.executable};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  return words;
}

}  // namespace

bool start_supervisor_apart(const SupervisorStart& start) {
  const ApartResult result = start_apart(
      {.name = process_name, .words = words_of(start), .descriptors = start.descriptors()});
  // Somebody who kills the supervisor wants the program to end, as at any later time.
  if (result.killed_by == SIGKILL || result.killed_by == SIGTERM) {
    base::fail(base::Status::system_error, "the supervisor of this program was killed by signal {}",
               result.killed_by);
  }
  return result.runs;
}

std::optional<SupervisorStart> received_start(int argc, char** argv) {
  auto received = received_apart(process_name, argc, argv);
  if (!received || received->words.size() < fixed_words) return std::nullopt;
  SupervisorStart given;
  if (std::sscanf(received->words[0].c_str(), "%d %d %d %d %d %d", &given.segment, &given.pidfd,
                  &given.control, &given.socket, &given.lock, &given.root) != 6)
    return std::nullopt;
  given.socket_path = received->words[1];
  given.executable = received->words[2];
  given.arguments.assign(received->words.begin() + fixed_words, received->words.end());
  received->words.clear();
  given.received = *std::move(received);
  return given;
}

}  // namespace tutti::launch
