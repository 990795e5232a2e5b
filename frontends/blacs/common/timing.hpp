// SPDX-License-Identifier: BSD-3-Clause
// Counts what this process spends in each routine while the timing level is above 0, and writes a
// table of it at the end.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace tutti::blacs {

// All calls of a routine by one process. It lies in memory that processes share.
struct Spent {
  std::array<char, 16> routine;
  std::int64_t calls, measured_calls;  // with the time waiting
  std::int64_t data_calls;             // with data, whose lengths follow in bytes
  std::int64_t bytes, least_bytes, most_bytes;
  double inside, waiting;  // seconds
};

struct OneCall {
  const char* routine;
  std::int64_t bytes;  // -1: it has no data
  double inside;
  double waiting;  // not_measured of clock.hpp below level 2
};
void count(const OneCall& call);

// Called when this process leaves its job, or ends without that after its timing level was above 0.
// The last process that comes here writes the table of all.
void finish_timing();
// Called before this process ends the job because of an error. It writes what there is.
void give_up_timing();

// The table of some processes.
struct TimingTable {
  struct Part {
    int process;
    std::span<const Spent> spent;
  };
  std::span<const Part> parts;
  int processes;  // in all
};
[[nodiscard]] std::string table_as_text(const TimingTable& table);
[[nodiscard]] std::string table_as_json(const TimingTable& table);

}  // namespace tutti::blacs
