// SPDX-License-Identifier: BSD-3-Clause
// Computes message ids (message_ids.hpp).
#include "message_ids.hpp"

namespace tutti::blacs {
namespace {

constexpr int scope_kinds = 3;

// Returns part number `part` of a range that is divided into equal parts.
IdRange part_of(IdRange range, int parts, int part) {
  const std::int64_t size = range.size() / parts;
  const std::int64_t first = range.first + part * size;
  return {static_cast<int>(first), static_cast<int>(first + size - 1)};
}

// Returns the id of the message that is counted now.
int id_in(IdRange range, std::int64_t& count) {
  return static_cast<int>(range.first + count++ % range.size());
}

}  // namespace

MessageIds::MessageIds(const IdRanges& ranges, const Grid& grid)
    : ranges_(ranges),
      me_(grid.all.rank),
      sends_(static_cast<std::size_t>(grid.all.size)),
      receives_(sends_.size()),
      operations_{Counts(static_cast<std::size_t>(grid.columns)),
                  Counts(static_cast<std::size_t>(grid.rows)), Counts(sends_.size())} {}

int MessageIds::next_send(int to) {
  return id_in(part_of(ranges_.sends, static_cast<int>(sends_.size()), me_),
               sends_[static_cast<std::size_t>(to)]);
}

int MessageIds::next_receive(int from) {
  return id_in(part_of(ranges_.sends, static_cast<int>(receives_.size()), from),
               receives_[static_cast<std::size_t>(from)]);
}

int MessageIds::next_scoped(ScopeKind scope, int source) {
  Counts& counts = operations_[static_cast<std::size_t>(scope)];
  const IdRange mine = part_of(ranges_.scoped, scope_kinds, static_cast<int>(scope));
  return id_in(part_of(mine, static_cast<int>(counts.size()), source),
               counts[static_cast<std::size_t>(source)]);
}

bool enough_ids(const IdRanges& ranges, GridShape shape) {
  const std::int64_t processes = std::int64_t{shape.rows} * shape.columns;
  return ranges.sends.size() >= processes && ranges.scoped.size() / scope_kinds >= processes;
}

}  // namespace tutti::blacs
