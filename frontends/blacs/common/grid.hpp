// SPDX-License-Identifier: BSD-3-Clause
// A grid of processes with its three scopes and its settings, and how it is made from numbers of
// processes. Processes are numbered in the group of all processes (processes.hpp).
#pragma once

#include <tutti/tutti.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace tutti::blacs {

// A plan that was asked for before. An empty slot has key 0.
struct PlanSlot {
  std::uint64_t key = 0;
  std::int64_t bytes = 0;  // bytes it was chosen for; 0 if TOP alone decides
  tutti_plan plan{0};
};

// The processes of one row, one column, the whole grid or a list. A row or column that is the whole
// grid shares its group.
struct Scope {
  tutti_group group{0};
  int rank = 0;
  int size = 1;
  std::array<PlanSlot, 64> plans{};
  std::vector<int> members;  // their numbers in order; empty if it shares the grid's group
  // The places of the processes of a list in order, counted row by row; empty in the other scopes.
  std::vector<int> listed;
  int system_place = -1;  // place of its handle in the systems table; -1: none
  // The MPI communicator of the members as its bytes. 0: none.
  std::uint64_t communicator = 0;
};

// Numbers of rings and branches, and what results must be (blacs_set with WHAT 11 to 16).
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
  std::map<char, Scope> lists;  // the scopes of lists by their letters or digits
  BlacsSettings settings;

  // Returns the scope that has the handle and the communicator of `scope`.
  [[nodiscard]] Scope& owner(Scope& scope) { return scope.size == all.size ? all : scope; }
};

// A process in a row and a column of a grid.
struct Coordinates {
  int row = -1, column = -1;
};

// The rows and columns that a program asks for.
struct GridShape {
  int rows, columns;
};

// Numbers follow each other in rows or in columns.
enum class Numbering : std::uint8_t { by_rows, by_columns };

// These two return the processes of a grid row by row, chosen from `system`: its first ones, or
// those at the places that USERMAP names. A wrong argument ends the job.
[[nodiscard]] std::vector<int> first_members(const char* routine, const std::vector<int>& system,
                                             GridShape shape, Numbering numbering);
struct UserMap {
  const int* place;
  int ld;
};
[[nodiscard]] std::vector<int> mapped_members(const char* routine, const std::vector<int>& system,
                                              GridShape shape, const UserMap& map);

// Makes a grid of `members`, which are numbered row by row; nullptr in a process that is not among
// them. Nothing is communicated, because a group is named by its members.
[[nodiscard]] std::unique_ptr<Grid> make_grid(const char* routine, std::vector<int> members,
                                              GridShape shape);

// Tells the shape of a grid and this process's place in it; -1 in all four if there is no grid.
void tell_grid(const Grid* grid, int* rows, int* columns, int* my_row, int* my_column);

class RoutineCall;
void free_groups(const RoutineCall& call, Grid& grid);

}  // namespace tutti::blacs
