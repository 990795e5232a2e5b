// SPDX-License-Identifier: BSD-3-Clause
// Reads the headers that stand before generators in src/algorithms.
#pragma once

#include <map>
#include <string>

namespace tutti::cost {

struct Header {
  std::string file;
  std::string sentence, source, needs, cost;
};

// Returns the headers by "operation name".
std::map<std::string, Header> read_headers();

}  // namespace tutti::cost
