// SPDX-License-Identifier: BSD-3-Clause
// The file that `tutti tune` writes.
#pragma once

#include <string>

namespace tutti::tools {

// Makes the folder if need be, and throws base::Error(system_error) where the file could not be
// written: to be asked before a long measurement.
void require_writable(const std::string& path);

// A reader never sees half a file, and what was there stays until all of the new text is on the
// disk. Throws base::Error(system_error).
void write_file(const std::string& path, const std::string& text);

}  // namespace tutti::tools
