// SPDX-License-Identifier: BSD-3-Clause
// Describes what `tutti verify` is asked for. verify.cpp chooses one of the two functions.
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

// Return true if everything is right. Both print what they find and throw
// base::Error(invalid_argument).
[[nodiscard]] bool verify_algorithms(const VerifyOptions& options);
// Proves the schedules of a file or folder; prints those that are wrong and nothing else.
[[nodiscard]] bool verify_program(const std::string& path, const VerifyOptions& options);
// Checks the messages of a file that names no operation: whether all are received, and whether
// ranks wait in a circle.
[[nodiscard]] bool verify_messages(const std::string& path, const VerifyOptions& options);
[[nodiscard]] bool verify_file(const VerifyOptions& options);

}  // namespace tutti::tools
