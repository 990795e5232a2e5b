// SPDX-License-Identifier: BSD-3-Clause
// Turns endings of processes into texts and codes.
#include "launch/outcome.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstring>

namespace tutti::launch {

Ending Ending::of_wait_status(int status) {
  if (WIFSIGNALED(status)) return {EndingKind::signalled, WTERMSIG(status)};
  return {EndingKind::exited, WEXITSTATUS(status)};
}

int Ending::exit_code() const {
  switch (kind) {
    case EndingKind::exited:
      return value;
    case EndingKind::signalled:
      return code_of_signal(value);
    case EndingKind::unknown:
      return 1;
    case EndingKind::running:
      break;
  }
  return 0;
}

std::string text_of(const Ending& ending) {
  switch (ending.kind) {
    case EndingKind::exited:
      return fmt::format("exited with code {}", ending.value);
    case EndingKind::signalled:
      return fmt::format("was killed by signal {} ({})", ending.value, ::strsignal(ending.value));
    case EndingKind::unknown:
      return "was killed or left by _exit (its parent alone knows)";
    case EndingKind::running:
      break;
  }
  return "is running";
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

int code_of_signal(int signal) {
  return 128 + signal;
}

int abort_exit_code(int code) {
  return (code & 0xff) != 0 ? code & 0xff : 1;
}

}  // namespace tutti::launch
