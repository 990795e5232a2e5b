// SPDX-License-Identifier: BSD-3-Clause
// The process that binds the address writes the line. The kernel closes its socket when it has
// ended; the other processes wait for that.
#include "launch/speaker.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descriptor.hpp"
#include "launch/output.hpp"
#include "launch/rendezvous.hpp"

namespace tutti::launch {
namespace {

constexpr int milliseconds_for_late_ones = 200, milliseconds_between_attempts = 2, attempts = 100;

// Returns false if nobody listens at the address, or not yet.
bool wait_for_speaker(const LocalAddress& address) {
  const Descriptor speaker = address.connect(SOCK_STREAM);
  try {
    if (!speaker.valid() || !is_of_this_user(speaker)) return false;
  } catch (const base::Error&) {
    return false;  // this process then speaks for itself
  }
  char nothing = 0;
  // Failure is harmless: the end of a speaker that has not accepted this process is an error here.
  static_cast<void>(base::uninterrupted([&] { return ::recv(speaker.get(), &nothing, 1, 0); }));
  return true;
}

}  // namespace

void say_for_all(pid_t process, const std::string& line) {
  const LocalAddress address(
      fmt::format("tutti-says-{}-{}-{:x}", ::geteuid(), process, std::hash<std::string>{}(line)));
  Descriptor mine;
  for (int attempt = 0; attempt < attempts && !mine.valid(); ++attempt) {
    mine = address.listen(SOCK_STREAM);
    if (mine.valid() || errno != EADDRINUSE) break;
    if (wait_for_speaker(address)) return;
    ::poll(nullptr, 0, milliseconds_between_attempts);
  }
  write_all(STDERR_FILENO, line);
  ::poll(nullptr, 0, milliseconds_for_late_ones);
}

}  // namespace tutti::launch
