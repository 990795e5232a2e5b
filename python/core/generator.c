// SPDX-License-Identifier: BSD-3-Clause
// Algorithms that functions of Python describe. The library asks for them when a process joins and
// when a plan is made, and never when a plan runs.
#include <string.h>
#include <tutti/tutti_generator.h>

#include "core.h"

typedef struct {
  PyObject* object;   // a tutti.Generator, which stays for ever
  PyObject* failure;  // what one of its functions has raised, as text; NULL if none has
} core_generator;

// Turns the exception at hand into a text, which the next emit() reports: only emit() can say that
// a generator has failed.
static void note_failure(core_generator* self) {
  PyObject *kind = NULL, *value = NULL, *trace = NULL;
  PyErr_Fetch(&kind, &value, &trace);
  PyErr_NormalizeException(&kind, &value, &trace);
  PyObject* name = kind != NULL ? PyObject_GetAttrString(kind, "__name__") : NULL;
  Py_XDECREF(self->failure);
  self->failure = name != NULL ? PyUnicode_FromFormat("%U: %S", name, value) : NULL;
  if (self->failure == NULL) self->failure = PyUnicode_FromString("an exception without text");
  PyErr_Clear();
  Py_XDECREF(name);
  Py_XDECREF(kind);
  Py_XDECREF(value);
  Py_XDECREF(trace);
}

// Asks the generator for a number. If it raises an exception, the number is `otherwise`.
static int number_of(void* data, const char* method, const tutti_schedule_shape* shape,
                     int otherwise) {
  core_generator* self = data;
  core_lock();
  PyObject* value = PyObject_CallMethod(self->object, method, "ii", shape->p, shape->root);
  int number = otherwise;
  if (value == NULL || !core_int(value, method, &number)) {
    note_failure(self);
    number = otherwise;
  }
  Py_XDECREF(value);
  core_unlock();
  return number;
}

static int applies(const tutti_schedule_shape* shape, void* data) {
  return number_of(data, "serves", shape, 1);
}
static int rounds(const tutti_schedule_shape* shape, void* data) {
  return number_of(data, "rounds", shape, 1);
}
static int parts(const tutti_schedule_shape* shape, void* data) {
  return number_of(data, "parts", shape, shape->p);
}
static int scratch(const tutti_schedule_shape* shape, void* data) {
  return number_of(data, "scratch", shape, 0);
}

// Blocks of a tuple of runs. The caller frees them.
static tutti_blocks* blocks_of(PyObject* runs, int* count) {
  const Py_ssize_t length = PyTuple_Size(runs);
  tutti_blocks* blocks = length < 0 ? NULL : PyMem_Malloc((size_t)(length + 1) * sizeof *blocks);
  if (blocks == NULL) return NULL;
  for (Py_ssize_t i = 0; i < length; ++i) {
    int buffer = 0;
    if (PyArg_ParseTuple(PyTuple_GetItem(runs, i), "iiiii", &buffer, &blocks[i].first,
                         &blocks[i].count, &blocks[i].stride, &blocks[i].times) == 0) {
      PyMem_Free(blocks);
      return NULL;
    }
    blocks[i].buffer = (tutti_buffer)buffer;
  }
  *count = (int)length;
  return blocks;
}

// Fills in the operands of a tuple, each a rank or a tuple of runs. `operands` is all 0 before.
static bool fill_operands(PyObject* given, tutti_operand* operands, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* one = PyTuple_GetItem(given, i);
    if (PyLong_Check(one)) {
      if (!core_int(one, "an operand", &operands[i].from)) return false;
      continue;
    }
    operands[i].from = TUTTI_LOCAL;
    operands[i].blocks = blocks_of(one, &operands[i].count);
    if (operands[i].blocks == NULL) return false;
  }
  return true;
}

static void add_work(tutti_round* round, PyObject* verb, const tutti_blocks* result, int count,
                     const tutti_operand* operands, int operand_count) {
  if (PyUnicode_CompareWithASCIIString(verb, "receive_combine") == 0)
    round->receive_combine(round, result, count, operands, operand_count);
  else if (PyUnicode_CompareWithASCIIString(verb, "combine") == 0)
    round->combine(round, result, count, operands, operand_count);
  else
    round->copy(round, result, count, operands->blocks, operands->count);
}

