// SPDX-License-Identifier: BSD-3-Clause
// The requests and answers about tasks between a process and its supervisor. Tasks are programs
// that any process of the job starts while it runs. Tasks started together are a world of their
// own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace tutti::launch {

struct SpawnRequest {
  std::string executable;              // looked up in the supervisor's PATH if it has no slash
  std::vector<std::string> arguments;  // argv, program name included
  int count = 0;
  bool logged = false;  // stderr, too, is the descriptor that comes with the request

  [[nodiscard]] std::string pack() const;
  [[nodiscard]] static SpawnRequest unpack(std::string_view bytes);
};

// Contains either the endpoints, or a status and a text.
struct SpawnAnswer {
  base::Status status = base::Status::ok;
  std::string text;
  std::vector<int> endpoints;

  [[nodiscard]] std::string pack() const;
  [[nodiscard]] static SpawnAnswer unpack(std::string_view bytes);
};

struct SignalRequest {
  int endpoint = 0;
  int signal = 0;

  [[nodiscard]] std::string pack() const;
  [[nodiscard]] static SignalRequest unpack(std::string_view bytes);
};

// Says which process has asked for a task, and which tasks have started together with it. The ranks
// that a job starts with know both without a message.
struct SpawnGroup {
  int parent = -1;         // the endpoint that has asked for the task
  std::vector<int> world;  // the endpoints of the group in order of rank, this task included

  [[nodiscard]] std::string pack() const;
  [[nodiscard]] static SpawnGroup unpack(std::string_view bytes);
};

}  // namespace tutti::launch
