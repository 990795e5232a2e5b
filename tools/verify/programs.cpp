// SPDX-License-Identifier: BSD-3-Clause
// Implements `tutti verify FILE` for schedules from files.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "formats/load.hpp"
#include "support/table.hpp"
#include "verify/verify.hpp"

namespace tutti::tools {

bool verify_program(const std::string& path, const VerifyOptions& options) {
  nlohmann::json wrong = nlohmann::json::array();
  for (const std::string& file : formats::schedule_files(path)) {
    const std::string problem =
        formats::refutation(formats::schedule_in(formats::contents_of(file), file));
    if (problem.empty()) continue;
    wrong.push_back({{"file", file}, {"correct", false}, {"problem", problem}});
    if (!options.call.json) fmt::print("NOT CORRECT: {}: {}\n", file, problem);
  }
  if (options.call.json && !wrong.empty()) fmt::print("{}", json_text(wrong));
  return wrong.empty();
}

}  // namespace tutti::tools
