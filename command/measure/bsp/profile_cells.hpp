// SPDX-License-Identifier: BSD-3-Clause
// Sums of supersteps, and table rows that show them. All parts of a profile's page use them.
#pragma once

#include <string>
#include <vector>

#include "bsp/profile.hpp"

namespace tutti::tools {

[[nodiscard]] std::string escaped(const std::string& text);

// A sum of supersteps. The predictions of the supersteps are added up too.
struct Sum {
  std::size_t steps = 0;
  ProfiledStep all;
  double plain = 0, startup = 0, overhead = 0, by_process = 0;

  void add(const ProfiledStep& step, const BspMachine& machine);
};

// Heads of the columns of cells_of(), up to the end of the row.
extern const char* const columns_of_cells;
[[nodiscard]] std::string cells_of(const Sum& sum);

// Shows the functions through which bsp_sync was called, each with all supersteps that ended below
// it.
[[nodiscard]] std::string call_graph_of(const std::vector<ProfiledStep>& steps,
                                        const BspMachine& machine);

}  // namespace tutti::tools
