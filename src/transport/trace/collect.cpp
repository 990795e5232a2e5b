// SPDX-License-Identifier: BSD-3-Clause
// Finds the parts beside the file of a trace.
#include "transport/trace/collect.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "transport/trace/events.hpp"

namespace tutti::trace {
Collected collect(const std::string& path) {
  Collected result;
  const std::vector<std::string> parts = parts_beside(path);
  if (parts.empty() || !std::filesystem::exists(path)) return result;
  Journal journal(path, Journal::Join::as_reader);
  for (const std::string& one : parts) {
    const Part part = Part::adopt(one);
    if (part.empty()) {
      result.left.push_back(one + ": its process still runs, or it is no part of a trace");
    } else if (boot_name() != part.header().boot) {
      result.left.push_back(one + ": it is of another machine, or of before a restart");
    } else if (!write_events(part, journal)) {
      result.left.push_back(one + ": its events cannot be written: " + journal.reason());
    } else {
      part.remove();
      ++result.parts;
    }
  }
  return result;
}

}  // namespace tutti::trace
