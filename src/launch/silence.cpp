// SPDX-License-Identifier: BSD-3-Clause
// Reads a number of seconds with or without the letter s, and the word behind a comma.
#include "launch/silence.hpp"

#include <charconv>
#include <string>

#include "base/environment.hpp"
#include "base/error.hpp"

namespace tutti::launch {
namespace {

constexpr double most_seconds = 1e6;

[[noreturn]] void reject(const std::string& value) {
  base::fail(base::Status::bad_environment,
             "environment variable {} is '{}' but must be a number of seconds from 1 on, such as "
             "30s, with ,end behind it or not, or off",
             base::name_of(base::Variable::silence), value);
}

}  // namespace

std::optional<Silence> silence_setting() {
  const std::string value = base::text(base::Variable::silence).value_or("off");
  if (value == "off") return std::nullopt;
  double seconds = 0;
  const char* const end = value.data() + value.size();
  const auto [after, error] = std::from_chars(value.data(), end, seconds);
  std::string rest(after, end);
  if (rest.starts_with("s")) rest.erase(0, 1);
  const bool read = error == std::errc() && seconds >= 1 && seconds <= most_seconds;
  if (!read || (!rest.empty() && rest != ",end")) reject(value);
  return Silence{std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)),
                 !rest.empty()};
}

}  // namespace tutti::launch
