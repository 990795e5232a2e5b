// SPDX-License-Identifier: BSD-3-Clause
// Texts that one process of a job gives to all the others, also to those that come later.
#pragma once

#include <optional>
#include <string_view>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

struct Posted {
  int writer = 0;         // its endpoint
  std::string_view text;  // stays as long as the job
};

// Only the first text of a kind counts. True if it is this one. Throws Error(out_of_memory).
bool post_notice(const Mapping& mapping, NoticeKind kind, int writer, std::string_view text);

// Nothing as long as nobody has posted it.
[[nodiscard]] std::optional<Posted> read_notice(const Mapping& mapping, NoticeKind kind);

}  // namespace tutti::transport::shm
