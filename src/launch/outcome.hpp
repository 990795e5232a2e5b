// SPDX-License-Identifier: BSD-3-Clause
// How a process ended, how a job ended, and which exit code that makes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::launch {

// Text of the value in StateLine::operation (1, 2, ...). The names belong to a layer the launcher
// does not know.
using OperationName = std::string_view (*)(std::uint32_t operation);

enum class EndingKind { running, exited, signalled, unknown };

struct Ending {
  EndingKind kind = EndingKind::running;
  int value = 0;  // exit code or signal number

  [[nodiscard]] static Ending of_wait_status(int status);
  [[nodiscard]] bool good() const { return kind == EndingKind::exited && value == 0; }
  [[nodiscard]] int exit_code() const;
};

// "was killed by signal 9 (Killed)", "exited with code 3", ...
[[nodiscard]] std::string text_of(const Ending& ending);
// "SIGINT"
[[nodiscard]] std::string signal_name(int signal);

// Codes are a byte, and an abort is never a success.
[[nodiscard]] int abort_exit_code(int code);

struct RankOutcome {
  int rank = 0;
  int pid = 0;
  Ending ending;
  std::string state;    // what it was doing when the job failed; empty otherwise
  std::string program;  // as it was called
};

struct Outcome {
  int exit_code = 0;
  bool cut_short = false;  // somebody or something ended the job
  std::string reason;      // one line; empty when nothing failed
  std::string cycle;       // "rank 0 -> rank 1 -> rank 0" when processes wait for each other
  std::vector<RankOutcome> ranks;
};

}  // namespace tutti::launch
