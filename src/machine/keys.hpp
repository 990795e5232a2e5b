// SPDX-License-Identifier: BSD-3-Clause
// The numbers and words that a machine file can have, with what is allowed for each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tutti::machine {

enum class ValueKind {
  time,      // us
  per_byte,  // us
  bytes,
  count,
  ratio,  // above 0, may be inf
  word
};

struct Key {
  std::string_view name;  // "network.hop" stands as `hop` in the table [network]
  ValueKind kind;
  std::string_view about;
};

[[nodiscard]] std::span<const Key> known_keys();

// Null if there is no such key. Numbers that are measured again for a placement, a range of sizes
// or another library
// ("alpha_near", "beta_long", "blacs_alpha", "copy_32K") are known by their family.
[[nodiscard]] const Key* find_key(std::string_view name);

// Tables of keys: "network", "node", ...
[[nodiscard]] std::span<const std::string_view> sections();

// Nothing if the value is allowed, else what would be.
[[nodiscard]] std::optional<std::string> complaint(ValueKind kind, double value);

// "us", "us a byte", "bytes", or empty.
[[nodiscard]] const char* unit_of(ValueKind kind);

}  // namespace tutti::machine
