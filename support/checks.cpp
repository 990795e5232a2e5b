// SPDX-License-Identifier: BSD-3-Clause
// Checks numbers on the command line. Each check reads the whole word, so "3x" and "" are no
// numbers.
#include "support/checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "base/number.hpp"

namespace tutti::tools {
namespace {

// CLI11 puts the option's name in front of the message. A check without a description adds nothing
// to --help.
CLI::Validator check(const std::string& wanted, std::function<bool(const std::string&)> allows) {
  return {[wanted, allows = std::move(allows)](std::string& word) {
            return allows(word) ? std::string() : fmt::format("must be {}, not '{}'", wanted, word);
          },
          ""};
}

CLI::Validator real_number(const std::string& wanted, std::function<bool(double)> allows) {
  return check(wanted, [allows = std::move(allows)](const std::string& word) {
    const auto number = base::number_in<double>(word);
    return number && std::isfinite(*number) && allows(*number);
  });
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const bool bounded = most < std::numeric_limits<int>::max();
  const std::string wanted = bounded      ? fmt::format("a whole number from {} to {}", least, most)
                             : least == 1 ? "a whole number above 0"
                                          : fmt::format("a whole number, {} or more", least);
  return check(wanted, [least, most](const std::string& word) {
    const auto number = base::number_in<std::int64_t>(word);
    return number && *number >= least && *number <= most;
  });
}

CLI::Validator named(std::string name, CLI::Validator check) {
  return {[name = std::move(name), check = std::move(check)](std::string& word) {
            const std::string wrong = check(word);
            return wrong.empty() ? wrong : fmt::format("{}: {}", name, wrong);
          },
          ""};
}

CLI::Validator positive_count() {
  return whole_number(1);
}

CLI::Validator positive_number() {
  return real_number("a number above 0", [](double number) { return number > 0; });
}

CLI::Validator number_from_zero() {
  return real_number("a number, 0 or more", [](double number) { return number >= 0; });
}

CLI::Validator positive_seconds() {
  return real_number("a number of seconds above 0", [](double number) { return number > 0; });
}

}  // namespace tutti::tools
