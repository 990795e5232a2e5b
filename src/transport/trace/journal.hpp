// SPDX-License-Identifier: BSD-3-Clause
// The file of a trace, into which the processes of a job write one after the other. It is JSON as
// Perfetto and chrome://tracing read it, and it is complete after each piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "transport/trace/file_lock.hpp"

namespace tutti::trace {

class Journal {
 public:
  enum class Join : bool { as_process, as_reader };
  // Opens the file. The first process of a job empties it and removes the parts that an earlier job
  // has left; a reader takes what is there. Throws Error(bad_environment) if it cannot be written.
  Journal(const std::string& path, Join join);

  [[nodiscard]] const std::string& path() const { return path_; }
  // Returns the time from which the times of events are counted, in nanoseconds since 1970.
  [[nodiscard]] std::int64_t origin() const { return origin_; }
  // Returns true to one process of those that ask, so that it tells of a problem for all.
  [[nodiscard]] bool may_speak() const;
  // The file stays open until this process ends, and with it the lock by which one process speaks.
  void stay_open() {
    static_cast<void>(file_.release());  // nobody closes it
  }

  // Adds the events of one process: begin() once, add() with whole events, each followed by ",\n",
  // and end(). Other processes wait meanwhile. Returns false, and leaves the file as it was, if it
  // could not be written; reason() then tells why. begin() throws Error(system_error) if the system
  // has no lock.
  void begin();
  void add(std::string_view events);
  bool end();
  [[nodiscard]] std::string reason() const;

 private:
  void start();
  void read_origin();
  void note_error();
  [[nodiscard]] std::int64_t end_of_events();
  void put(std::string_view text);

  std::string path_;
  Descriptor file_;
  std::int64_t origin_ = 0;
  std::int64_t from_ = 0, at_ = 0;  // where this process began to write, and where it is
  int error_ = 0;                   // of the first call that has failed since begin()
};

}  // namespace tutti::trace
