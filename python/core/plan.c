// SPDX-License-Identifier: BSD-3-Clause
// Plans: an operation by an algorithm that the program names.
#include <string.h>

#include "core.h"
#include "core_texts.h"

typedef struct {
  PyObject_HEAD core_group* group;
  tutti_plan plan;
  core_operation operation;
  int root;
} core_plan;

static PyTypeObject* plan_type = NULL;

bool core_operation_named(const char* name, core_operation* operation) {
  if (strcmp(name, "broadcast") == 0) name = core_name_of(CORE_BCAST);
  for (int i = 0; i < CORE_OPERATIONS; ++i) {
    if (strcmp(name, core_name_of((core_operation)i)) != 0) continue;
    *operation = (core_operation)i;
    return true;
  }
  core_refuse("there is no operation '%s': it is the name of a collective, such as allreduce",
              name);
  return false;
}

static PyObject* get_plan(core_group* group, const tutti_plan_request* request) {
  tutti_plan plan;
  if (!core_begin() || !core_end(tutti_plan_get(group->group, request, &plan))) return NULL;
  const allocfunc allocate = (allocfunc)PyType_GetSlot(plan_type, Py_tp_alloc);
  core_plan* self = (core_plan*)allocate(plan_type, 0);
  if (self == NULL) return NULL;
  self->group = (core_group*)Py_NewRef((PyObject*)group);
  self->plan = plan;
  self->operation = (core_operation)request->operation;
  self->root = request->root;
  return (PyObject*)self;
}

PyObject* core_make_plan(PyObject* self, PyObject* arguments, PyObject* names) {
  static char* words[] = {"operation", "algorithm", "bytes", "root", "branches", "rings",
                          "segments",  "factors",   "cut",   "rows", NULL};
  const char *name = NULL, *algorithm = NULL;
  long long bytes = 0;
  PyObject* factors = Py_None;
  tutti_plan_request request = {
      sizeof request, TUTTI_OP_BARRIER, NULL, 0, 0, 0, 0, 0, NULL, 0, 0, 0};
  if (PyArg_ParseTupleAndKeywords(arguments, names, "s|z$LiiiiOii", words, &name, &algorithm,
                                  &bytes, &request.root, &request.branches, &request.rings,
                                  &request.segments, &factors, &request.cut, &request.rows) == 0)
    return NULL;
  core_operation operation;
  if (!core_operation_named(name, &operation)) return NULL;
  request.operation = (tutti_operation)operation;
  request.algorithm = algorithm;
  request.bytes = bytes;
  enum { most = 64 };
  int small[most];
  if (factors != Py_None) {
    const Py_ssize_t count = PySequence_Size(factors);
    int64_t* wide = count < 0 ? NULL : core_int64s(factors, "factors", -1, 1);
    if (wide == NULL) return NULL;
    for (Py_ssize_t i = 0; i < count && i < most; ++i) small[i] = (int)wide[i];
    PyMem_Free(wide);
    if (count > most) return core_refuse("factors has %zd numbers, more than %d", count, most);
    request.factors = small;
    request.factor_count = (int)count;
  }
  return get_plan((core_group*)self, &request);
}

// The run for the library. It refers to the call.
static tutti_run run_of(const core_call* call) {
  return (tutti_run){sizeof(tutti_run),
                     call->input.kind != CORE_NOTHING ? &call->input.data : NULL,
                     call->output.kind != CORE_NOTHING ? &call->output.data : NULL,
                     call->op,
                     NULL,
                     call->input_counts != NULL ? call->input_counts : call->output_counts,
                     NULL,
                     NULL};
}

static bool prepare(const core_plan* self, core_way way, PyObject* arguments, PyObject* names,
                    core_call* call) {
  static char* words[] = {"input", "out", "op", "counts", NULL};
  PyObject *input = Py_None, *out = Py_None, *op = Py_None, *counts = Py_None;
  if (PyArg_ParseTupleAndKeywords(arguments, names, "|OOOO", words, &input, &out, &op, &counts) ==
      0)
    return false;
  const core_given given = {input == Py_None ? NULL : input, out == Py_None ? NULL : out,
                            op == Py_None ? NULL : op, counts == Py_None ? NULL : counts,
                            self->root};
  call->operation = self->operation;
  call->group = self->group->group;
  call->rank = self->group->rank;
  call->size = self->group->size;
  call->way = way;
  call->planned = true;
  call->op = (tutti_op){0};
  if (given.counts != NULL && call->operation == CORE_ALLTOALL)
    return core_refuse("a plan of alltoall has no counts") != NULL;
  return core_prepare(call, &given);
}

static PyObject* plan_call(PyObject* object, PyObject* arguments, PyObject* names) {
  core_plan* self = (core_plan*)object;
  core_call call;
  if (!prepare(self, CORE_NOW, arguments, names, &call)) return NULL;
  const tutti_run run = run_of(&call);
  const bool done = core_begin() && core_end(tutti_plan_run(self->plan, &run));
  if (!done) core_explain(call.op_object);
  PyObject* result = done ? core_result(&call) : NULL;
  core_clear_call(&call);
  return result;
}

