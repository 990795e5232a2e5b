// SPDX-License-Identifier: BSD-3-Clause
// The messages between a rank and its supervisor, and the sockets and pipes that they use. Each
// message is one datagram on the socket pair of that rank; a descriptor and some bytes may travel
// with it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace tutti::launch {

using base::Descriptor;

struct DescriptorPair {
  Descriptor first;
  Descriptor second;
};

// Returns a connected pair whose ends close on exec. `type` is SOCK_STREAM or SOCK_SEQPACKET.
[[nodiscard]] DescriptorPair socket_pair(int type);
// These two throw Error(system_error) if the kernel does not tell.
// Returns true if the process at the other end of a connected socket runs as this user.
[[nodiscard]] bool is_of_this_user(const Descriptor& socket);
// Returns the pid of the process that made this end's peer: by socketpair() or by connecting. The
// kernel translates it into the pid namespace of the caller; 0 if it has no pid there.
[[nodiscard]] pid_t pid_of_peer(const Descriptor& socket);
// Returns true if no process has the other end open any more.
[[nodiscard]] bool peer_is_gone(const Descriptor& socket);
// Lets the kernel send this process a signal whenever something arrives at this end of a socket,
// and when the other end closes. Returns false, with errno, if the system refuses that.
[[nodiscard]] bool signal_at_end(int descriptor, int signal);
// Continues this process when something arrives here or the other end closes, if somebody has
// stopped it: only a process that runs can end what it is responsible for.
void continue_at_end(int descriptor);
// Returns a pipe: `first` reads, `second` writes.
[[nodiscard]] DescriptorPair pipe_pair();

enum class ControlKind : std::uint32_t {
  hello = 1,    // rank to supervisor: I am this process; passes its death pipe
  acknowledge,  // supervisor to rank: you are watched now; the bytes are its SpawnGroup
  abort,        // rank to supervisor: the text is in the segment
  others_done,  // supervisor to the root process: all others have ended
  spawn,        // rank to supervisor: start tasks; the bytes are a SpawnRequest
  spawned,      // supervisor to rank: a SpawnAnswer
  // Root process to supervisor: waits for others_done; rank started by MPI to supervisor: waits
  // until that ends.
  leaving,
  signal,           // rank to supervisor: send a signal to another; the bytes are a SignalRequest
  request_to_join,  // client to supervisor: may I join; the bytes name the program
  welcome,          // supervisor to client: `rank` is its endpoint; passes the segment
  refused,          // supervisor to client: the bytes give the reason
  // Rank started by MPI to the supervisor of its machine's tasks: I shall ask for tasks.
  enlist,
  stand_by,  // spare process to that supervisor: I wait until you end
  job_ended  // supervisor to the root process, before SIGTERM: `rank` is the job's exit code
};
constexpr std::size_t most_payload = 64 * 1024;

struct ControlMessage {
  ControlKind kind;
  std::int32_t rank;
};

struct Received {
  ControlMessage message;
  Descriptor passed;
  std::string payload;
};

// Returns false if the message cannot be sent; errno is EPIPE or ECONNRESET if the other end is
// gone. The payload has at most most_payload bytes.
[[nodiscard]] bool send_message(int socket, const ControlMessage& message, int passed = -1,
                                std::string_view payload = {});
// Returns nullopt if the other end is gone or has sent nonsense. Throws Error(system_error) if
// there may be a message that cannot be read.
[[nodiscard]] std::optional<Received> receive_message(int socket);

}  // namespace tutti::launch
