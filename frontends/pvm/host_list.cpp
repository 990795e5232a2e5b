// SPDX-License-Identifier: BSD-3-Clause
// Parser of TUTTI_HOSTS (host_list.hpp).
#include "host_list.hpp"

#include <algorithm>
#include <charconv>

namespace tutti::pvm {
namespace {

constexpr int most_hosts = 127;  // most hosts that a task identifier can name

}  // namespace

std::optional<HostList> HostList::parse(std::string_view text) {
  HostList list;
  std::vector<int> seen;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    int number = -1;
    const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool last = word.size() == text.size(), more = text.size() > word.size() + 1;
    if (code != std::errc{} || stop != word.data() + word.size() || number < 0 || !(last || more))
      return std::nullopt;
    const auto place = std::find(seen.begin(), seen.end(), number);
    list.of_task_.push_back(static_cast<int>(place - seen.begin()));
    if (place == seen.end()) seen.push_back(number);
    text.remove_prefix(last ? word.size() : word.size() + 1);
  }
  list.count_ = std::max(1, static_cast<int>(seen.size()));
  if (list.count_ > most_hosts) return std::nullopt;
  return list;
}

}  // namespace tutti::pvm