static PyObject* make_request(PyObject* object, core_way way, PyObject* arguments,
                              PyObject* names) {
  core_plan* self = (core_plan*)object;
  core_pending* pending = core_new_pending();
  if (pending == NULL) return NULL;
  if (!prepare(self, way, arguments, names, &pending->call)) {
    PyMem_Free(pending);
    return NULL;
  }
  const tutti_run run = run_of(&pending->call);
  const bool made =
      core_begin() &&
      core_end(way == CORE_STARTED ? tutti_plan_start(self->plan, &run, &pending->request)
                                   : tutti_plan_init(self->plan, &run, &pending->request));
  return core_finish_start(pending, way, made);
}

static PyObject* plan_start(PyObject* object, PyObject* arguments, PyObject* names) {
  return make_request(object, CORE_STARTED, arguments, names);
}

static PyObject* plan_init(PyObject* object, PyObject* arguments, PyObject* names) {
  return make_request(object, CORE_PREPARED, arguments, names);
}

static PyObject* plan_algorithm(PyObject* object, void* unused) {
  (void)unused;
  const char* name = tutti_plan_algorithm(((core_plan*)object)->plan);
  if (name == NULL) Py_RETURN_NONE;
  return PyUnicode_FromString(name);
}

static PyObject* plan_operation(PyObject* object, void* unused) {
  (void)unused;
  return PyUnicode_FromString(core_name_of(((core_plan*)object)->operation));
}

static PyObject* plan_root(PyObject* object, void* unused) {
  (void)unused;
  return PyLong_FromLong(((core_plan*)object)->root);
}

// Calls a function that writes a text as snprintf does.
static PyObject* text_of(PyObject* object, size_t (*write)(tutti_plan, char*, size_t)) {
  const tutti_plan plan = ((core_plan*)object)->plan;
  if (!core_begin()) return NULL;
  const size_t length = write(plan, NULL, 0);
  if (!core_end(length > 0 ? TUTTI_OK : TUTTI_STALE_HANDLE)) return NULL;
  char* text = PyMem_Malloc(length + 1);
  if (text == NULL) return PyErr_NoMemory();
  write(plan, text, length + 1);
  PyObject* result = PyUnicode_FromStringAndSize(text, (Py_ssize_t)length);
  PyMem_Free(text);
  return result;
}

static PyObject* plan_text(PyObject* object, void* unused) {
  (void)unused;
  return text_of(object, tutti_plan_text);
}

static PyObject* plan_json(PyObject* object, void* unused) {
  (void)unused;
  return text_of(object, tutti_plan_json);
}

static PyObject* plan_repr(PyObject* object) {
  const core_plan* self = (core_plan*)object;
  const char* name = tutti_plan_algorithm(self->plan);
  return PyUnicode_FromFormat("<tutti.Plan of %s by %s>", core_name_of(self->operation),
                              name != NULL ? name : "a freed algorithm");
}

static void plan_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  Py_XDECREF((PyObject*)((core_plan*)object)->group);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

bool core_add_plan(PyObject* module) {
  static PyGetSetDef fields[] = {
      {"algorithm", plan_algorithm, NULL, TUTTI_TEXT_Plan_algorithm, NULL},
      {"operation", plan_operation, NULL, TUTTI_TEXT_Plan_operation, NULL},
      {"root", plan_root, NULL, TUTTI_TEXT_Plan_root, NULL},
      {"text", plan_text, NULL, TUTTI_TEXT_Plan_text, NULL},
      {"json", plan_json, NULL, TUTTI_TEXT_Plan_json, NULL},
      {NULL, NULL, NULL, NULL, NULL}};
  static PyMethodDef methods[] = {{"start", (PyCFunction)(void (*)(void))plan_start,
                                   METH_VARARGS | METH_KEYWORDS, TUTTI_TEXT_Plan_start},
                                  {"init", (PyCFunction)(void (*)(void))plan_init,
                                   METH_VARARGS | METH_KEYWORDS, TUTTI_TEXT_Plan_init},
                                  {NULL, NULL, 0, NULL}};
  static PyType_Slot slots[] = {{Py_tp_doc, TUTTI_TEXT_Plan},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, fields},
                                {Py_tp_call, (void*)plan_call},
                                {Py_tp_repr, (void*)plan_repr},
                                {Py_tp_dealloc, (void*)plan_dealloc},
                                {0, NULL}};
  static PyType_Spec spec = {"tutti.Plan", sizeof(core_plan), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  plan_type = (PyTypeObject*)PyType_FromSpec(&spec);
  return plan_type != NULL && PyModule_AddObjectRef(module, "Plan", (PyObject*)plan_type) == 0;
}
