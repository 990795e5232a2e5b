// SPDX-License-Identifier: BSD-3-Clause
// The one state object of BLACS 1.1 (state.hpp), and what the shared code asks about this version
// (dialect.hpp).
#include "state.hpp"

#include "communicators.hpp"
#include "dialect.hpp"
#include "errors.hpp"

namespace tutti::blacs {
namespace {

constexpr Tops tops{"idsmfht123456789p ", "I D S M F H T P 1-9 and blank"};
// Messages have no ids, so one tag serves all of them.
constexpr int only_tag = 0, tag_of_level_3 = 1;

}  // namespace

const Dialect dialect{"blacs_exit(0)", tops, tops,
                      "'Row', 'Column', 'All' and those of blacs_scopemap", LowLdia::counts_as_m};

BlacsState& state() {
  // Never destroyed, because programs call the BLACS from exit handlers.
  static BlacsState* const only = new BlacsState;
  return *only;
}

void after_joining() {
  set_up_communicators();
}

Grid* find_grid(int context) {
  const auto& table = state().contexts;
  if (context < 0 || static_cast<std::size_t>(context) >= table.size()) return nullptr;
  return table[static_cast<std::size_t>(context)].get();
}

Grid& grid_of_call(const char* routine, int context) {
  if (Grid* const grid = find_grid(context)) [[likely]]
    return *grid;
  fail_outside(
      routine,
      fmt::format("argument 'ICONTXT' is {}, which is not a context (never made, or exited)",
                  context));
}

std::string place_of_call(const Grid& grid, int context) {
  return fmt::format("process {{{},{}}}, context {}", grid.my_row, grid.my_column, context);
}

int number_at(const Grid&, int place) {
  return place;
}
int place_of_number(const Grid& grid, int number) {
  return number >= 0 && number < grid.all.size ? number : -1;
}

int id_of_send(Grid&, int) {
  return only_tag;
}
int id_of_receive(Grid&, int) {
  return only_tag;
}
int tag_of_facts(const Grid&) {
  return tag_of_level_3;
}
void count_scoped(Grid&, const Scope&, int) {}

}  // namespace tutti::blacs
