// SPDX-License-Identifier: BSD-3-Clause
// Reads an algorithm and its arguments as command lines write them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.hpp"
#include "schedule/generator.hpp"
#include "selection/settings.hpp"

namespace tutti::tools {

// Throws Error(invalid_argument) if the name is that of an MPI's own collective, which can be
// requested but has no schedule.
void require_schedule(std::string_view name);
// Throws base::Error(invalid_argument) with the names there are.
[[nodiscard]] const schedule::Generator& algorithm_named(schedule::Operation operation,
                                                         const std::string& name);

// The fields of Shape other than p and root as separate options. This older spelling appears in no
// help; today, settings are part of an algorithm's name.
struct Parameters {
  int branches = 1;
  int rings = 1;
  int segments = 1;
  std::vector<int> factors;
  int cut = 0;

  void add_to(CLI::App& command);
  [[nodiscard]] selection::Settings settings() const {
    return {branches, rings, segments, factors, cut};
  }
};

// Returns the settings of the shape that the generator reads.
[[nodiscard]] selection::Settings settings_of_shape(const schedule::Generator& generator,
                                                    const schedule::Shape& shape);

// Returns the name of a plan for readers: that of selection::plan_name, or, for the schedule of
// standard input, the name that the schedule gives itself.
[[nodiscard]] std::string shown_name(const schedule::Generator& generator,
                                     const selection::Settings& settings);

// Returns for example "broadcast tree:branches=3, p = 8, root 0", with the settings that the
// algorithm reads.
[[nodiscard]] std::string describe(const schedule::Generator& generator,
                                   const schedule::Shape& shape);

// Returns "; it needs p a power of two", or nothing if nobody says what the generator needs.
[[nodiscard]] std::string needs_clause(const schedule::Generator& generator);

// Returns the names and aliases of all algorithms, for suggestions.
[[nodiscard]] std::vector<base::KnownWord> algorithm_names();

}  // namespace tutti::tools
