// SPDX-License-Identifier: BSD-3-Clause
// Describes what `tutti verify` is asked for. verify.cpp chooses one of the two functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "selection/policy.hpp"
#include "support/call.hpp"
#include "verify/sweep.hpp"

namespace tutti::tools {

struct VerifyOptions {
  CallOptions call;
  std::string schedule;
  std::string pattern;
  bool conflict_free = false;
  bool one_receive = false;
  bool all_p = false;
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
// Proves the algorithms for every number of ranks by starting tutti-prove.
[[nodiscard]] bool verify_all_p(const VerifyOptions& options);

// Returns the answer in JSON: what kind of thing is judged, and a result for each.
[[nodiscard]] std::string verify_answer(const char* kind, bool correct, nlohmann::json results);
[[nodiscard]] nlohmann::json counterexample_json(const CounterExample& found, bool rooted);

// Returns the plans to verify: the named one, for all operations that have it, or every plan.
[[nodiscard]] std::vector<selection::Forced> chosen_plans(const VerifyOptions& options);

}  // namespace tutti::tools
