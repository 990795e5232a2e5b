// SPDX-License-Identifier: BSD-3-Clause
// Moves what the ranks write from their pipes to files, to stdout and stderr, or to both. While
// nobody reads stdout, the ranks that write to it wait, but the supervisor continues to supervise.
// Stream 0 is stdout, stream 1 is stderr. An outlet has the number of its stream; outlet 0 may
// serve both.
#pragma once

#include <unistd.h>

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "launch/job_policy.hpp"
#include "launch/output.hpp"
#include "launch/watcher.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::launch {

class OutputRelay {
 public:
  // The stdout or stderr of a rank.
  struct Stream {
    DescriptorPair pipe;
    LineTagger tagger{0};
    Outlet file;
  };
  using Streams = std::array<Stream, 2>;

  // The judge is told when output cannot be read or written.
  OutputRelay(const transport::shm::Mapping& mapping, Watcher& watcher,
              const OutputOptions& options, Judge judge);

  // Makes pipes for a rank, whose second ends become its stdout and stderr.
  [[nodiscard]] Streams open(int rank);
  // Reads them from now on. If they cannot be watched, nobody would ever see their end, so they
  // are closed.
  void begin(int rank, Streams streams);
  void on_output(int rank, std::size_t stream);
  void on_outlet(std::size_t outlet);

  // Writes a text of the supervisor's own to stderr.
  void say(std::string_view text);

  // Returns true if all output of this slot was read.
  [[nodiscard]] bool drained(int rank) const;
  // Returns true if there is output that was not read, or not taken.
  [[nodiscard]] bool left() const;

 private:
  [[nodiscard]] int world_size() const { return static_cast<int>(mapping_->header().world_size); }
  [[nodiscard]] Outlet open_file(int rank, std::size_t stream);
  void watch_stream(int rank, std::size_t stream);
  [[nodiscard]] std::size_t outlet_of(std::size_t stream) const;
  void forward(std::size_t stream, std::string_view text);
  [[nodiscard]] bool is_full(const Outlet& outlet) const;
  void check_outlet(std::size_t outlet);
  void await_reader(std::size_t outlet);
  void pause_ranks(std::size_t outlet);

  const transport::shm::Mapping* mapping_;
  Watcher* watcher_;
  const OutputOptions* options_;
  Judge judge_;
  std::vector<Streams> streams_;  // by slot
  std::array<Outlet, 2> outlets_{Outlet(STDOUT_FILENO), Outlet(STDERR_FILENO)};
  bool one_outlet_;  // stdout and stderr are the same file
  // True if this outlet is watched because text waits for its reader.
  std::array<bool, 2> awaited_{};
  // True if the ranks' pipes that lead to this outlet are left unread.
  std::array<bool, 2> paused_{};
  std::set<std::string> files_begun_;  // files of --output that were opened before
};

}  // namespace tutti::launch
