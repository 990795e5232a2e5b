// SPDX-License-Identifier: BSD-3-Clause
// The part of one process in a trace: a file in memory that holds its latest records in a ring. The
// memory is that of the file, so what a process has recorded stays when it is killed. When the
// process ends, the part becomes events in the file of the job (events.hpp) and is removed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transport/trace/file_lock.hpp"

namespace tutti::trace {

enum class RecordKind : std::uint8_t {
  call,     // the process was inside a call of the program, perhaps with a wait and one round
  choice,   // it chose and made the plan of a call
  round,    // it was in a round of a blocking operation
  started,  // an operation was under way besides its calls
  round_of_started,
  wait,  // it had nothing to do but wait
};

// An operation of a group. The names are places in Header::names; 0 is no name.
struct TracedOperation {
  std::uint64_t group = 0;
  std::int64_t bytes = 0;
  std::uint32_t number = 0;
  std::uint32_t plan = 0;
};

constexpr std::int32_t nobody = -1;

// Bits that say what else a record of a call tells. The process is in a call, a round or a wait if
// it was killed there.
struct Holds {
  static constexpr std::uint8_t operation = 1, round = 2, wait = 4, in_call = 8, in_round = 16,
                                in_wait = 32;
};

// A record is a line of the cache: to write one is then a small part of a short call.
struct alignas(64) TraceRecord {
  std::uint64_t begin = 0, end = 0;  // ticks
  TracedOperation operation;
  std::uint32_t wait_from = 0, wait_to = 0;  // the wait of a call, in ticks from its begin
  std::int32_t peer = nobody;                // the process that a wait is for, if that is known
  std::uint32_t round = 0;                   // rounds count from 1; 0 for none
  std::uint16_t more = 0;                    // further processes that it is for
  std::uint16_t call = 0;                    // a name
  RecordKind kind = RecordKind::call;
  std::uint8_t holds = 0;  // bits of Holds
};
static_assert(sizeof(TraceRecord) == 64);

// The present state of a process in a call that one record cannot tell. It is kept apart, because a
// process that is killed in the middle of a call never gets to write that one. Other calls are
// begun in the ring, behind the last record.
struct Present {
  TraceRecord call, round, wait;  // begin is 0 where there is none
  std::uint64_t seen = 0;         // last tick at which the process has recorded anything
};

struct Header {
  static constexpr std::uint64_t current_magic = 0x3245434152545454;  // "TTTRACE2"
  static constexpr std::size_t most_names = 1024, name_bytes = 96;

  std::uint64_t magic = 0;
  std::uint64_t capacity = 0;  // records of the ring
  std::int32_t process = 0;
  std::int32_t pid = 0;
  std::uint64_t begin_ticks = 0;
  std::int64_t begin_monotonic = 0, begin_real = 0;  // nanoseconds
  bool counter = false;                              // ticks are those of the processor
  char boot[48] = {};                                // names the run of the system
  char title[48] = {};
  std::atomic<std::uint32_t> name_count = 1;
  alignas(64) std::atomic<std::uint64_t> written = 0;  // records so far, also overwritten ones
  Present present;
  alignas(64) char names[most_names][name_bytes] = {};
};

// Returns a text that differs after each start of the system.
[[nodiscard]] std::string boot_name();

// The mapped file.
class Part {
 public:
  // Makes the file, with room on the disk for all of it. Throws Error(system_error), or
  // Error(out_of_memory) if the disk has no room; the file is then gone.
  [[nodiscard]] static Part create(const std::string& path, std::uint64_t bytes);
  // Opens the file of a process that has ended. The result is empty if the process lives, or if the
  // file is none of this form.
  [[nodiscard]] static Part adopt(const std::string& path);
  Part() = default;
  Part(Part&& other) noexcept;
  Part& operator=(Part&& other) noexcept;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part();

  [[nodiscard]] bool empty() const { return memory_ == nullptr; }
  [[nodiscard]] Header& header() const { return *static_cast<Header*>(memory_); }
  [[nodiscard]] TraceRecord* records() const {
    return reinterpret_cast<TraceRecord*>(static_cast<std::byte*>(memory_) + sizeof(Header));
  }
  void remove() const;

 private:
  Part(std::string path, Descriptor file, void* memory, std::size_t bytes);

  std::string path_;
  Descriptor file_;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

// Returns the path of the part of a process, beside the file of the trace.
[[nodiscard]] std::string part_path(const std::string& trace, int process);
// Returns the paths of all parts that are there, in the order of their names.
[[nodiscard]] std::vector<std::string> parts_beside(const std::string& trace);

}  // namespace tutti::trace
