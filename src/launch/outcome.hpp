// SPDX-License-Identifier: BSD-3-Clause
// How a process ended, how a job ended, and the exit code that follows. Supervisor and failure
// monitor use it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::launch {

// Returns the name of the value in StateLine::operation (1, 2, ...). The names belong to a layer
// that the launcher does not know.
using OperationName = std::string_view (*)(std::uint32_t operation);

enum class EndingKind { running, exited, signalled, unknown };

struct Ending {
  EndingKind kind = EndingKind::running;
  int value = 0;  // exit code or signal number

  [[nodiscard]] static Ending of_wait_status(int status);
  [[nodiscard]] bool good() const { return kind == EndingKind::exited && value == 0; }
  [[nodiscard]] bool by(int signal) const {
    return kind == EndingKind::signalled && value == signal;
  }
  [[nodiscard]] int exit_code() const;
};

// Returns a text such as "was killed by signal 9 (Killed)" or "exited with code 3".
[[nodiscard]] std::string text_of(const Ending& ending);
// Returns a name such as "SIGINT".
[[nodiscard]] std::string signal_name(int signal);

// Returns the exit code that shells give to a process that a signal has ended.
[[nodiscard]] int code_of_signal(int signal);

// Returns the exit code of an abort. It is one byte, and never 0, because an abort is no success.
[[nodiscard]] int abort_exit_code(int code);

struct RankOutcome {
  int rank = 0;
  int pid = 0;
  Ending ending;
  std::string state;    // describes the process when the job failed; otherwise empty
  std::string program;  // argv[0]
  bool joined = false;  // a process of this rank has called tutti_init
};

struct Outcome {
  int exit_code = 0;
  bool cut_short = false;  // true if something ended the job early
  std::string reason;      // one line; empty if nothing failed
  std::string cycle;       // "rank 0 -> rank 1 -> rank 0" when processes wait for each other
  std::vector<RankOutcome> ranks;
};

}  // namespace tutti::launch
