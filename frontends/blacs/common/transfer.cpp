// SPDX-License-Identifier: BSD-3-Clause
// Point to point sends in the group of the whole grid; a broadcast runs the plan of its TOP, and a
// barrier needs none (transfer.hpp).
#include "transfer.hpp"

#include "levels.hpp"
#include "topology.hpp"
#include "watch.hpp"

namespace tutti::blacs {
namespace {

void broadcast(const RoutineCall& call, Scope& scope, char top, int root, const tutti_data& data) {
  const std::int64_t bytes = elements(data) * element_bytes(data.type);
  const tutti_plan plan = plan_for(call, scope, {TUTTI_OP_BROADCAST, top, root, bytes});
  count_scoped(call.grid(), scope, root);
  tutti_run run{};
  run.struct_size = sizeof run;
  run.output = &data;
  check(call, tutti_plan_run(plan, &run));
}

// Returns the rank of a broadcast's source. If a process named itself, it would send what is in its
// matrix, and would not get what the others broadcast. Alone in the scope it would miss nothing.
int source_of_broadcast(const RoutineCall& call, const Scope& scope, int rsrc, int csrc) {
  const int source = rank_in(call, scope, {rsrc, csrc, "RSRC", "CSRC"});
  if (levels.debug >= 1 && source == scope.rank && scope.size > 1) {
    fail(call, "arguments 'RSRC' and 'CSRC' are {} and {}, which is this process itself", rsrc,
         csrc);
  }
  return source;
}

}  // namespace

void send(const Routine& routine, int context, const Matrix& matrix, int rdest, int cdest) {
  const RoutineCall call(routine.name, context);
  const tutti_data data = matrix_data(call, routine, matrix);
  const Scope& all = call.grid().all;
  const int to = rank_in(call, all, {rdest, cdest, "RDEST", "CDEST"});
  const auto intent = [&] { return Intent{Deed::send, &all, &data, 0, to}; };
  watched(call, intent,
          [&] { check(call, tutti_send(all.group, &data, to, id_of_send(call.grid(), to))); });
}

void receive(const Routine& routine, int context, const Matrix& matrix, int rsrc, int csrc) {
  const RoutineCall call(routine.name, context);
  const tutti_data data = matrix_data(call, routine, matrix);
  const Scope& all = call.grid().all;
  const int from = rank_in(call, all, {rsrc, csrc, "RSRC", "CSRC"});
  const auto intent = [&] { return Intent{Deed::receive, &all, &data, 0, from}; };
  watched(call, intent, [&] {
    check(call, tutti_receive(all.group, &data, from, id_of_receive(call.grid(), from), nullptr,
                              nullptr));
  });
}

void broadcast_send(const Routine& routine, int context, const char* scope, const char* top,
                    const Matrix& matrix) {
  const RoutineCall call(routine.name, context);
  Scope& members = scope_of(call, scope);
  require(call, "TOP", top);
  const tutti_data data = matrix_data(call, routine, matrix);
  const auto intent = [&] {
    return Intent{Deed::broadcast, &members, &data, *top, members.rank, {.sends = true}};
  };
  watched(call, intent, [&] { broadcast(call, members, *top, members.rank, data); });
}

void broadcast_receive(const Routine& routine, int context, const char* scope, const char* top,
                       const Matrix& matrix, int rsrc, int csrc) {
  const RoutineCall call(routine.name, context);
  Scope& members = scope_of(call, scope);
  require(call, "TOP", top);
  const tutti_data data = matrix_data(call, routine, matrix);
  const int root = source_of_broadcast(call, members, rsrc, csrc);
  const auto intent = [&] { return Intent{Deed::broadcast, &members, &data, *top, root}; };
  watched(call, intent, [&] { broadcast(call, members, *top, root, data); });
}

void barrier(const char* routine, int context, const char* scope) {
  const RoutineCall call(routine, context);
  const Scope& members = scope_of(call, scope);
  const auto intent = [&] { return Intent{Deed::barrier, &members}; };
  watched(call, intent, [&] { check(call, tutti_barrier(members.group)); });
}

}  // namespace tutti::blacs
