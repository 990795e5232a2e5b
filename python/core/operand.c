// SPDX-License-Identifier: BSD-3-Clause
// Makes an operand of the library out of a Python object that has a buffer; numbers.c has the
// others. Elements of a buffer are numbered row by row, as NumPy does, whatever lies in memory.
#include <string.h>

#include "core.h"

static bool has_count(const core_operand* operand) {
  return operand->element.factor == 0 || operand->items <= PY_SSIZE_T_MAX / operand->element.factor;
}

void core_describe(core_operand* operand) {
  const core_element* element = &operand->element;
  const int64_t count = (int64_t)operand->items * element->factor;
  if (operand->kind == CORE_NUMBER) {
    operand->data = tutti_array(&operand->value, 1, element->type);
  } else if (operand->memory != NULL) {
    operand->data = tutti_array(operand->memory, count, element->type);
  } else if (operand->view.ndim == 2 && PyBuffer_IsContiguous(&operand->view, 'C') == 0) {
    const Py_buffer* view = &operand->view;
    const int64_t distance = view->strides[0] / view->itemsize * element->factor;
    operand->data = tutti_matrix(view->buf, (int64_t)view->shape[1] * element->factor,
                                 view->shape[0], distance, element->type);
  } else {
    operand->data = tutti_array(operand->view.buf, count, element->type);
  }
}

// Returns true if the library can describe the buffer as it lies in memory: contiguous, or rows
// with equal distances.
static bool describable(const Py_buffer* view) {
  if (PyBuffer_IsContiguous(view, 'C') != 0) return true;
  return view->ndim == 2 && view->suboffsets == NULL && view->itemsize > 0 &&
         (view->strides[1] == view->itemsize || view->shape[1] == 1) &&
         view->strides[0] % view->itemsize == 0 &&
         view->strides[0] / view->itemsize >= view->shape[1];
}

static bool pack(core_operand* operand) {
  operand->memory = PyMem_Malloc((size_t)operand->view.len + 1);
  if (operand->memory == NULL) {
    PyErr_NoMemory();
    return false;
  }
  return PyBuffer_ToContiguous(operand->memory, &operand->view, operand->view.len, 'C') == 0;
}

// Calls a function of tutti._arrays, with one or two arguments.
static PyObject* call_python(const char* function, PyObject* object, PyObject* more) {
  static PyObject* module = NULL;  // stays, because each call without `out` needs it
  if (module == NULL) module = PyImport_ImportModule("tutti._arrays");
  PyObject* found = module != NULL ? PyObject_GetAttrString(module, function) : NULL;
  if (found == NULL) return NULL;
  PyObject* result = PyObject_CallFunctionObjArgs(found, object, more, NULL);
  Py_DECREF(found);
  return result;
}

PyObject* core_type_name(PyObject* object, const char* format) {
  PyObject* text = PyUnicode_FromString(format != NULL ? format : "B");
  PyObject* name = text != NULL ? call_python("type_name", object, text) : NULL;
  Py_XDECREF(text);
  return name;
}

// The type numpy.generic; NULL as long as the program has not imported NumPy.
static PyObject* type_of_scalars(void) {
  static PyObject* type = NULL;  // stays
  if (type != NULL) return type;
  PyObject* modules = PySys_GetObject("modules");
  PyObject* numpy = modules != NULL ? PyDict_GetItemString(modules, "numpy") : NULL;
  type = numpy != NULL ? PyObject_GetAttrString(numpy, "generic") : NULL;
  if (type == NULL) PyErr_Clear();
  return type;
}

bool core_is_scalar(PyObject* object) {
  PyObject* type = type_of_scalars();
  return type != NULL && PyObject_TypeCheck(object, (PyTypeObject*)type) != 0;
}

PyObject* core_array_of_scalar(PyObject* scalar) {
  return call_python("array_of_scalar", scalar, NULL);
}

// NumPy gives no buffer of dates and times, but one of their bytes.
static bool get_buffer(PyObject* object, const char* name, Py_buffer* view) {
  if (PyObject_GetBuffer(object, view, PyBUF_FULL_RO) == 0) return true;
  PyErr_Clear();
  PyObject* bytes = call_python("as_bytes", object, NULL);
  if (bytes == NULL) return false;
  const bool has = bytes != Py_None && PyObject_GetBuffer(bytes, view, PyBUF_FULL_RO) == 0;
  Py_DECREF(bytes);
  if (has) return true;
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError,
               "%s is of %R, which has no buffer of elements (use arrays, numbers, or the calls "
               "whose names end with _object)",
               name, Py_TYPE(object));
  return false;
}

static bool take_buffer(const char* name, bool writable, bool may_pack, core_operand* operand) {
  const Py_buffer* view = &operand->view;
  if (!core_element_of(view->format, view->itemsize, &operand->element)) return false;
  if (writable && view->readonly != 0) return core_refuse("%s is read-only", name) != NULL;
  operand->items = view->itemsize > 0 ? view->len / view->itemsize : 0;
  if (!has_count(operand)) return core_refuse("%s has too many elements", name) != NULL;
  if (describable(view)) return true;
  if (may_pack) return pack(operand);
  return core_refuse("%s is not contiguous, which a request does not allow", name) != NULL;
}

bool core_operand_of(PyObject* object, const char* name, bool writable, bool may_pack,
                     core_operand* operand) {
  operand->object = object;
  if (!writable && core_is_number(object)) return core_take_number(object, name, operand);
  if (core_is_list(object)) {
    if (!writable) return core_take_list(object, name, operand);
    return core_refuse("%s is a list: give an array, which can be filled in place", name) != NULL;
  }
  if (PyObject_CheckBuffer(object) == 0 && core_has_dlpack(object)) {
    if (!core_take_dlpack(object, name, operand)) return false;
  } else if (!get_buffer(object, name, &operand->view)) {
    return false;
  }
  operand->kind = CORE_BUFFER;
  if (take_buffer(name, writable, may_pack, operand)) return true;
  core_release(operand);
  return false;
}

bool core_unpack(core_operand* operand) {
  if (operand->kind != CORE_BUFFER || operand->memory == NULL) return true;
  return PyBuffer_FromContiguous(&operand->view, operand->memory, operand->view.len, 'C') == 0;
}

void core_release(core_operand* operand) {
  if (operand->memory != NULL && !operand->shares_memory) PyMem_Free(operand->memory);
  if (operand->kind == CORE_BUFFER && operand->tensor != NULL) {
    core_release_dlpack(operand);
  } else if (operand->kind == CORE_BUFFER) {
    PyBuffer_Release(&operand->view);
  }
  operand->memory = NULL;
  operand->kind = CORE_NOTHING;
}

PyObject* core_new_like(PyObject* like, int dimensions, const Py_ssize_t* shape) {
  PyObject* tuple = PyTuple_New(dimensions);
  for (int i = 0; tuple != NULL && i < dimensions; ++i) {
    PyObject* number = PyLong_FromSsize_t(shape[i]);
    if (number == NULL || PyTuple_SetItem(tuple, i, number) != 0) Py_CLEAR(tuple);
  }
  if (tuple == NULL) return NULL;
  PyObject* result = call_python("new_like", like, tuple);
  Py_DECREF(tuple);
  return result;
}
