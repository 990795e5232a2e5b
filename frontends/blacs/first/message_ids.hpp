// SPDX-License-Identifier: BSD-3-Clause
// Message ids as paper 000 makes them (6.1). They depend on local counts only. The ids of messages
// between two processes and those of scoped operations have a range each. A range has a part for
// each source, of scoped operations first one for each kind of scope. An id is the start of the
// part of its source and the number of messages before this one. When a part is used up, its ids
// begin again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grid.hpp"

namespace tutti::blacs {

struct IdRange {
  int first, last;
  [[nodiscard]] std::int64_t size() const { return std::int64_t{last} - first + 1; }
};

// The arguments of SHIFT_RANGE and IDRANGES. The default is all ids in two halves.
struct IdRanges {
  IdRange sends{0, 0x3fffffff};
  IdRange scoped{0x40000000, 0x7fffffff};
};

enum class ScopeKind : std::uint8_t { row, column, all };

class MessageIds {
 public:
  MessageIds(const IdRanges& ranges, const Grid& grid);

  [[nodiscard]] const IdRanges& ranges() const { return ranges_; }
  [[nodiscard]] int next_send(int to);
  [[nodiscard]] int next_receive(int from);
  // The id of the next operation in a scope that goes out from its member `source`.
  [[nodiscard]] int next_scoped(ScopeKind scope, int source);

 private:
  // One count for each process: of messages to it and from it, and of the operations of a scope
  // that have gone out from it. Its own entry counts those of this process.
  using Counts = std::vector<std::int64_t>;

  IdRanges ranges_;
  int me_;
  Counts sends_, receives_;
  std::array<Counts, 3> operations_;
};

// Returns true if each range has an id for each source in the grid.
[[nodiscard]] bool enough_ids(const IdRanges& ranges, GridShape shape);

}  // namespace tutti::blacs
