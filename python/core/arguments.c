// SPDX-License-Identifier: BSD-3-Clause
// Finds the arguments of a call by place and by name, and converts integers.
#include <limits.h>

#include "core.h"

static int place_of(const core_signature* signature, PyObject* name) {
  for (int i = 0; i < signature->count; ++i)
    if (PyUnicode_CompareWithASCIIString(name, signature->names[i]) == 0) return i;
  return -1;
}

static bool take_names(const core_signature* signature, PyObject* const* given, PyObject* names,
                       PyObject** values) {
  const Py_ssize_t count = PyTuple_Size(names);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* name = PyTuple_GetItem(names, i);
    const int place = place_of(signature, name);
    if (place < 0) {
      PyErr_Format(PyExc_TypeError, "%s() has no argument '%U'", signature->call, name);
      return false;
    }
    if (values[place] != NULL) {
      PyErr_Format(PyExc_TypeError, "%s() got two values for '%U'", signature->call, name);
      return false;
    }
    values[place] = given[i];
  }
  return true;
}

bool core_arguments(const core_signature* signature, PyObject* const* given, Py_ssize_t count,
                    PyObject* names, PyObject** values) {
  if (count > signature->count) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %d arguments (%zd given)", signature->call,
                 signature->count, count);
    return false;
  }
  for (int i = 0; i < signature->count; ++i) values[i] = i < count ? given[i] : NULL;
  if (names != NULL && !take_names(signature, given + count, names, values)) return false;
  for (int i = 0; i < signature->count; ++i) {
    if (values[i] == NULL && i < signature->needed) {
      PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s'", signature->call,
                   signature->names[i]);
      return false;
    }
    if (values[i] == Py_None) values[i] = NULL;
  }
  return true;
}

bool core_wide(PyObject* value, const char* name, long long* number) {
  *number = PyLong_AsLongLong(value);
  if (*number != -1 || PyErr_Occurred() == NULL) return true;
  if (PyErr_ExceptionMatches(PyExc_TypeError) != 0) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s must be an integer, not %R", name, value);
  } else if (PyErr_ExceptionMatches(PyExc_OverflowError) != 0) {
    PyErr_Clear();
    PyErr_Format(PyExc_OverflowError, "%s is %R, but an integer of a call has 64 bits", name,
                 value);
  }
  return false;
}

bool core_int(PyObject* value, const char* name, int* number) {
  long long wide = 0;
  if (value == NULL) return true;
  if (!core_wide(value, name, &wide)) return false;
  if (wide < INT_MIN || wide > INT_MAX)
    return core_refuse("%s is %lld, which is too far", name, wide) != NULL;
  *number = (int)wide;
  return true;
}

bool core_seconds(PyObject* value, double* seconds) {
  *seconds = -1;
  if (value == NULL || value == Py_None) return true;
  *seconds = PyFloat_AsDouble(value);
  if (*seconds == -1 && PyErr_Occurred() != NULL) return false;
  if (!(*seconds >= 0)) *seconds = 0;
  return true;
}

static bool convert(PyObject* list, const char* name, Py_ssize_t wanted, int64_t factor,
                    int64_t* numbers) {
  if (wanted >= 0 && PyList_Size(list) != wanted)
    return core_refuse("%s has %zd numbers, not %zd", name, PyList_Size(list), wanted) != NULL;
  for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) {
    long long number = 0;
    if (!core_wide(PyList_GetItem(list, i), name, &number)) return false;
    if (__builtin_mul_overflow(number, factor, &numbers[i]))
      return core_refuse("%s has the number %lld, which is too large", name, number) != NULL;
  }
  return true;
}

int64_t* core_int64s(PyObject* values, const char* name, Py_ssize_t wanted, int64_t factor) {
  PyObject* list = PySequence_List(values);
  if (list == NULL) return NULL;
  int64_t* numbers = PyMem_Calloc((size_t)PyList_Size(list) + 1, sizeof *numbers);
  if (numbers == NULL) {
    PyErr_NoMemory();
  } else if (!convert(list, name, wanted, factor, numbers)) {
    PyMem_Free(numbers);
    numbers = NULL;
  }
  Py_DECREF(list);
  return numbers;
}
