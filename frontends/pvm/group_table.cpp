// SPDX-License-Identifier: BSD-3-Clause
// Finds and changes the names of groups.
#include "group_table.hpp"

#include <algorithm>

namespace tutti::pvm {

GroupTable::Seat GroupTable::find(std::string_view name) const {
  for (int place = 0; place < used_.load(); ++place) {
    const std::uint32_t life = entries_[place].life.load();
    if (life != 0 && name == entries_[place].name) return {place, life};
  }
  return {};
}

// A task that is killed in here leaves a place without a name, which the next name gets.
GroupTable::Seat GroupTable::give_to(int place, std::string_view name) {
  Entry& entry = entries_[place];
  entry.life.store(0);
  in_this_order();
  std::fill_n(entry.name, name_bytes, '\0');
  name.copy(entry.name, name_bytes - 1);
  used_.store(std::max(used_.load(), place + 1));
  std::uint32_t life = lives_.fetch_add(1) + 1;
  if (life == 0) life = lives_.fetch_add(1) + 1;
  in_this_order();
  entry.life.store(life);
  return {place, life};
}

}  // namespace tutti::pvm
