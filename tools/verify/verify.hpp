// SPDX-License-Identifier: BSD-3-Clause
// What `tutti verify` can be asked for.
#pragma once

#include <string>

#include "support/call.hpp"

namespace tutti::tools {

struct VerifyOptions {
  CallOptions call;
  std::string schedule;
  std::string pattern;
  bool conflict_free = false;
  bool one_receive = false;
};

// Whether all is well. Both print what they find and throw base::Error(invalid_argument).
[[nodiscard]] bool verify_algorithms(const VerifyOptions& options);
[[nodiscard]] bool verify_file(const VerifyOptions& options);

}  // namespace tutti::tools
