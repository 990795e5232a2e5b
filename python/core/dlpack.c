// SPDX-License-Identifier: BSD-3-Clause
// Arrays that have no buffer of Python's but speak DLPack, such as tensors on the CPU. A tensor
// becomes a Py_buffer that nobody has exported.
#include <string.h>

#include "core.h"

// The structures of DLPack, version 0 (dlpack.h).
typedef struct {
  uint8_t code, bits;
  uint16_t lanes;
} dl_type;
typedef struct {
  void* data;
  int32_t device_type, device_id;
  int32_t ndim;
  dl_type type;
  int64_t* shape;
  int64_t* strides;  // in elements; NULL: one row after the other
  uint64_t byte_offset;
} dl_tensor;
typedef struct dl_managed {
  dl_tensor tensor;
  void* context;
  void (*deleter)(struct dl_managed* self);
} dl_managed;
enum { ON_CPU = 1, ON_CPU_FOR_CUDA = 3 };

typedef struct {
  uint8_t code, bits;
  const char* format;
} known_type;
static const known_type known[] = {
    {0, 8, "b"},  {0, 16, "h"}, {0, 32, "i"},  {0, 64, "q"},   {1, 8, "B"},
    {1, 16, "H"}, {1, 32, "I"}, {1, 64, "Q"},  {2, 16, "e"},   {2, 32, "f"},
    {2, 64, "d"}, {4, 16, "E"}, {5, 64, "Zf"}, {5, 128, "Zd"}, {6, 8, "?"},
};
enum { KNOWN = sizeof known / sizeof *known };

static const char* format_of(dl_type type) {
  for (int i = 0; i < KNOWN; ++i)
    if (type.lanes == 1 && type.code == known[i].code && type.bits == known[i].bits)
      return known[i].format;
  return NULL;
}

static bool is_on_cpu(PyObject* object, const char* name) {
  PyObject* place = PyObject_CallMethod(object, "__dlpack_device__", NULL);
  int type = 0, number = 0;
  const bool told = place != NULL && PyTuple_Check(place) != 0 &&
                    PyArg_ParseTuple(place, "ii", &type, &number) != 0;
  Py_XDECREF(place);
  if (!told) {
    if (PyErr_Occurred() == NULL)
      PyErr_Format(PyExc_TypeError, "%s says by __dlpack_device__ no place", name);
    return false;
  }
  if (type == ON_CPU || type == ON_CPU_FOR_CUDA) return true;
  PyErr_Format(PyExc_TypeError,
               "%s lies on another device (DLPack's number %d): copy it to the CPU", name, type);
  return false;
}

// Takes the tensor out of its capsule, which must not free it any more.
static dl_managed* tensor_of(PyObject* object) {
  PyObject* capsule = PyObject_CallMethod(object, "__dlpack__", NULL);
  if (capsule == NULL) return NULL;
  dl_managed* managed = PyCapsule_GetPointer(capsule, "dltensor");
  if (managed != NULL && PyCapsule_SetName(capsule, "used_dltensor") != 0) managed = NULL;
  Py_DECREF(capsule);
  return managed;
}

static bool fill(const dl_tensor* tensor, const char* name, Py_buffer* view) {
  const char* format = format_of(tensor->type);
  if (format == NULL) {
    PyErr_Format(PyExc_TypeError, "%s has elements of DLPack's type %d with %d bits", name,
                 tensor->type.code, tensor->type.bits);
    return false;
  }
  memset(view, 0, sizeof *view);
  view->shape = PyMem_Calloc(2 * (size_t)tensor->ndim + 1, sizeof *view->shape);
  if (view->shape == NULL) return PyErr_NoMemory() != NULL;
  view->strides = view->shape + tensor->ndim;
  view->buf = (char*)tensor->data + tensor->byte_offset;
  view->format = (char*)(uintptr_t)format;
  view->itemsize = tensor->type.bits / 8;
  view->ndim = tensor->ndim;
  view->len = view->itemsize;
  for (int i = tensor->ndim - 1; i >= 0; --i) {
    const Py_ssize_t dense = view->len;
    view->shape[i] = (Py_ssize_t)tensor->shape[i];
    view->strides[i] =
        tensor->strides != NULL ? (Py_ssize_t)tensor->strides[i] * view->itemsize : dense;
    view->len *= view->shape[i];
  }
  return true;
}

bool core_has_dlpack(PyObject* object) {
  return PyObject_HasAttrString(object, "__dlpack__") != 0;
}

bool core_take_dlpack(PyObject* object, const char* name, core_operand* operand) {
  if (!is_on_cpu(object, name)) return false;
  dl_managed* managed = tensor_of(object);
  if (managed == NULL) return false;
  operand->tensor = managed;
  operand->kind = CORE_BUFFER;
  if (fill(&managed->tensor, name, &operand->view)) return true;
  operand->view.shape = NULL;
  core_release_dlpack(operand);
  return false;
}

void core_release_dlpack(core_operand* operand) {
  dl_managed* managed = operand->tensor;
  PyMem_Free(operand->view.shape);
  operand->view.shape = NULL;
  operand->tensor = NULL;
  operand->kind = CORE_NOTHING;
  if (managed->deleter != NULL) managed->deleter(managed);
}
