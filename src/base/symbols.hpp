// SPDX-License-Identifier: BSD-3-Clause
// Finds functions by address in the symbol table of an object file, because the loader knows only
// functions that are exported. call_site uses it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tutti::base {

struct Symbol {
  std::string name;
  std::uint64_t offset = 0;  // bytes from the start of the function to the address
};

// Returns the function at `address`, which counts as in the file. Returns nullopt if the file has
// no symbols or no function there.
[[nodiscard]] std::optional<Symbol> symbol_at(const std::string& file, std::uint64_t address);

// Returns true if the addresses in the file are those in memory, because the file is not moved when
// it is loaded.
[[nodiscard]] bool has_fixed_addresses(const std::string& file);

}  // namespace tutti::base
