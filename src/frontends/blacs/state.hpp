// SPDX-License-Identifier: BSD-3-Clause
// Everything that the BLACS remember between calls: contexts (shared by the C and Fortran names),
// system handles, and each grid with its three scopes and its settings.
#pragma once

#include <tutti/tutti.h>

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tutti::blacs {

// A plan that was asked for before. An empty slot has key 0.
struct PlanSlot {
  std::uint64_t key = 0;
  std::int64_t bytes = 0;  // bytes it was chosen for; 0 if TOP alone decides
  tutti_plan plan{0};
};

// The processes of one row, one column or the whole grid. A row or column that is the whole grid
// shares its group.
struct Scope {
  tutti_group group{0};
  int rank = 0;
  int size = 1;
  std::array<PlanSlot, 64> plans{};
  std::vector<int> members;  // world ranks in order; empty if it shares the grid's group
  int system_place = -1;     // place of its handle in the systems table; -1: none
  // The MPI communicator of the members as its bytes. 0: none.
  std::uint64_t communicator = 0;
};

// The values of blacs_set with WHAT 11 to 16.
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

  // Returns the scope that has the handle and the communicator of `scope`.
  [[nodiscard]] Scope& owner(Scope& scope) { return scope.size == all.size ? all : scope; }
};

// A system handle names an ordered list of processes. The world has no entry here.
struct BlacsState {
  std::vector<std::unique_ptr<Grid>> contexts;
  std::set<int> free_contexts;  // indices of empty entries of `contexts`
  std::vector<std::unique_ptr<std::vector<int>>> systems;
  std::int64_t debug_level = 1;
  bool joined = false;       // tutti_init was called
  std::string refusal;       // why joining failed in MPI_Init; the first call reports it
  bool machine_set = false;  // launched, or blacs_setup was called
  bool ended = false;        // blacs_exit(0) was called
};

[[nodiscard]] BlacsState& state();

// Joins the job at the first call of any routine.
void join(const char* routine);
// Joins the job before any call of the BLACS. Programs that never call them see no error.
void join_early();

// Returns nullptr if the context was never made or has been exited.
[[nodiscard]] Grid* find_grid(int context);

}  // namespace tutti::blacs
