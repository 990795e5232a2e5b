// SPDX-License-Identifier: BSD-3-Clause
// What a process and its supervisor tell each other about tasks: programs that are started while
// the job runs, by any of its processes. Tasks started together are a world of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace tutti::launch {

struct SpawnRequest {
  std::string executable;              // looked up in the supervisor's PATH when it has no slash
  std::vector<std::string> arguments;  // argv, program name included
  int count = 0;

  [[nodiscard]] std::string pack() const;
  [[nodiscard]] static SpawnRequest unpack(std::string_view bytes);
};

// Either the endpoints, or a status and a text.
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

// Whom a process belongs to; for the ranks a job starts with both are known without being told.
struct SpawnGroup {
  int parent = -1;         // the endpoint that asked for it
  std::vector<int> world;  // those started together with it, itself included, in order of rank

  [[nodiscard]] std::string pack() const;
  [[nodiscard]] static SpawnGroup unpack(std::string_view bytes);
};

}  // namespace tutti::launch
