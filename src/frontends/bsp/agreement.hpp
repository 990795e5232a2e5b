// SPDX-License-Identifier: BSD-3-Clause
// What all processes must do alike in a superstep, as one word: how it ends, how many registrations
// change, and which tag size comes next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tutti::bsp {

enum class SuperstepEnd : std::uint8_t { sync, end, counts, neighbours };

struct Agreement {
  SuperstepEnd ending = SuperstepEnd::sync;
  std::uint64_t changes = 0;  // of registrations
  std::uint64_t tag_size = 0;

  [[nodiscard]] std::uint64_t word() const;
  [[nodiscard]] static Agreement of(std::uint64_t word);
};

// What differs between two processes, in words.
[[nodiscard]] std::string difference(int pid, const Agreement& mine, int other,
                                     const Agreement& theirs);

}  // namespace tutti::bsp
