// SPDX-License-Identifier: BSD-3-Clause
// The places where processes of one user meet that have not started each other: local sockets. A
// Rendezvous has a name in a folder that only its user can enter, where all processes of that user
// find it. A socket without a file leaves nothing behind when its process is killed, but every user
// of the machine may connect to it, or take its name first. A server asks whose process the other
// one is (is_of_this_user()). Descriptors are passed on by messages (descriptor.hpp).
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <optional>
#include <string>
#include <string_view>

#include "launch/descriptor.hpp"
#include "launch/socket_folder.hpp"

namespace tutti::launch {

// The address of a local socket.
class LocalAddress {
 public:
  // An address without a file, with a name that the kernel makes when a socket listens there.
  LocalAddress() { address_.sun_family = AF_UNIX; }
  // An address without a file. It becomes free when the socket is closed.
  explicit LocalAddress(std::string_view name);

  // Returns a socket that listens here; an invalid one, with errno, if that is impossible. `type`
  // is SOCK_STREAM or SOCK_SEQPACKET.
  [[nodiscard]] Descriptor listen(int type) const;
  // Returns a connected socket; an invalid one, with errno, if nobody listens.
  [[nodiscard]] Descriptor connect(int type) const;

 protected:
  sockaddr_un address_{};
  socklen_t size_ = sizeof address_.sun_family;

 private:
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
};

// Returns the name of the address without a file where a socket listens; "" with errno.
[[nodiscard]] std::string local_name(const Descriptor& socket);

// All functions that take a name throw Error(invalid_argument) for a wrong one. A name consists of
// letters, digits, '-' and '_'.
class Rendezvous {
 public:
  // Takes a name; nullopt if another process has it. Makes the folder if it is missing; throws
  // Error if others than this user can enter it. Removes files that a killed process has left.
  [[nodiscard]] static std::optional<Rendezvous> open(std::string_view name);
  // Returns the object for a name that another process has taken and passed on.
  [[nodiscard]] static Rendezvous adopt(std::string path, int socket, int lock);
  // Returns a socket that is connected to the process that has a name; an invalid one if there is
  // none.
  [[nodiscard]] static Descriptor connect(std::string_view name,
                                          UnsafeFolder unsafe = UnsafeFolder::is_error);

  // Returns the socket that listens.
  [[nodiscard]] int listener() const { return socket_.get(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  // Returns the lock, which is held as long as a process has it open.
  [[nodiscard]] int lock() const { return lock_.get(); }
  // Called by a process whose child serves those that connect. While anybody has the socket who
  // does not accept them, they would wait after the end of the child, too.
  void hand_over() { socket_.reset(); }
  // Makes this process the one that those see who connect.
  void listen_here();
  // Gives the name back, even if other processes still have copies of the descriptors.
  void remove();

 private:
  Rendezvous() = default;

  std::string path_;
  Descriptor lock_, socket_;
};

}  // namespace tutti::launch
