// SPDX-License-Identifier: BSD-3-Clause
// Notices: texts that one process of a job gives to all others, including those that come later.
// A job uses them to make processes agree on settings (job/join.cpp).
#pragma once

#include <optional>
#include <string_view>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

struct Posted {
  int writer = 0;         // endpoint
  std::string_view text;  // valid as long as the job
};

// Posts the text unless the kind has one already. Returns true if this text was posted. Throws
// Error(out_of_memory).
bool post_notice(const Mapping& mapping, NoticeKind kind, int writer, std::string_view text);

// The text of this kind, or nullopt before it is posted.
[[nodiscard]] std::optional<Posted> read_notice(const Mapping& mapping, NoticeKind kind);

}  // namespace tutti::transport::shm
