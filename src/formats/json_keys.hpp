// SPDX-License-Identifier: BSD-3-Clause
// The keys that an object of a file may have, and values that all our files in JSON have. Their
// readers use it.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "formats/json_text.hpp"
#include "schedule/operation.hpp"

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

// Takes the version of a format, which must be 1.
inline void take_version(JsonText& json) {
  const std::int64_t version = json.integer();
  if (version != 1) json.fail("the format is version {}, and this tutti reads version 1", version);
}

// Takes a whole number between these two.
[[nodiscard]] inline std::int64_t take_number(JsonText& json, std::int64_t least,
                                              std::int64_t most) {
  const std::int64_t value = json.integer();
  if (value < least || value > most)
    json.fail("the number is {}, limit {} to {}", value, least, most);
  return value;
}

// Takes the name of an operation of at most so many bytes.
[[nodiscard]] inline schedule::Operation take_operation(JsonText& json, std::size_t most) {
  const std::string name = json.string(most);
  for (int i = 0; i < schedule::operation_kinds; ++i) {
    const auto operation = static_cast<schedule::Operation>(i);
    if (name == schedule::to_text(operation)) return operation;
  }
  json.fail("there is no operation {}", json_string(name));
}

}  // namespace tutti::formats
