// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes values of the tuning table.
#include "base/tuning.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/number.hpp"

namespace tutti::base {
namespace {

constexpr TuningRow table[] = {
#define TUTTI_TUNING(name, scope, unit, fallback, least, most, bench, text) \
  {#name, TuningScope::scope, TuningUnit::unit, fallback, least, most, bench, text},
#define TUTTI_TUNING_FIXED(name, unit, value, text) \
  {#name, TuningScope::layout, TuningUnit::unit, value, value, value, "", text},
#include "base/tuning.def"
#undef TUTTI_TUNING
#undef TUTTI_TUNING_FIXED
};

using Member = std::int64_t Tuning::*;
// The member of each row; nullptr for a row of the layout, which has none.
constexpr Member members[] = {
#define TUTTI_TUNING(name, scope, unit, fallback, least, most, bench, text) &Tuning::name,
#define TUTTI_TUNING_FIXED(name, unit, value, text) nullptr,
#include "base/tuning.def"
#undef TUTTI_TUNING
#undef TUTTI_TUNING_FIXED
};

struct Suffix {
  std::string_view letters;
  std::int64_t factor;
};
constexpr Suffix of_bytes[] = {{"G", std::int64_t{1} << 30}, {"M", 1 << 20}, {"K", 1 << 10}};
constexpr Suffix of_times[] = {{"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}, {"s", 1'000'000'000}};

std::span<const Suffix> suffixes_of(TuningUnit unit) {
  if (unit == TuningUnit::bytes) return of_bytes;
  if (unit == TuningUnit::time) return of_times;
  return {};
}

Member member_of(const TuningRow& row) {
  return members[&row - table];
}

std::int64_t value_at(const Tuning& values, const TuningRow& row) {
  const Member member = member_of(row);
  return member == nullptr ? row.fallback : values.*member;
}

// The place of a row among those that have values.
std::size_t place_of(const TuningRow& row) {
  return static_cast<std::size_t>(
      std::count_if(members, members + (&row - table), [](Member m) { return m != nullptr; }));
}

const TuningRow& row_named(std::string_view name) {
  const auto* const found = std::find_if(std::begin(table), std::end(table),
                                         [&](const TuningRow& row) { return name == row.name; });
  if (found != std::end(table)) return *found;
  std::vector<std::string_view> names;
  for (const TuningRow& row : table) names.emplace_back(row.name);
  fail(Status::invalid_argument, "there is no row '{}' in the tuning table{}", name,
       did_you_mean(name, names));
}

[[noreturn]] void reject(const TuningRow& row, std::string_view text) {
  const char* const example = row.unit == TuningUnit::time    ? "a time such as 50us or 2ms"
                              : row.unit == TuningUnit::bytes ? "a size such as 4096 or 64K"
                                                              : "a whole number";
  fail(Status::invalid_argument, "{} is '{}' but must be {}, from {} to {}", row.name, text,
       example, tuning_text(row, row.least), tuning_text(row, row.most));
}

std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    parts.push_back(list.substr(0, comma));
    list.remove_prefix(std::min(list.size(), comma == list.npos ? comma : comma + 1));
  }
  return parts;
}

}  // namespace

std::span<const TuningRow> tuning_rows() {
  return table;
}

std::int64_t tuning_value(const TuningRow& row, std::string_view text) {
  std::string_view digits = text;
  std::int64_t factor = 1;
  bool has_unit = row.unit != TuningUnit::time;
  for (const Suffix& suffix : suffixes_of(row.unit)) {
    if (!digits.ends_with(suffix.letters)) continue;
    digits.remove_suffix(suffix.letters.size());
    factor = suffix.factor;
    has_unit = true;
    break;
  }
  const auto number = number_in<std::int64_t>(digits);
  if (!number || (!has_unit && *number != 0)) reject(row, text);
  if (*number < 0 || *number > row.most / factor || *number * factor < row.least) reject(row, text);
  return *number * factor;
}

std::string tuning_text(const TuningRow& row, std::int64_t value) {
  std::span<const Suffix> suffixes = suffixes_of(row.unit);
  const Suffix* best = nullptr;
  for (const Suffix& suffix : suffixes) {
    const bool larger = best == nullptr || suffix.factor > best->factor;
    if (value != 0 && value % suffix.factor == 0 && larger) best = &suffix;
  }
  if (best == nullptr) return std::to_string(value);
  return std::to_string(value / best->factor) + std::string(best->letters);
}

std::int64_t value_in(const Tuning& values, std::string_view name) {
  return value_at(values, row_named(name));
}

std::int64_t TuningSettings::value_of(const TuningRow& row) const {
  return value_at(values_, row);
}

TuningSource TuningSettings::source_of(const TuningRow& row) const {
  return member_of(row) == nullptr ? TuningSource::built_in : sources_[place_of(row)];
}

void TuningSettings::set(std::string_view name, std::string_view value, TuningSource source) {
  set_row(row_named(name), tuning_value(row_named(name), value), source);
}

void TuningSettings::set(std::string_view name, std::int64_t value, TuningSource source) {
  set_row(row_named(name), value, source);
}

void TuningSettings::set_row(const TuningRow& row, std::int64_t value, TuningSource source) {
  const Member member = member_of(row);
  if (member == nullptr)
    fail(Status::invalid_argument, "{} is part of the layout of a job and cannot be set", row.name);
  if (value < row.least || value > row.most) reject(row, tuning_text(row, value));
  values_.*member = value;
  sources_[place_of(row)] = source;
}

void TuningSettings::set_list(std::string_view list, TuningSource source) {
  for (const std::string_view part : parts_of(list)) {
    const std::size_t equals = part.find('=');
    if (equals == part.npos)
      fail(Status::invalid_argument, "'{}' must be name=value, as in spin=50us,fragment=32K", part);
    set(part.substr(0, equals), part.substr(equals + 1), source);
  }
}

void add_environment(TuningSettings& settings) {
  refuse_former_variables();
  const auto list = text(Variable::tuning);
  if (!list) return;
  try {
    settings.set_list(*list, TuningSource::environment);
  } catch (const Error& error) {
    fail(Status::bad_environment, "environment variable {}: {}", name_of(Variable::tuning),
         error.what());
  }
}

Tuning own_tuning(const Tuning& of_job) {
  TuningSettings mine;
  add_environment(mine);
  Tuning values = of_job;
  for (const TuningRow& row : table) {
    if (row.scope == TuningScope::own && mine.source_of(row) == TuningSource::environment)
      values.*member_of(row) = mine.value_of(row);
  }
  return values;
}

}  // namespace tutti::base
