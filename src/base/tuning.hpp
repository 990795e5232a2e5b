// SPDX-License-Identifier: BSD-3-Clause
// The numbers that were measured, from the one table tuning.def. A job's maker takes them from the
// table, then from what suits the processor (processor_tuning.hpp), then from the machine file,
// then from TUTTI_TUNING, and writes them into the job's memory. Each process takes them from
// there, and its own rows from its own TUTTI_TUNING.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::base {

// Numbers that are part of the layout of the job's memory, or of what its hosts say to each other.
namespace fixed {
#define TUTTI_TUNING(name, scope, unit, fallback, least, most, bench, text)
#define TUTTI_TUNING_FIXED(name, unit, value, text) inline constexpr std::uint32_t name = value;
#include "base/tuning.def"
#undef TUTTI_TUNING
#undef TUTTI_TUNING_FIXED
}  // namespace fixed

// The values of all other rows. Times are in nanoseconds.
struct Tuning {
#define TUTTI_TUNING(name, scope, unit, fallback, least, most, bench, text) \
  std::int64_t name = fallback;
#define TUTTI_TUNING_FIXED(name, unit, value, text)
#include "base/tuning.def"
#undef TUTTI_TUNING
#undef TUTTI_TUNING_FIXED
  friend bool operator==(const Tuning&, const Tuning&) = default;
};

enum class TuningScope : std::uint8_t { layout, job, own };
enum class TuningUnit : std::uint8_t { count, bytes, time };
enum class TuningSource : std::uint8_t { built_in, processor, machine_file, environment };

struct TuningRow {
  const char* name;
  TuningScope scope;
  TuningUnit unit;
  std::int64_t fallback, least, most;
  const char* bench;  // target of make whose cells decide the number; empty: none does
  const char* why;
};

// The rows of the table in its order, those of the layout included.
[[nodiscard]] std::span<const TuningRow> tuning_rows();

// Reads "64K", "20us" or "16" as the unit of the row wants it. Throws Error(invalid_argument) that
// says what is allowed.
[[nodiscard]] std::int64_t tuning_value(const TuningRow& row, std::string_view text);
// Writes a value so that tuning_value() reads it.
[[nodiscard]] std::string tuning_text(const TuningRow& row, std::int64_t value);

// Returns the value that a row has there, those of the layout included. Throws
// Error(invalid_argument) for an unknown name.
[[nodiscard]] std::int64_t value_in(const Tuning& values, std::string_view name);

// Values with where they come from, by the places of tuning_rows().
class TuningSettings {
 public:
  [[nodiscard]] const Tuning& values() const { return values_; }
  [[nodiscard]] std::int64_t value_of(const TuningRow& row) const;
  [[nodiscard]] TuningSource source_of(const TuningRow& row) const;
  // Sets one row by its name. Throws Error(invalid_argument) for an unknown name, for a row of the
  // layout, and for a value that is not allowed.
  void set(std::string_view name, std::string_view value, TuningSource source);
  void set(std::string_view name, std::int64_t value, TuningSource source);
  // Sets the rows of a list such as "spin=50us,fragment=32K".
  void set_list(std::string_view list, TuningSource source);

 private:
  void set_row(const TuningRow& row, std::int64_t value, TuningSource source);

  Tuning values_;
  std::array<TuningSource, sizeof(Tuning) / sizeof(std::int64_t)> sources_{};
};

// Adds the rows of TUTTI_TUNING. Throws Error(bad_environment) that names the variable; variables
// that have become rows are refused with the row's name.
void add_environment(TuningSettings& settings);
// Returns the values of a process of a job with the values `of_job`: the rows of scope `own` that
// its TUTTI_TUNING has are its own.
[[nodiscard]] Tuning own_tuning(const Tuning& of_job);

}  // namespace tutti::base
