// SPDX-License-Identifier: BSD-3-Clause
// Checks and writes the file of `tutti tune`, and takes a table out of its text.
#pragma once

#include <string>

namespace tutti::tools {

// Makes the folder if necessary. Throws base::Error(system_error) if the file cannot be written.
// Callers check this before a long measurement.
void require_writable(const std::string& path);

// Replaces the file in one step: a reader never sees half of it, and the old text stays until the
// whole new text is on the disk. Throws base::Error(system_error).
void write_file(const std::string& path, const std::string& text);

// A profile's text in two parts: a table such as [hosts], or all tables [[plan]], with the comments
// right above and in them; and the rest.
struct TableApart {
  std::string table, rest;
};
[[nodiscard]] TableApart table_apart(const std::string& profile, const std::string& name);

}  // namespace tutti::tools
