// SPDX-License-Identifier: BSD-3-Clause
// Reading of profiles.
#include "bsp_profile.hpp"

#include <array>
#include <fstream>

#include "base/error.hpp"
#include "base/number.hpp"

namespace tutti::tools {
namespace {

constexpr std::size_t numbers = 9;

// The line's numbers; the rest, where bsp_sync was called, may contain commas.
std::array<double, numbers> take_numbers(const std::string& line, const std::string& file, std::size_t& rest) {
  std::array<double, numbers> values{};
  rest = 0;
  for (double& value : values) {
    const std::size_t end = line.find(',', rest);
    if (end == std::string::npos) {
      base::fail(base::Status::invalid_argument, "'{}' in {} has too few fields", line, file);
    }
    const std::string field = line.substr(rest, end - rest);
    const auto found = base::number_in<double>(field);
    if (!found) base::fail(base::Status::invalid_argument, "'{}' in {} is no number", field, file);
    value = *found;
    rest = end + 1;
  }
  return values;
}

std::string unquoted(const std::string& text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::vector<ProfiledStep> read_profile(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) base::fail(base::Status::system_error, "cannot read '{}'", file);
  if (!line.starts_with("superstep,compute_s")) {
    base::fail(base::Status::invalid_argument, "'{}' is no profile of a BSP program", file);
  }
  std::vector<ProfiledStep> steps;
  while (std::getline(stream, line)) {
    std::size_t rest = 0;
    const auto [number, compute, mean, words, out, in, messages, sync, total] = take_numbers(line, file, rest);
    steps.push_back({{compute, words, messages, total}, mean, out, in, sync, unquoted(line.substr(rest))});
  }
  return steps;
}

}  // namespace tutti::tools
