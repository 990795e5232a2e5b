// SPDX-License-Identifier: BSD-3-Clause
// The numbers and words that a machine file can have, and the values that are allowed for each. The
// reader of profiles and `tutti info` use them.
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
  std::string_view name;  // "network.hop" is `hop` in the table [network]
  ValueKind kind;
  std::string_view about;
};

[[nodiscard]] std::span<const Key> known_keys();

// Returns null if there is no such key. Numbers for one placement, a range of sizes or another
// library ("alpha_near", "beta_long", "blacs_alpha", "copy_32K") are found by their family.
[[nodiscard]] const Key* find_key(std::string_view name);

// Returns the names of the tables of keys, such as "network" and "node".
[[nodiscard]] std::span<const std::string_view> sections();

// Returns nothing if the value is allowed, else a text that says what is allowed.
[[nodiscard]] std::optional<std::string> complaint(ValueKind kind, double value);

// Returns "us", "us a byte", "bytes", or an empty text.
[[nodiscard]] const char* unit_of(ValueKind kind);

}  // namespace tutti::machine
