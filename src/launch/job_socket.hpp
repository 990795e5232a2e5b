// SPDX-License-Identifier: BSD-3-Clause
// The way into a job for processes that its supervisor has not started: a named socket in a folder
// that only its user can enter. A process that joins gets the segment's descriptor and an endpoint,
// and is then supervised like any other. PVM's front end uses it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "launch/descriptor.hpp"
#include "launch/job_descriptor.hpp"

namespace tutti::launch {

// All functions that take a name throw Error(invalid_argument) for a wrong one. A name consists of
// letters, digits, '-' and '_'.

class JobSocket {
 public:
  // Makes a job socket; nullopt if a job of that name is running. Makes the folder if it is
  // missing; throws Error if others than this user can enter it. Removes files that a killed job
  // has left.
  [[nodiscard]] static std::optional<JobSocket> open(std::string_view name);

  // Returns the object for a job socket that another process has made and passed on.
  [[nodiscard]] static JobSocket adopt(std::string path, int socket, int lock);

  // Returns the socket that listens for clients.
  [[nodiscard]] int socket() const { return socket_.get(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  // Returns the lock, which the supervisor keeps open together with the socket.
  [[nodiscard]] int lock() const { return lock_.get(); }
  // Called by a process whose child serves the clients. While anybody has the socket who does not
  // accept them, they would wait after the end of the child, too.
  void hand_over() { socket_.reset(); }
  // Makes this process the one that end_job_at_socket() finds.
  void listen_here();
  // Removes the socket and its lock after the end of the job, even if other processes still have
  // copies of the descriptors.
  void remove();

 private:
  JobSocket() = default;
  void listen();

  std::string path_;
  Descriptor lock_;  // held as long as a process of the supervisor exists
  Descriptor socket_;
};

// Returns true if a job of this name listens. Throws Error if others than this user can enter the
// folder.
[[nodiscard]] bool job_socket_is_open(std::string_view name);
// Sends SIGTERM to the process that listens at the socket, if there is one. It ends a job that
// takes no more clients, to which nobody can send a message.
void end_job_at_socket(std::string_view name);
// Asks to join the job as `program`. Returns nullopt if there is no such job, or if others than
// this user can enter the folder. Throws Error if the job refuses.
[[nodiscard]] std::optional<JobDescriptor> request_to_join(std::string_view name,
                                                           std::string_view program);

}  // namespace tutti::launch
