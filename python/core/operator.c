// SPDX-License-Identifier: BSD-3-Clause
// Operators: those of the library, and functions of Python.
#include <string.h>

#include "core.h"
#include "core_texts.h"

typedef struct {
  PyObject_HEAD tutti_op op;  // id 0 until a function of Python is used first
  PyObject* function;         // NULL for an operator of the library
  PyObject* as_array;         // makes an array of a memoryview of bytes
  core_element element;
  Py_ssize_t bytes;  // of an element
  int commutative, whole;
  PyObject *failed, *value, *trace;  // the exception that the function has raised; NULL: none
} core_op;

PyTypeObject* core_operator_type = NULL;

enum { NAMES = 12 };  // the operators of the library have the ids 1 to NAMES

static const char* name_of(uint64_t id) {
  return tutti_op_name((tutti_op){id});
}

static core_op* new_op(uint64_t id) {
  const allocfunc allocate = (allocfunc)PyType_GetSlot(core_operator_type, Py_tp_alloc);
  core_op* self = (core_op*)allocate(core_operator_type, 0);
  if (self != NULL) self->op.id = id;
  return self;
}

// Shows `count` elements in memory to Python. They are read-only.
static PyObject* shown(const core_op* self, const void* memory, int64_t count) {
  PyObject* view = PyMemoryView_FromMemory((char*)(uintptr_t)memory,
                                           (Py_ssize_t)count * self->bytes, PyBUF_READ);
  if (view == NULL) return NULL;
  PyObject* array = PyObject_CallFunctionObjArgs(self->as_array, view, NULL);
  Py_DECREF(view);
  return array;
}

// Copies what a function has returned. It may lie in one of the operands.
static bool take(const core_op* self, PyObject* value, void* result, int64_t count) {
  Py_buffer view;
  core_element element;
  if (PyObject_GetBuffer(value, &view, PyBUF_FULL_RO) != 0) return false;
  const Py_ssize_t bytes = (Py_ssize_t)count * self->bytes;
  bool taken = core_element_of(view.format, view.itemsize, &element);
  if (taken && (element.type != self->element.type || view.len != bytes)) {
    PyErr_Format(PyExc_TypeError,
                 "an operator returned %zd bytes of format '%s' where it must return %zd bytes of "
                 "the type of its operands",
                 view.len, view.format != NULL ? view.format : "B", bytes);
    taken = false;
  }
  void* copy = taken ? PyMem_Malloc((size_t)bytes + 1) : NULL;
  if (taken && copy == NULL) PyErr_NoMemory();
  taken = copy != NULL && PyBuffer_ToContiguous(copy, &view, bytes, 'C') == 0;
  if (taken) memcpy(result, copy, (size_t)bytes);
  PyMem_Free(copy);
  PyBuffer_Release(&view);
  return taken;
}

static void forget_failure(core_op* self) {
  Py_CLEAR(self->failed);
  Py_CLEAR(self->value);
  Py_CLEAR(self->trace);
}

// The library calls it inside of a call. The exception is kept for the call that this operation
// belongs to, which need not be the one that is in progress.
static int combine(void* result, const void* left, const void* right, int64_t count, void* user) {
  core_op* self = user;
  core_lock();
  PyObject* first = shown(self, left, count);
  PyObject* second = first != NULL ? shown(self, right, count) : NULL;
  PyObject* value =
      second != NULL ? PyObject_CallFunctionObjArgs(self->function, first, second, NULL) : NULL;
  const bool done = value != NULL && take(self, value, result, count);
  Py_XDECREF(value);
  Py_XDECREF(second);
  Py_XDECREF(first);
  if (!done) {
    forget_failure(self);
    PyErr_Fetch(&self->failed, &self->value, &self->trace);
  }
  core_unlock();
  return done ? 0 : 1;
}

void core_explain(PyObject* op) {
  if (op == NULL || Py_TYPE(op) != core_operator_type) return;
  core_op* self = (core_op*)op;
  if (self->failed == NULL) return;
  if (PyErr_ExceptionMatches(core_class_of(TUTTI_OPERATOR_FAILED)) == 0)
    return forget_failure(self);
  PyErr_Restore(self->failed, self->value, self->trace);
  self->failed = self->value = self->trace = NULL;
}

// Makes the operator of the library at its first use. It refers to the object, which stays for
// ever.
static bool create(core_op* self) {
  if (!core_begin()) return false;
  const int how = (self->commutative != 0 ? TUTTI_COMMUTATIVE : 0) |
                  (self->whole != 0 ? TUTTI_WHOLE_VECTORS : 0);
  if (!core_end(tutti_op_create_fallible(self->element.type, combine, how, self, &self->op)))
    return false;
  Py_INCREF((PyObject*)self);
  return true;
}

