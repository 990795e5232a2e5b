// SPDX-License-Identifier: BSD-3-Clause
// Writes settings as text and reads them.
#include "selection/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "algorithms/hybrid.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/number.hpp"
#include "schedule/room.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {
namespace {

constexpr std::pair<std::string_view, int Settings::*> numbers[] = {
    {"branches", &Settings::branches},
    {"rings", &Settings::rings},
    {"segments", &Settings::segments},
    {"cut", &Settings::cut}};

int number_in(std::string_view text, std::string_view key, int least) {
  const auto value = base::number_in<int>(text);
  if (!value || *value < least) {
    base::fail(base::Status::invalid_argument, "{} is '{}' but must be a whole number, {} or more",
               key, text, least);
  }
  if (key != "branches" && key != "rings") require_setting(key, *value);
  return *value;
}

// Takes the part before the separator; `rest` keeps the text behind the separator.
std::string_view take(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

// Returns the name of the strategy with these settings. The name is empty where there is no such
// strategy: without factors, or with one that splits nothing.
std::string strategy_name(const Settings& settings) {
  const Strategy strategy = strategy_of(settings, 0);
  const std::string name = strategy.name();
  const auto named = strategy_named(name);
  return named && *named == strategy ? name : "";
}

void set(Settings& settings, std::string_view key, std::string_view value) {
  if (key == "factors") {
    while (!value.empty()) settings.factors.push_back(number_in(take(value, 'x'), key, 1));
    return;
  }
  for (const auto& [name, field] : numbers) {
    if (name == key) {
      settings.*field = number_in(value, key, key == "cut" ? 0 : 1);
      return;
    }
  }
  static constexpr std::string_view known[] = {"branches", "rings", "segments", "factors", "cut"};
  base::fail(base::Status::invalid_argument,
             "there is no setting '{}'{}; there are: branches, rings, segments, factors, cut, and "
             "names of strategies",
             key, base::did_you_mean(key, known));
}

}  // namespace

void require_setting(std::string_view name, int value) {
  if (value <= schedule::largest_setting) return;
  base::fail(base::Status::invalid_argument,
             "{} is {} but must be at most {}, so that the schedule fits into memory", name, value,
             schedule::largest_setting);
}

std::string to_text(const Settings& settings) {
  const Settings plain;
  std::vector<std::string> parts;
  for (const auto& [name, field] : numbers) {
    if (settings.*field != plain.*field)
      parts.push_back(fmt::format("{}={}", name, settings.*field));
  }
  if (!settings.factors.empty())
    parts.push_back(fmt::format("factors={}", fmt::join(settings.factors, "x")));
  return fmt::format("{}", fmt::join(parts, ":"));
}

Strategy strategy_of(const Settings& settings, int ranks) {
  Strategy strategy{{}, settings.cut, ranks};
  for (const int factor : settings.factors)
    strategy.factors.push_back({algorithms::size_of(factor), algorithms::dimension_of(factor)});
  return strategy;
}

std::string plan_name(const schedule::Generator& generator, const Settings& settings) {
  std::string text =
      generator.parameter == schedule::Parameter::factors_and_cut ? strategy_name(settings) : "";
  if (text.empty()) text = to_text(settings);
  return generator.name + (text.empty() ? "" : ":" + text);
}

Settings parse_settings(std::string_view text) {
  Settings settings;
  while (!text.empty()) {
    std::string_view value = take(text, ':');
    if (const auto strategy = strategy_named(value)) {
      settings.factors = strategy->shape_factors();
      settings.cut = strategy->cut;
      continue;
    }
    const std::string_view key = take(value, '=');
    set(settings, key, value);
  }
  return settings;
}

}  // namespace tutti::selection
