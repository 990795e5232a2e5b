// SPDX-License-Identifier: BSD-3-Clause
// What the parts of a profile's page share: supersteps added up, and a row of a table for them.
#pragma once

#include <string>
#include <vector>

#include "bsp/profile.hpp"

namespace tutti::tools {

[[nodiscard]] std::string escaped(const std::string& text);

// Supersteps added up, each with its own prediction.
struct Sum {
  std::size_t steps = 0;
  ProfiledStep all;
  double plain = 0, startup = 0, overhead = 0;

  void add(const ProfiledStep& step, const BspMachine& machine);
};

// The heads of the columns of cells_of(), to the end of the row.
extern const char* const columns_of_cells;
[[nodiscard]] std::string cells_of(const Sum& sum);

// The functions of the program through which bsp_sync was called, each with all supersteps that
// ended below it.
[[nodiscard]] std::string call_graph_of(const std::vector<ProfiledStep>& steps,
                                        const BspMachine& machine);

}  // namespace tutti::tools
