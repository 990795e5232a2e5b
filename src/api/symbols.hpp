// SPDX-License-Identifier: BSD-3-Clause
// Functions by address, from the symbol table of an object file: the loader only knows those that
// are exported.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tutti::api {

struct Symbol {
  std::string name;
  std::uint64_t offset = 0;  // of the address within the function
};

// `address` as the file counts it. Nothing if the file has no symbols or none there.
[[nodiscard]] std::optional<Symbol> symbol_at(const std::string& file, std::uint64_t address);

// Whether the file's addresses are those in memory, because it is not moved when it is loaded.
[[nodiscard]] bool has_fixed_addresses(const std::string& file);

}  // namespace tutti::api
