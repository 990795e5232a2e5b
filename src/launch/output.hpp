// SPDX-License-Identifier: BSD-3-Clause
// Where the output of ranks goes when they do not write to the launcher's stdout and stderr
// themselves.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "launch/descriptor.hpp"

namespace tutti::launch {

// Writes everything, whatever signals and short writes come between; gives up when nobody reads any
// more.
void write_all(int descriptor, std::string_view text);

// MPI's launcher may end a job without having read what its ranks said last: a fifth of a second at
// most.
void wait_until_read(int descriptor);

// Whether both lead to the same file, pipe or terminal, as after 2>&1.
[[nodiscard]] bool same_file(int descriptor, int other);

struct OutputOptions {
  bool tagged = false;  // to the launcher's stdout and stderr, each line with its rank in front
  std::string folder;   // to two files per rank there; empty: none

  // Whether the supervisor reads what ranks write. If not, they inherit stdout and stderr.
  [[nodiscard]] bool forwarded() const { return tagged || !folder.empty(); }
};

// Makes the folder for --output. Throws Error(invalid_argument) when files cannot be made in it.
void make_output_folder(const std::string& folder);
// "rank.07.out": with as many digits as the largest of `ranks` ranks needs, so that names sort by
// rank.
[[nodiscard]] std::string output_file(const std::string& folder, int rank, int ranks,
                                      std::size_t stream);

// Cuts what a rank writes into lines and puts the rank in front of each.
class LineTagger {
 public:
  explicit LineTagger(int rank);

  // The lines that `text` completes. A line of more than 64 KiB that arrives bit by bit becomes
  // several, so that it cannot fill the memory.
  [[nodiscard]] std::string add(std::string_view text);
  // At the end: a last line without a newline gets one.
  [[nodiscard]] std::string finish();

 private:
  std::string tag_;
  std::string pending_;
};

// A file, pipe or terminal to which the supervisor writes. A reader that does not read cannot stop
// the supervisor: what is not taken at once waits here.
class Outlet {
 public:
  Outlet() = default;
  explicit Outlet(int borrowed) : number_(borrowed) {}
  explicit Outlet(Descriptor file) : file_(std::move(file)), number_(file_.get()) {}

  // Drops the text when an earlier write has failed.
  void add(std::string_view text);
  // Passes on what is taken now.
  void flush();
  // Closes a file that this object owns. If the system reports only now that it could not write,
  // error() tells.
  void close();

  [[nodiscard]] int descriptor() const { return number_; }
  [[nodiscard]] bool pending() const { return !waiting_.empty(); }
  // So much waits that ranks should wait too.
  [[nodiscard]] bool full() const { return waiting_.size() >= most_waiting; }
  // errno of the write that failed, or 0.
  [[nodiscard]] int error() const { return error_; }

 private:
  static constexpr std::size_t most_waiting = 256 * 1024;

  void fail(int error);

  Descriptor file_;
  int number_ = -1;
  std::string waiting_;
  int error_ = 0;
};

}  // namespace tutti::launch
