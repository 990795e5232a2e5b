// SPDX-License-Identifier: BSD-3-Clause
// BLACS 1.0 remember between calls the one grid of this process with its message ids, and what the
// next grid begins with.
#pragma once

#include <memory>
#include <optional>

#include "grid.hpp"
#include "message_ids.hpp"

namespace tutti::blacs {

struct FirstBlacs {
  std::unique_ptr<Grid> grid;     // nullptr: none, or this process is outside of it
  std::optional<MessageIds> ids;  // of the grid
  IdRanges next_ranges;           // of SHIFT_RANGE
  int branches = 1;               // of SETBRANCHES
};

[[nodiscard]] FirstBlacs& state();

// The grid needs no name. Calls of the shared code have this number for it.
constexpr int only_context = 0;

// Returns nothing for a list: it is not one of the scopes among which ids are divided, so its
// operations have none.
[[nodiscard]] std::optional<ScopeKind> kind_of(const Grid& grid, const Scope& scope);

}  // namespace tutti::blacs
