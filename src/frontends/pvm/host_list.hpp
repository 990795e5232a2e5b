// SPDX-License-Identifier: BSD-3-Clause
// The hosts that a user pretends the machine to have (TUTTI_HOSTS): which of them the tasks are on.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tutti::pvm {

class HostList {
 public:
  // "0,0,1": the first two tasks share a host, the third is on another, and so on from the front.
  // Hosts are numbered in the order in which they appear. Empty for one host; nullopt when the text
  // means nothing.
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
