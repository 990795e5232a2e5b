// SPDX-License-Identifier: BSD-3-Clause
// The keys that an object of a file may have. Readers of files in JSON use it.
#pragma once

#include <algorithm>
#include <bitset>
#include <span>
#include <string_view>

#include "formats/json_text.hpp"

namespace tutti::formats {

// The keys of one object that were met so far.
class Keys {
 public:
  explicit Keys(JsonText& json) : json_(json) {}

  // Returns the index of the key in `known`; throws if it is not there, or stands twice.
  std::size_t take(std::string_view key, std::span<const std::string_view> known) {
    const auto place = std::find(known.begin(), known.end(), key);
    if (place == known.end()) json_.fail("there is no such key");
    const auto index = static_cast<std::size_t>(place - known.begin());
    if (seen_[index]) json_.fail("the key stands twice");
    seen_.set(index);
    return index;
  }
  [[nodiscard]] bool has(std::size_t index) const { return seen_[index]; }
  void need(std::size_t index, std::span<const std::string_view> known) const {
    if (!seen_[index]) json_.fail("the key {} is missing", known[index]);
  }

 private:
  JsonText& json_;
  std::bitset<16> seen_;
};

}  // namespace tutti::formats
