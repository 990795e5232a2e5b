// SPDX-License-Identifier: BSD-3-Clause
// The way into a job for processes that its supervisor has not started: a socket with a name, in a
// folder that only its user can enter. Who comes in gets the segment's descriptor and an endpoint,
// and is then supervised like any other.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "launch/descriptor.hpp"
#include "launch/job_descriptor.hpp"

namespace tutti::launch {

// All throw Error(invalid_argument) for a name that is none (letters, digits, '-' and '_').

// $XDG_RUNTIME_DIR/tutti, else /tmp/tutti-<user id>.
[[nodiscard]] std::string job_socket_folder();

class JobSocket {
 public:
  // nullopt when a job of that name is running. Makes the folder when it is missing; throws Error
  // when that is not this user's alone. What a job that was killed has left is cleared away.
  [[nodiscard]] static std::optional<JobSocket> open(std::string_view name);

  // Listens.
  [[nodiscard]] int socket() const { return socket_.get(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  // To be kept open with the socket.
  [[nodiscard]] int lock() const { return lock_.get(); }
  // The job has ended. Whoever else has a copy of the descriptors does not matter.
  void remove();

 private:
  JobSocket() = default;
  void listen();

  std::string path_;
  Descriptor lock_;  // held as long as there is a process of the supervisor
  Descriptor socket_;
};

// Throws Error when the folder is not this user's alone.
[[nodiscard]] bool job_socket_is_open(std::string_view name);
// Asks to come in as `program`. nullopt when there is no such job, as in a folder that is not this
// user's alone. Throws Error when it refuses.
[[nodiscard]] std::optional<JobDescriptor> request_to_join(std::string_view name,
                                                           std::string_view program);

}  // namespace tutti::launch
