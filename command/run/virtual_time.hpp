// SPDX-License-Identifier: BSD-3-Clause
// Gives a job the time of a described machine: `tutti run --machine M`. The ranks write what they
// do into streams (transport/timed/board.hpp), and a timekeeper, a process of tutti-study, reads
// them. It is no descendant of the supervisor, which ends all of its own, so it reports last.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "launch/descriptor.hpp"
#include "launch/program.hpp"
#include "transport/timed/board.hpp"

namespace tutti::tools {

struct VirtualTimeOptions {
  std::string machine;  // empty: the job has the time of this machine
  std::string topology;
  std::optional<std::uint64_t> seed;
  std::optional<double> noise, drift;  // microseconds
  std::optional<int> top;              // contentions that are named
  std::string svg, trace, heat;        // files
  bool force = false;                  // pictures of any size
};

class VirtualTime {
 public:
  // Throws Error(invalid_argument) if there is no such machine, or if the ranks do not fit on it.
  VirtualTime(VirtualTimeOptions options, int ranks);

  // Lets the programs choose their plans as on the machine.
  void ask(std::vector<launch::LaunchedProgram>& programs) const;
  // Makes the board and starts the timekeeper, before this process has a supervisor below it.
  void start(const transport::shm::Mapping& mapping, const std::string& title);

  [[nodiscard]] timed::TimedBoard& board() const { return *board_; }
  // Becomes readable when the timekeeper has ended.
  [[nodiscard]] int timekeeper() const { return pidfd_.get(); }
  // Waits until the timekeeper has ended, when all ranks have. A signal by which the user ends the
  // job cuts its report short. Returns its report; nothing if it has failed, which was said, or was
  // killed, which is said now unless the job was cut short, too.
  [[nodiscard]] std::optional<nlohmann::json> finish(bool cut_short);

 private:
  [[nodiscard]] std::vector<std::string> words(int segment, const std::string& title) const;

  VirtualTimeOptions options_;
  int ranks_;
  std::string machine_;  // as the programs name it, in whatever folder they are
  timed::TimedBoard* board_ = nullptr;
  launch::Descriptor pidfd_;
  launch::Descriptor report_;  // a file in memory
};

// Lets the programs of a job have the time of this machine, although this process has another one.
void leave_virtual_time(std::vector<launch::LaunchedProgram>& programs);

}  // namespace tutti::tools
