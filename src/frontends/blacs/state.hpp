// SPDX-License-Identifier: BSD-3-Clause
// Everything the BLACS remember between calls: the table of contexts (shared by the C and the
// Fortran names), the table of system handles, and each grid with its three scopes and the settings
// of blacs_set.
#pragma once

#include <tutti/tutti.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tutti::blacs {

// A plan that was asked for before. Key 0 is an empty slot.
struct PlanSlot {
  std::uint64_t key = 0;
  std::int64_t bytes = 0;  // that it was chosen for; 0 where TOP alone says which plan
  tutti_plan plan{0};
};

// The processes of one row, one column or the whole grid. A row or a column that is the whole grid
// shares its group.
struct Scope {
  tutti_group group{0};
  int rank = 0;
  int size = 1;
  std::array<PlanSlot, 64> plans{};
};

// WHAT 11 to 16 of blacs_set.
struct BlacsSettings {
  int broadcast_rings = 1;
  int broadcast_branches = 1;
  int combine_rings = 1;
  int combine_branches = 1;
  int repeatable = 0;
  int coherent = 0;
};

struct Grid {
  int rows = 0, columns = 0;
  int my_row = 0, my_column = 0;
  Scope all, row, column;
  BlacsSettings settings;
  std::vector<int> members;  // world ranks, row by row
  int system_place = -1;     // of WHAT 10 in State::systems; -1 = none was asked for
};

// A system handle names an ordered list of processes; the world has no entry of its own.
struct BlacsState {
  std::vector<std::unique_ptr<Grid>> contexts;
  std::vector<std::unique_ptr<std::vector<int>>> systems;
  std::int64_t debug_level = 1;
  bool joined = false;       // tutti_init was called
  bool machine_set = false;  // launched, or blacs_setup was called
  bool ended = false;        // blacs_exit(0) was called
};

[[nodiscard]] BlacsState& state();

// Joins the job at the first call of any routine.
void join(const char* routine);

// nullptr for a context that was never made or has been exited.
[[nodiscard]] Grid* find_grid(int context);

}  // namespace tutti::blacs
