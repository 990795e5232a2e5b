// SPDX-License-Identifier: BSD-3-Clause
// Makes the system calls behind sockets, pipes and messages.
#include "launch/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.hpp"
#include "base/uninterrupted.hpp"

namespace tutti::launch {
namespace {

struct alignas(cmsghdr) ControlSpace {
  char bytes[CMSG_SPACE(sizeof(int))];
};

ucred peer_of(const Descriptor& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    base::fail_errno("asking which process is at the other end of a socket");
  return peer;
}

}  // namespace

DescriptorPair socket_pair(int type) {
  int ends[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0 || !base::raise_both(ends))
    base::fail_errno("a socket between rank and launcher");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

bool is_of_this_user(const Descriptor& socket) {
  return peer_of(socket).uid == ::geteuid();
}

pid_t pid_of_peer(const Descriptor& socket) {
  return peer_of(socket).pid;
}

bool peer_is_gone(const Descriptor& socket) {
  pollfd end{socket.get(), POLLIN, 0};
  return ::poll(&end, 1, 0) != 0 && (end.revents & POLLHUP) != 0;
}

bool signal_at_end(int descriptor, int signal) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && ::fcntl(descriptor, F_SETOWN, ::getpid()) == 0 &&
         ::fcntl(descriptor, F_SETSIG, signal) == 0 &&
         ::fcntl(descriptor, F_SETFL, flags | O_ASYNC) == 0;
}

void continue_at_end(int descriptor) {
  // Failure is harmless: without the signal this process learns the same as soon as somebody
  // continues it.
  static_cast<void>(signal_at_end(descriptor, SIGCONT));
}

DescriptorPair pipe_pair() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0 || !base::raise_both(ends))
    base::fail_errno("a pipe between rank and launcher");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

bool send_message(int socket, const ControlMessage& message, int passed, std::string_view payload) {
  ControlMessage copy = message;
  iovec parts[] = {{&copy, sizeof copy}, {const_cast<char*>(payload.data()), payload.size()}};
  msghdr header{};
  header.msg_iov = parts;
  header.msg_iovlen = 2;
  ControlSpace space{};
  if (passed >= 0) {
    header.msg_control = space.bytes;
    header.msg_controllen = sizeof space.bytes;
    cmsghdr* control = CMSG_FIRSTHDR(&header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(control), &passed, sizeof passed);
  }
  const ssize_t sent =
      base::uninterrupted([&] { return ::sendmsg(socket, &header, MSG_NOSIGNAL); });
  return sent == static_cast<ssize_t>(sizeof copy + payload.size());
}

std::optional<Received> receive_message(int socket) {
  Received received{};
  received.payload.resize(most_payload);
  iovec parts[] = {{&received.message, sizeof received.message},
                   {received.payload.data(), most_payload}};
  msghdr header{};
  header.msg_iov = parts;
  header.msg_iovlen = 2;
  ControlSpace space{};
  header.msg_control = space.bytes;
  header.msg_controllen = sizeof space.bytes;
  const ssize_t got =
      base::uninterrupted([&] { return ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC); });
  if (got < 0 && errno != ECONNRESET) base::fail_errno("a message between rank and launcher");
  if (got <= 0) return std::nullopt;
  if ((header.msg_flags & MSG_CTRUNC) != 0) {
    base::fail(base::Status::system_error,
               "a descriptor cannot be received: too many files are open (ulimit -n)");
  }
  const cmsghdr* control = CMSG_FIRSTHDR(&header);
  if (control != nullptr && control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS) {
    int passed = -1;
    std::memcpy(&passed, CMSG_DATA(control), sizeof passed);
    received.passed = Descriptor(base::raised(passed));
  }
  const auto bytes = static_cast<std::size_t>(got);
  if (bytes < sizeof received.message || (header.msg_flags & MSG_TRUNC) != 0) return std::nullopt;
  received.payload.resize(bytes - sizeof received.message);
  return received;
}

}  // namespace tutti::launch
