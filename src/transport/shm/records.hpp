// SPDX-License-Identifier: BSD-3-Clause
// Records: memory of the job that one process makes, all find by its name, and nobody frees. A
// record is complete before it is published, which is one step. So nobody waits for its maker, and
// a process that is killed leaves no half of one. The quickest of several makers publishes; the
// others give their blocks back and find the record of that one. Front ends share memory by records
// (services/directory.hpp), and a job makes its processes agree on settings (job/join.cpp).
#pragma once

#include <cstdint>
#include <string_view>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

// A record of this name is a sentence that reports of a failure add.
inline constexpr std::string_view failure_record = "tutti.failure";

struct Published {
  Record* record;
  bool is_new;  // it was published by this call
};
// Publishes a text with so many zeroes behind it, and wakes all processes, because any of them may
// wait for it. If there is a record of this name, returns that. Throws Error(out_of_memory) if the
// directory or the memory is full.
Published publish(const Mapping& mapping, std::string_view name, int maker, std::string_view text,
                  std::int64_t zeroes = 0);
// Returns nullptr before there is a record of this name.
[[nodiscard]] const Record* find_record(const Mapping& mapping, std::string_view name);
[[nodiscard]] inline std::string_view text_of(const Record& record) {
  return {reinterpret_cast<const char*>(&record + 1), static_cast<std::size_t>(record.bytes)};
}

}  // namespace tutti::transport::shm
