// SPDX-License-Identifier: BSD-3-Clause
// The process that binds the address writes the line. The kernel closes its socket when it has
// ended; the other processes wait for that.
#include "launch/speaker.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <functional>

#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descriptor.hpp"
#include "launch/output.hpp"

namespace tutti::launch {
namespace {

constexpr int milliseconds_for_late_ones = 200, milliseconds_between_attempts = 2, attempts = 100;

// An abstract address, which is not a file. It becomes free when the socket is closed.
struct Address {
  explicit Address(const std::string& name) {
    path.sun_family = AF_UNIX;
    const std::size_t length = std::min(name.size(), sizeof path.sun_path - 1);
    name.copy(path.sun_path + 1, length);
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&path); }

  sockaddr_un path{};
  socklen_t size = 0;
};

Descriptor new_socket() {
  return Descriptor(base::raised(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)));
}

// Returns false if nobody listens at the address, or not yet.
bool wait_for_speaker(const Address& address) {
  const Descriptor socket = new_socket();
  try {
    if (::connect(socket.get(), address.get(), address.size) != 0 || !is_of_this_user(socket))
      return false;
  } catch (const base::Error&) {
    return false;  // this process then speaks for itself
  }
  char nothing = 0;
  // Failure is harmless: the end of a speaker that has not accepted this process is an error here.
  static_cast<void>(base::uninterrupted([&] { return ::recv(socket.get(), &nothing, 1, 0); }));
  return true;
}

}  // namespace

void say_for_all(pid_t process, const std::string& line) {
  const Address address(
      fmt::format("tutti-says-{}-{}-{:x}", ::geteuid(), process, std::hash<std::string>{}(line)));
  const Descriptor mine = new_socket();
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (::bind(mine.get(), address.get(), address.size) == 0) break;
    if (errno != EADDRINUSE) break;
    if (wait_for_speaker(address)) return;
    ::poll(nullptr, 0, milliseconds_between_attempts);
  }
  // Failure is harmless: the other processes then say the line, too.
  ::listen(mine.get(), SOMAXCONN);
  write_all(STDERR_FILENO, line);
  ::poll(nullptr, 0, milliseconds_for_late_ones);
}

}  // namespace tutti::launch
