// SPDX-License-Identifier: BSD-3-Clause
// Has the descriptors by which a process watches others: signals, ends of processes, sockets and
// pipes. It reports in batches what has happened at them, and knows no rules. The supervisor, the
// failure monitor and a member that leaves its job use it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "launch/descriptor.hpp"

namespace tutti::launch {

// A descriptor is one of these to the process that watches it.
enum class Watched : std::uint8_t {
  signals,
  control,       // the control socket of a process
  process,       // the pidfd of a process
  output,        // the stdout of a rank
  error,         // the stderr of a rank
  stdout_ready,  // this process's stdout can be written to
  stderr_ready,
  job_socket,  // a process asks to join
  connection,  // a process that has asked, and has sent no message yet
  reaper,      // the process that the user started
  timekeeper   // of a job in virtual time
};

class Watcher {
 public:
  // Something has happened at this descriptor, which was watched with this number.
  struct Happening {
    Watched source{};
    int number = 0, descriptor = -1;
  };
  struct Signal {
    int number = 0;
    bool of_terminal = false;  // it reaches the whole process group
  };

  // The constructor and next() throw Error(system_error), which begins with `purpose`. The other
  // functions throw it unless they return a bool.
  explicit Watcher(std::string purpose);

  // Blocks the signals that a supervisor handles, and reports them.
  void watch_signals();
  // Reports when there is something to read. Numbers are slots of the job, or less than 2^24.
  void watch(int descriptor, Watched source, int number = 0);
  // Reports when something can be written.
  void watch_room(int descriptor, Watched source);
  // Reports once that this process has ended. Ends come in the order in which they happened, even
  // if they are asked for late. Returns false if the system refuses it.
  [[nodiscard]] bool watch_end(const Descriptor& pidfd, int number);
  // Stops watching, which must come before closing: a closed descriptor that a child still holds
  // would continue to report.
  void forget(int descriptor);
  void drop(Descriptor& descriptor);

  // Waits so long for events; -1 is for ever. A signal that is handled elsewhere ends the wait. The
  // events are valid until the next call.
  [[nodiscard]] std::span<const Happening> next(int milliseconds);
  // Returns the next signal that has arrived; nullopt if there is none.
  [[nodiscard]] std::optional<Signal> next_signal();

 private:
  [[nodiscard]] bool add(int descriptor, Watched source, int number, std::uint32_t events);

  static constexpr std::size_t most_events = 64;

  std::string purpose_;
  Descriptor epoll_;
  Descriptor signals_;
  std::array<Happening, most_events> batch_{};
};

}  // namespace tutti::launch
