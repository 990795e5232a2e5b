// SPDX-License-Identifier: BSD-3-Clause
// The facts that all processes must share at the end of a superstep, in one word: how it ends, how
// many registrations change, and the next tag size, with whether it was set. superstep.cpp compares
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tutti::bsp {

enum class SuperstepEnd : std::uint8_t { sync, end, counts, neighbours };

struct Agreement {
  SuperstepEnd ending = SuperstepEnd::sync;
  std::uint64_t changes = 0;  // number of registrations made or ended
  std::uint64_t tag_size = 0;
  bool sets_tag_size = false;  // bsp_set_tagsize was called, perhaps with the size as it was

  [[nodiscard]] std::uint64_t word() const;
  [[nodiscard]] static Agreement of(std::uint64_t word);
};

// Tells in words what differs between two processes.
[[nodiscard]] std::string difference(int pid, const Agreement& mine, int other,
                                     const Agreement& theirs);

}  // namespace tutti::bsp
