// SPDX-License-Identifier: BSD-3-Clause
// The collectives as methods of a group, in three forms: <name> waits, i<name> starts, <name>_init
// prepares.
#include "core.h"
#include "core_texts.h"

static bool prepare(const core_group* group, core_operation operation, core_way way,
                    PyObject* const* given, Py_ssize_t count, PyObject* names, core_call* call) {
  core_given arguments;
  if (!core_given_of(operation, given, count, names, &arguments)) return false;
  call->operation = operation;
  call->group = group->group;
  call->rank = group->rank;
  call->size = group->size;
  call->way = way;
  call->planned = false;
  return core_prepare(call, &arguments);
}

static PyObject* run_now(PyObject* self, core_operation operation, PyObject* const* given,
                         Py_ssize_t count, PyObject* names) {
  core_call call;
  if (!prepare((core_group*)self, operation, CORE_NOW, given, count, names, &call)) return NULL;
  const bool done = core_begin() && core_end(core_run(&call, NULL));
  if (!done) core_explain(call.op_object);
  PyObject* result = done ? core_result(&call) : NULL;
  core_clear_call(&call);
  return result;
}

// Starts or prepares an operation.
static PyObject* make_request(PyObject* self, core_operation operation, core_way way,
                              PyObject* const* given, Py_ssize_t count, PyObject* names) {
  core_pending* pending = core_new_pending();
  if (pending == NULL) return NULL;
  if (!prepare((core_group*)self, operation, way, given, count, names, &pending->call)) {
    PyMem_Free(pending);
    return NULL;
  }
  const bool made = core_begin() && core_end(core_run(&pending->call, &pending->request));
  return core_finish_start(pending, way, made);
}

// Makes the three methods of an operation.
#define IN_THREE_WAYS(name, operation)                                                       \
  static PyObject* name##_now(PyObject* self, PyObject* const* given, Py_ssize_t count,      \
                              PyObject* names) {                                             \
    return run_now(self, operation, given, count, names);                                    \
  }                                                                                          \
  static PyObject* name##_started(PyObject* self, PyObject* const* given, Py_ssize_t count,  \
                                  PyObject* names) {                                         \
    return make_request(self, operation, CORE_STARTED, given, count, names);                 \
  }                                                                                          \
  static PyObject* name##_prepared(PyObject* self, PyObject* const* given, Py_ssize_t count, \
                                   PyObject* names) {                                        \
    return make_request(self, operation, CORE_PREPARED, given, count, names);                \
  }
IN_THREE_WAYS(barrier, CORE_BARRIER)
IN_THREE_WAYS(bcast, CORE_BCAST)
IN_THREE_WAYS(reduce, CORE_REDUCE)
IN_THREE_WAYS(allreduce, CORE_ALLREDUCE)
IN_THREE_WAYS(gather, CORE_GATHER)
IN_THREE_WAYS(scatter, CORE_SCATTER)
IN_THREE_WAYS(allgather, CORE_ALLGATHER)
IN_THREE_WAYS(reduce_scatter, CORE_REDUCE_SCATTER)
IN_THREE_WAYS(alltoall, CORE_ALLTOALL)
IN_THREE_WAYS(scan, CORE_SCAN)
IN_THREE_WAYS(exscan, CORE_EXSCAN)

enum { FLAGS = METH_FASTCALL | METH_KEYWORDS };
// The conversion through void(*)(void) is the one that Python's documentation asks for.
#define METHOD(function) ((PyCFunction)(void (*)(void))(function))
#define NAMES_OF(name)                                                            \
  {#name, METHOD(name##_now), FLAGS, TUTTI_TEXT_Group_##name},                    \
      {"i" #name, METHOD(name##_started), FLAGS, TUTTI_TEXT_Group_i##name}, {     \
#name "_init", METHOD(name##_prepared), FLAGS, TUTTI_TEXT_Group_##name##_init \
  }
const PyMethodDef core_collective_methods[] = {
    NAMES_OF(barrier),  NAMES_OF(bcast),   NAMES_OF(reduce),    NAMES_OF(allreduce),
    NAMES_OF(gather),   NAMES_OF(scatter), NAMES_OF(allgather), NAMES_OF(reduce_scatter),
    NAMES_OF(alltoall), NAMES_OF(scan),    NAMES_OF(exscan),    {NULL, NULL, 0, NULL}};
