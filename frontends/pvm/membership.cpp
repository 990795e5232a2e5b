// SPDX-License-Identifier: BSD-3-Clause
// Lookups in the members of a group, and the hash of its name.
#include "membership.hpp"

#include <algorithm>

namespace tutti::pvm {

int GroupMembers::instance_of(int tid) const {
  const auto found = std::find(tids.begin(), tids.end(), tid);
  return found == tids.end() ? -1 : static_cast<int>(found - tids.begin());
}

int GroupMembers::rank_of(int instance) const {
  return static_cast<int>(
      std::count_if(tids.begin(), tids.begin() + instance, [](int tid) { return tid != 0; }));
}

bool GroupMembers::has(int instance) const {
  return instance >= 0 && instance < static_cast<int>(tids.size()) &&
         tids[static_cast<std::size_t>(instance)] != 0;
}

void GroupMembers::undo(int instance, int before) {
  const auto at = static_cast<std::size_t>(instance);
  if (at >= tids.size()) tids.resize(at + 1);
  tids[at] = before;
  while (!tids.empty() && tids.back() == 0) tids.pop_back();
  size += before == 0 ? -1 : 1;
  --epoch;
}

// The hash is FNV-1a with 64 bits.
std::uint64_t name_hash(std::string_view name) {
  std::uint64_t value = 14695981039346656037U;
  for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return value;
}

}  // namespace tutti::pvm
