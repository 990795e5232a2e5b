// SPDX-License-Identifier: BSD-3-Clause
// Receives from anybody (anybody.hpp). The messages of the grid's group are those of its context,
// so no message of another context can be taken.
#include "anybody.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "dialect.hpp"
#include "transfer.hpp"
#include "watch.hpp"

namespace tutti::blacs {
namespace {

// Returns false if a store to this place would kill the process. The kernel is asked to store the
// value that is there. If it may not be asked, the place counts as a variable.
bool is_variable(int* place) {
  int value = *place;
  const iovec from{&value, sizeof value}, to{place, sizeof *place};
  return ::process_vm_writev(::getpid(), &from, 1, &to, 1, 0) >= 0 || errno != EFAULT;
}

// A Fortran program that has written a constant for RSRC or CSRC would be killed by a signal.
void check_variable(const RoutineCall& call, const char* name, int* place) {
  require(call, name, place);
  if (!is_variable(place))
    fail(call, "argument '{}' is a constant, but the source of the message is returned in it",
         name);
}

// Most programs receive into the same variables again, so the last ones are not asked for twice.
void check_variables(const RoutineCall& call, int* rsrc, int* csrc) {
  static const int* last_rsrc = nullptr;
  static const int* last_csrc = nullptr;
  if (rsrc != nullptr && rsrc == last_rsrc && csrc == last_csrc) return;
  check_variable(call, "RSRC", rsrc);
  check_variable(call, "CSRC", csrc);
  if (rsrc == csrc) {
    fail(call,
         "arguments 'RSRC' and 'CSRC' are the same variable, but the source of the message is "
         "returned in both");
  }
  last_rsrc = rsrc;
  last_csrc = csrc;
}

// The message was accepted whatever its id is. If it is not the next one from its sender, one of
// the two processes has taken an id of which the other does not know.
void check_id(const RoutineCall& call, int from, int id) {
  Grid& grid = call.grid();
  const int next = id_of_receive(grid, from);
  if (id == next) return;
  fail(call,
       "the message from process {{{},{}}} has the id {}, but the next one from there has {}; both "
       "processes must take the same ids",
       from / grid.columns, from % grid.columns, id, next);
}

}  // namespace

void receive_from_anybody(const Routine& routine, int context, const Matrix& matrix, int* rsrc,
                          int* csrc) {
  const RoutineCall call(routine.name, context);
  const tutti_data data = matrix_data(call, routine, matrix);
  check_variables(call, rsrc, csrc);
  Grid& grid = call.grid();
  const int wanted = id_of_receive(grid, TUTTI_ANY);
  int from = TUTTI_ANY, id = wanted;
  const auto intent = [&] {
    return Intent{Deed::receive_from_anybody,      &grid.all, &data, 0, everyone,
                  {.tag = wanted, .source = &from}};
  };
  watched(call, intent, [&] {
    if (wanted == TUTTI_ANY) from = source_of_next(call, from);
    check(call, tutti_receive(grid.all.group, &data, from, wanted, &from, &id));
  });
  check_id(call, from, id);
  *rsrc = from / grid.columns;
  *csrc = from % grid.columns;
}

void receive_by_reference(const Routine& routine, int context, const Matrix& matrix, int* rsrc,
                          int* csrc) {
  if (*rsrc == anybody) return receive_from_anybody(routine, context, matrix, rsrc, csrc);
  receive(routine, context, matrix, *rsrc, *csrc);
}

}  // namespace tutti::blacs