// Finds the operator that is meant by a function of NumPy or of Python, such as numpy.maximum.
static bool op_of_function(PyObject* function, tutti_op* op, bool* mean) {
  PyObject* module = PyImport_ImportModule("tutti._operators");
  PyObject* name = module != NULL ? PyObject_CallMethod(module, "name_of", "O", function) : NULL;
  Py_XDECREF(module);
  const bool found = name != NULL && core_op_of(name, op, mean);
  Py_XDECREF(name);
  return found;
}

bool core_op_of(PyObject* value, tutti_op* op, bool* mean) {
  *op = (tutti_op){1};
  *mean = false;
  if (value == NULL) return true;
  if (Py_TYPE(value) == core_operator_type) {
    core_op* self = (core_op*)value;
    if (self->op.id == 0 && !create(self)) return false;
    *op = self->op;
    return true;
  }
  if (!PyUnicode_Check(value)) return op_of_function(value, op, mean);
  *mean = PyUnicode_CompareWithASCIIString(value, "mean") == 0;
  if (*mean) return true;
  for (uint64_t id = 1; id <= NAMES; ++id) {
    op->id = id;
    if (PyUnicode_CompareWithASCIIString(value, name_of(id)) == 0) return true;
  }
  return core_refuse(
             "there is no operator '%U': sum, product, max, min, mean, absmax, absmin, "
             "logical_and, logical_or, logical_xor, bit_and, bit_or, bit_xor",
             value) != NULL;
}

static PyObject* op_call(PyObject* object, PyObject* arguments, PyObject* words) {
  const core_op* self = (core_op*)object;
  if (self->function != NULL) return PyObject_Call(self->function, arguments, words);
  PyErr_Format(PyExc_TypeError, "%R is an operator of the library and not a function", object);
  return NULL;
}

static PyObject* op_repr(PyObject* object) {
  const core_op* self = (core_op*)object;
  if (self->function == NULL) return PyUnicode_FromFormat("<tutti.Op %s>", name_of(self->op.id));
  return PyUnicode_FromFormat("<tutti.Op of %R>", self->function);
}

static void op_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  Py_XDECREF(((core_op*)object)->function);
  Py_XDECREF(((core_op*)object)->as_array);
  forget_failure((core_op*)object);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

// make_op(type, function, as_array, commutative, whole)
static PyObject* make_op(PyObject* module, PyObject* arguments) {
  const char* type = NULL;
  PyObject *function = NULL, *as_array = NULL;
  int commutative = 0, whole = 0;
  (void)module;
  if (PyArg_ParseTuple(arguments, "sOOpp", &type, &function, &as_array, &commutative, &whole) == 0)
    return NULL;
  core_element element;
  Py_ssize_t bytes = 0;
  if (core_type_named(type, &element, &bytes) == NULL) return NULL;
  core_op* self = new_op(0);
  if (self == NULL) return NULL;
  self->function = Py_NewRef(function);
  self->as_array = Py_NewRef(as_array);
  self->element = element;
  self->bytes = bytes;
  self->commutative = commutative;
  self->whole = whole;
  return (PyObject*)self;
}

static bool add_constants(PyObject* module) {
  for (uint64_t id = 1; id <= NAMES; ++id) {
    const char* name = name_of(id);
    char upper[16] = {0};
    for (size_t c = 0; name[c] != '\0'; ++c)
      upper[c] = name[c] == '_' ? '_' : (char)(name[c] - 'a' + 'A');
    PyObject* op = (PyObject*)new_op(id);
    const bool added = op != NULL && PyModule_AddObjectRef(module, upper, op) == 0;
    Py_XDECREF(op);
    if (!added) return false;
  }
  return true;
}

bool core_add_operator(PyObject* module) {
  static PyType_Slot slots[] = {{Py_tp_doc, TUTTI_TEXT_Op},
                                {Py_tp_call, (void*)op_call},
                                {Py_tp_repr, (void*)op_repr},
                                {Py_tp_dealloc, (void*)op_dealloc},
                                {0, NULL}};
  static PyType_Spec spec = {"tutti.Op", sizeof(core_op), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  static PyMethodDef functions[] = {{"make_op", make_op, METH_VARARGS, TUTTI_TEXT_make_op},
                                    {NULL, NULL, 0, NULL}};
  core_operator_type = (PyTypeObject*)PyType_FromSpec(&spec);
  return core_operator_type != NULL &&
         PyModule_AddObjectRef(module, "Op", (PyObject*)core_operator_type) == 0 &&
         add_constants(module) && PyModule_AddFunctions(module, functions) == 0;
}
