// SPDX-License-Identifier: BSD-3-Clause
// The one state object of BLACS 1.0 (state.hpp), and what the shared code asks about this version
// (dialect.hpp).
#include "state.hpp"

#include <tutti/tutti.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "dialect.hpp"
#include "errors.hpp"
#include "processes.hpp"

namespace tutti::blacs {
namespace {

// A program may end by STOP without BLACSEXIT. One that ends with another exit code has failed, and
// the launcher ends the others.
void end_without_exit_call(int code, void*) {
  if (code == 0 && this_process().joined) leave("exit");
}

}  // namespace

const Dialect dialect{"BLACSEXIT(0)",
                      {"idsmfht123456789", "I D S M F H T and 1-9"},
                      {"fht123456789", "F H T and 1-9, which combines have"},
                      "'Row', 'Column', 'All' and those of scopemap",
                      LowLdia::is_wrong};

FirstBlacs& state() {
  // Never destroyed, because programs call the BLACS from exit handlers.
  static FirstBlacs* const only = new FirstBlacs;
  return *only;
}

void after_joining() {
  // Failure is harmless: without the function, the supervisor reports a process that leaves too
  // early.
  ::on_exit(end_without_exit_call, nullptr);
}

Grid& grid_of_call(const char* routine, int) {
  if (state().grid != nullptr) [[likely]]
    return *state().grid;
  join(routine);
  fail_outside(routine,
               "this process is in no grid: BLACSINIT or GRIDMAP makes one, and a process outside "
               "of it must not communicate");
}

std::string place_of_call(const Grid& grid, int) {
  return fmt::format("process {{{},{}}}", grid.my_row, grid.my_column);
}

int number_at(const Grid& grid, int place) {
  return grid.all.members[static_cast<std::size_t>(place)];
}
int place_of_number(const Grid& grid, int number) {
  const std::vector<int>& members = grid.all.members;
  const auto found = std::find(members.begin(), members.end(), number);
  return found != members.end() ? static_cast<int>(found - members.begin()) : -1;
}

int id_of_send(Grid&, int to) {
  return state().ids->next_send(to);
}
int id_of_receive(Grid&, int from) {
  return from == TUTTI_ANY ? TUTTI_ANY : state().ids->next_receive(from);
}

// Ids of scoped operations are no tags, so one of them is free.
int tag_of_facts(const Grid&) {
  return state().ids->ranges().scoped.first;
}

std::optional<ScopeKind> kind_of(const Grid& grid, const Scope& scope) {
  if (&scope == &grid.row) return ScopeKind::row;
  if (&scope == &grid.column) return ScopeKind::column;
  if (&scope == &grid.all) return ScopeKind::all;
  return std::nullopt;
}

void count_scoped(Grid& grid, const Scope& scope, int root) {
  if (const auto kind = kind_of(grid, scope))
    static_cast<void>(state().ids->next_scoped(*kind, root));
}

}  // namespace tutti::blacs
