// SPDX-License-Identifier: BSD-3-Clause
// An algorithm and its arguments as command lines name them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::tools {

// Throws base::Error(invalid_argument) with the names there are.
// Throws Error(invalid_argument) for what can be asked for by name but is no schedule of ours: an MPI's own collective.
void require_schedule(std::string_view name);
[[nodiscard]] const schedule::Generator& algorithm_named(schedule::Operation operation, const std::string& name);

// The fields of Shape beyond p and root. Those not given keep their defaults.
struct Parameters {
  int branches = 1;
  int rings = 1;
  int segments = 1;
  std::vector<int> factors;
  int cut = 0;

  void add_to(CLI::App& command);
  // `factors` must outlive the shape.
  [[nodiscard]] schedule::Shape shape(int p, int root) const;
};

// "broadcast tree, p = 8, root 0, branches 3": the arguments that the algorithm reads.
[[nodiscard]] std::string describe(const schedule::Generator& generator, const schedule::Shape& shape);

[[nodiscard]] bool has_root(schedule::Operation operation);

// The whole file; throws base::Error(invalid_argument).
[[nodiscard]] std::string contents_of(const std::string& path);

}  // namespace tutti::tools
