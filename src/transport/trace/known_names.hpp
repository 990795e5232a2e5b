// SPDX-License-Identifier: BSD-3-Clause
// The numbers of names of calls, which are asked for again and again. A name is mostly found by a
// few comparisons.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tutti::trace {

class KnownNames {
 public:
  using Words = std::array<std::uint64_t, 3>;  // a name, filled up with zeros

  // Returns the number of a name. `learn(std::string_view)` returns that of one that is not known
  // here, the same for equal names.
  template <class Learn>
  [[nodiscard]] std::uint32_t number_of(const Words& name, const Learn& learn) {
    const std::uint64_t mixed = (name[0] ^ name[1] * 31 ^ name[2] * 961) * 0x9e3779b97f4a7c15;
    Known& known = known_[mixed >> 58];
    if (known.name != name) [[unlikely]]
      known = {name, learn(text_of(name))};
    return known.number;
  }

 private:
  struct Known {
    Words name{};
    std::uint32_t number = 0;
  };
  [[nodiscard]] static std::string_view text_of(const Words& name) {
    const auto* const text = reinterpret_cast<const char*>(name.data());
    return {text, ::strnlen(text, sizeof(Words))};
  }

  std::array<Known, 64> known_{};
};

}  // namespace tutti::trace
