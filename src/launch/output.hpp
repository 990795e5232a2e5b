// SPDX-License-Identifier: BSD-3-Clause
// Where the output of ranks goes if they do not write to the launcher's stdout and stderr
// themselves. The supervisor uses it.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

#include "launch/descriptor.hpp"

namespace tutti::launch {

// Writes the whole text in spite of signals and short writes. Gives up when nobody reads any more.
void write_all(int descriptor, std::string_view text);

// Writes the error that ends a supervisor or a failure monitor. It needs no memory.
void say_failure(const std::exception& error);

// Says on stderr that a process has aborted its job, and waits until that is read.
void write_aborted(int exit_code, const std::string& who, std::string_view text);

// Waits up to a second until the text in a pipe has been read. MPI's launcher may end a job before
// it has read what the ranks wrote last.
void wait_until_read(int descriptor);

// Returns true if both lead to the same file, pipe or terminal, as after 2>&1.
[[nodiscard]] bool same_file(int descriptor, int other);

struct OutputOptions {
  bool tagged = false;  // lines go to the launcher's stdout and stderr, each with its rank in front
  std::string folder;   // two files per rank are written there; empty: no files

  // Returns true if the supervisor reads what ranks write. Otherwise they inherit stdout and
  // stderr.
  [[nodiscard]] bool forwarded() const { return tagged || !folder.empty(); }
};

// Makes the folder for --output. Throws Error(invalid_argument) if files cannot be made in it.
void make_output_folder(const std::string& folder);
// Returns a path such as "folder/rank.07.out". It has as many digits as the largest of `ranks`
// ranks needs, so that names sort by rank.
[[nodiscard]] std::string output_file(const std::string& folder, int rank, int ranks,
                                      std::size_t stream);

// Cuts what a rank writes into lines and puts the rank in front of each.
class LineTagger {
 public:
  explicit LineTagger(int rank);

  // Returns the lines that `text` completes. A line of more than 64 KiB that arrives in pieces
  // becomes several lines, so that it cannot fill the memory.
  [[nodiscard]] std::string add(std::string_view text);
  // Ends the output: a last line without a newline gets one.
  [[nodiscard]] std::string finish();

 private:
  std::string tag_;
  std::string pending_;
};

// A file, pipe or terminal to which the supervisor writes. Text that is not taken at once waits
// here, so a reader that does not read cannot stop the supervisor.
class Outlet {
 public:
  Outlet() = default;
  explicit Outlet(int borrowed) : number_(borrowed) {}
  explicit Outlet(Descriptor file) : file_(std::move(file)), number_(file_.get()) {}

  // Writes the text, or keeps it for later. Drops it if an earlier write has failed.
  void add(std::string_view text);
  // Writes what the file, pipe or terminal takes now.
  void flush();
  // Closes a file that this object owns. error() tells if the system reports only now that it could
  // not write.
  void close();

  [[nodiscard]] int descriptor() const { return number_; }
  [[nodiscard]] bool pending() const { return !waiting_.empty(); }
  // Returns how much text waits.
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  // Returns errno of the write that failed, or 0.
  [[nodiscard]] int error() const { return error_; }

 private:
  void fail(int error);

  Descriptor file_;
  int number_ = -1;
  std::string waiting_;
  int error_ = 0;
};

}  // namespace tutti::launch
