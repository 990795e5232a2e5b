// SPDX-License-Identifier: BSD-3-Clause
// What `tutti verify` can be asked for.
#pragma once

#include <string>

#include "support/request.hpp"

namespace tutti::tools {

struct VerifyOptions {
  std::string operation;
  std::string algorithm;
  std::string p = "1..64";
  std::string root = "some";
  std::string topology;
  std::string schedule;
  std::string pattern;
  bool conflict_free = false;
  bool one_receive = false;
  bool json = false;
  Parameters parameters;
};

// Whether all is well. Both print what they find and throw base::Error(invalid_argument).
[[nodiscard]] bool verify_algorithms(const VerifyOptions& options);
[[nodiscard]] bool verify_file(const VerifyOptions& options);

}  // namespace tutti::tools
