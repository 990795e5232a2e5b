// SPDX-License-Identifier: BSD-3-Clause
// Operands that are numbers of Python: one, or a list of them. The library gets integers of 64
// bits, or double precision, real or complex. Results are new numbers or lists.
#include "core.h"

bool core_operand_of_numbers(char number, Py_ssize_t count, bool single, core_operand* operand) {
  operand->kind = single ? CORE_NUMBER : CORE_NUMBERS;
  operand->number = number;
  operand->truth = false;
  operand->items = count;
  operand->lists = 0;
  operand->element.factor = 1;
  operand->element.combines = true;
  operand->element.type = number == 'q'   ? TUTTI_INT64
                          : number == 'd' ? TUTTI_DOUBLE
                                          : TUTTI_COMPLEX_DOUBLE;
  if (single) return true;
  const size_t bytes = number == 'Z' ? 2 * sizeof(double) : sizeof(double);
  operand->memory = PyMem_Calloc((size_t)count + 1, bytes);
  if (operand->memory == NULL) PyErr_NoMemory();
  return operand->memory != NULL;
}

bool core_is_number(PyObject* object) {
  return PyFloat_CheckExact(object) || PyLong_CheckExact(object) || PyBool_Check(object) ||
         PyComplex_CheckExact(object);
}

bool core_is_list(PyObject* object) {
  return PyList_Check(object) || PyTuple_Check(object);
}

// The format of a number in a list, which may be NumPy's; 0 for another object.
static char format_of(PyObject* number) {
  if (PyIndex_Check(number)) return 'q';
  if (PyComplex_Check(number)) return 'Z';
  return PyFloat_Check(number) || PyObject_HasAttrString(number, "__float__") ? 'd' : 0;
}

// The format that serves all numbers of a list; 0 with an exception if one element is no number.
static char common_format(PyObject* list, const char* name) {
  char common = PySequence_Size(list) > 0 ? 'q' : 'd';
  for (Py_ssize_t i = 0; i < PySequence_Size(list); ++i) {
    PyObject* one = PySequence_GetItem(list, i);
    const char format = one != NULL ? format_of(one) : 0;
    if (one != NULL && format == 0) {
      PyErr_Format(PyExc_TypeError,
                   core_is_list(one) ? "%s[%zd] is a list: make an array of %s, for example by "
                                       "numpy.array(), or use the calls that end with _object"
                                     : "%s[%zd] is no number: lists of other objects than numbers "
                                       "move by the calls whose names end with _object",
                   name, i, name);
    }
    Py_XDECREF(one);
    if (format == 0) return 0;
    if (format == 'Z' || common == 'Z') {
      common = 'Z';
    } else if (format == 'd') {
      common = 'd';
    }
  }
  return common;
}

// Writes a number where elements of this format lie.
static bool put(PyObject* number, const char* name, char format, void* place) {
  double* const real = place;
  if (format == 'q') return core_wide(number, name, place);
  if (format == 'd') {
    real[0] = PyFloat_AsDouble(number);
  } else {
    real[0] = PyComplex_RealAsDouble(number);
    real[1] = PyComplex_ImagAsDouble(number);
  }
  return PyErr_Occurred() == NULL;
}

bool core_take_number(PyObject* object, const char* name, core_operand* operand) {
  const char format = PyFloat_CheckExact(object) ? 'd' : PyComplex_CheckExact(object) ? 'Z' : 'q';
  if (!put(object, name, format, &operand->value) ||
      !core_operand_of_numbers(format, 1, true, operand))
    return false;
  operand->truth = PyBool_Check(object);
  return true;
}

static Py_ssize_t bytes_of(char format) {
  return format == 'Z' ? 2 * (Py_ssize_t)sizeof(double) : (Py_ssize_t)sizeof(double);
}

bool core_take_list(PyObject* list, const char* name, core_operand* operand) {
  const char format = common_format(list, name);
  const Py_ssize_t count = PySequence_Size(list);
  if (format == 0 || count < 0 || !core_operand_of_numbers(format, count, false, operand))
    return false;
  bool taken = true;
  operand->truth = count > 0;
  for (Py_ssize_t i = 0; taken && i < count; ++i) {
    PyObject* one = PySequence_GetItem(list, i);
    operand->truth = operand->truth && one != NULL && PyBool_Check(one);
    taken = one != NULL && put(one, name, format, (char*)operand->memory + i * bytes_of(format));
    Py_XDECREF(one);
  }
  if (!taken) core_release(operand);
  return taken;
}

static PyObject* number_at(const core_operand* operand, const void* place) {
  const char number = operand->number;
  const double* real = place;
  if (number == 'q') {
    const long long value = *(const long long*)place;
    // Another rank may have given a number that is no truth value.
    const bool truth = operand->truth && (value == 0 || value == 1);
    return truth ? PyBool_FromLong(value != 0) : PyLong_FromLongLong(value);
  }
  return number == 'd' ? PyFloat_FromDouble(real[0]) : PyComplex_FromDoubles(real[0], real[1]);
}

static PyObject* list_of(const core_operand* operand, const char* memory, Py_ssize_t count) {
  PyObject* list = PyList_New(count);
  for (Py_ssize_t i = 0; list != NULL && i < count; ++i) {
    PyObject* one = number_at(operand, memory + i * bytes_of(operand->number));
    if (one == NULL || PyList_SetItem(list, i, one) != 0) Py_CLEAR(list);
  }
  return list;
}

PyObject* core_number_of(const core_operand* operand) {
  if (operand->kind == CORE_NUMBER) return number_at(operand, &operand->value);
  if (operand->lists == 0) return list_of(operand, operand->memory, operand->items);
  const Py_ssize_t count = operand->items / operand->lists;
  PyObject* all = PyList_New(operand->lists);
  for (Py_ssize_t i = 0; all != NULL && i < operand->lists; ++i) {
    const char* memory = (const char*)operand->memory + i * count * bytes_of(operand->number);
    PyObject* one = list_of(operand, memory, count);
    if (one == NULL || PyList_SetItem(all, i, one) != 0) Py_CLEAR(all);
  }
  return all;
}