static bool add_with_operands(tutti_round* round, PyObject* verb, const tutti_blocks* result,
                              int count, PyObject* given) {
  const Py_ssize_t length = PyTuple_Size(given);
  if (length < 0) return false;
  tutti_operand* operands = PyMem_Calloc((size_t)length + 1, sizeof *operands);
  if (operands == NULL) return PyErr_NoMemory() != NULL;
  const bool filled = fill_operands(given, operands, length);
  if (filled) add_work(round, verb, result, count, operands, (int)length);
  for (Py_ssize_t i = 0; i < length; ++i) PyMem_Free((void*)(uintptr_t)operands[i].blocks);
  PyMem_Free(operands);
  return filled;
}

// Adds an operation: a verb, a tuple of runs, and a rank or a tuple of operands.
static bool add_operation(tutti_round* round, PyObject* operation) {
  PyObject *verb = NULL, *runs = NULL, *other = NULL;
  if (PyArg_ParseTuple(operation, "UOO", &verb, &runs, &other) == 0) return false;
  int count = 0, rank = 0;
  tutti_blocks* blocks = blocks_of(runs, &count);
  if (blocks == NULL) return false;
  bool added = true;
  if (!PyLong_Check(other)) {
    added = add_with_operands(round, verb, blocks, count, other);
  } else if (!core_int(other, "rank", &rank)) {
    added = false;
  } else if (PyUnicode_CompareWithASCIIString(verb, "send") == 0) {
    round->send(round, rank, blocks, count);
  } else {
    round->receive(round, rank, blocks, count);
  }
  PyMem_Free(blocks);
  return added;
}

static void emit(tutti_round* round, const tutti_schedule_shape* shape, int me, int t, void* data) {
  core_generator* self = data;
  core_lock();
  PyObject* list = self->failure != NULL ? NULL
                                         : PyObject_CallMethod(self->object, "operations", "iiii",
                                                               shape->p, shape->root, me, t);
  bool added = list != NULL;
  for (Py_ssize_t i = 0; added && i < PyList_Size(list); ++i)
    added = add_operation(round, PyList_GetItem(list, i));
  Py_XDECREF(list);
  if (self->failure == NULL && PyErr_Occurred() != NULL) note_failure(self);
  if (self->failure != NULL) {
    const char* text = PyUnicode_AsUTF8AndSize(self->failure, NULL);
    round->fail(round, text);
    PyErr_Clear();
    Py_CLEAR(self->failure);
  }
  core_unlock();
}

PyObject* core_register_generator(PyObject* module, PyObject* arguments) {
  const char *name = NULL, *operation = NULL, *about = NULL;
  PyObject* object = NULL;
  int has_needs = 0, commutative = 0, separate = 0, candidate = 0;
  (void)module;
  if (PyArg_ParseTuple(arguments, "sssOpppp", &name, &operation, &about, &object, &has_needs,
                       &commutative, &separate, &candidate) == 0)
    return NULL;
  core_operation number;
  if (!core_operation_named(operation, &number)) return NULL;
  core_generator* self = PyMem_Calloc(1, sizeof *self);
  if (self == NULL) return PyErr_NoMemory();
  self->object = Py_NewRef(object);
  const tutti_generator generator = {.struct_size = sizeof generator,
                                     .name = name,
                                     .operation = (tutti_operation)number,
                                     .about = about,
                                     .flags = (commutative != 0 ? TUTTI_COMMUTATIVE_ONLY : 0) |
                                              (separate != 0 ? TUTTI_NOT_IN_PLACE : 0) |
                                              (candidate != 0 ? TUTTI_CANDIDATE : 0),
                                     .applies = has_needs != 0 ? applies : NULL,
                                     .rounds = rounds,
                                     .parts = parts,
                                     .scratch = scratch,
                                     .emit = emit,
                                     .data = self};
  if (core_begin() && core_end(tutti_generator_register(&generator))) Py_RETURN_NONE;
  Py_DECREF(self->object);
  PyMem_Free(self);
  return NULL;
}
