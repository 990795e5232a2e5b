// SPDX-License-Identifier: BSD-3-Clause
// The parts of a vector in a buffer of the program, at displacements of its own. tutti wants them
// one behind the other. If they lie otherwise, they are packed into a second buffer.
#pragma once

#include <cstdint>
#include <vector>

namespace tutti::icc {

// The lists of a call: one entry for each rank, in elements. displs may be NULL.
struct PartLists {
  const long* counts;
  const long* displs;
  long element_bytes;
};

class Parts {
 public:
  // Throws Refusal if a count or displacement is negative.
  Parts(int ranks, const PartLists& lists, void* buffer);

  // Throws Refusal if there is no buffer for the parts.
  void require_buffer() const;
  // In bytes.
  [[nodiscard]] const std::int64_t* counts() const { return counts_.data(); }
  [[nodiscard]] std::int64_t count(long rank) const {
    return counts_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  // The buffer in which the parts lie one behind the other: the program's, or a second one.
  [[nodiscard]] void* packed() { return copy_.empty() ? buffer_ : copy_.data(); }
  // Copies all parts into the second buffer, or out of it, if there is one.
  void pack();
  void unpack();

 private:
  template <class Copy>
  void for_each_part(Copy copy);

  char* buffer_;
  std::int64_t bytes_ = 0;
  std::vector<std::int64_t> counts_, starts_;
  std::vector<char> copy_;
};

}  // namespace tutti::icc
