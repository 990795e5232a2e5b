// SPDX-License-Identifier: BSD-3-Clause
// The hosts that a user pretends the machine has (TUTTI_HOSTS), and which tasks are on each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tutti::pvm {

class HostList {
 public:
  // Reads a list such as "0,0,1": the first two tasks share a host, the third is on another, and
  // further tasks start again at the front. Hosts are numbered in the order in which they appear.
  // An empty text means one host; nullopt is a text that is no such list.
  [[nodiscard]] static std::optional<HostList> parse(std::string_view text);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int of_slot(int slot) const {
    return of_task_.empty() ? 0 : of_task_[static_cast<std::size_t>(slot) % of_task_.size()];
  }

 private:
  std::vector<int> of_task_;
  int count_ = 1;
};

}  // namespace tutti::pvm
