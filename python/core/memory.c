// SPDX-License-Identifier: BSD-3-Clause
// Memory of tutti_alloc as an object with a buffer. Python frees an object at any time: inside of a
// call of the library, in another thread, or after the process has left its job. So memory that
// cannot be freed at once is freed before the next call.
#include "core.h"

typedef struct core_block {
  struct core_block* next;
  void* address;
} core_block;

typedef struct {
  PyObject_HEAD core_block* block;
  Py_ssize_t bytes;
} core_memory;

static core_block* left_over = NULL;

static void free_block(core_block* block) {
  tutti_errors_push_return();
  // Failure is harmless: the memory then lasts as long as the process.
  (void)tutti_free(block->address);
  tutti_errors_pop();
  PyMem_Free(block);
}

void core_free_left_over(void) {
  while (left_over != NULL) {
    core_block* const block = left_over;
    left_over = block->next;
    free_block(block);
  }
}

static void memory_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  core_block* const block = ((core_memory*)object)->block;
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
  if (block == NULL) return;
  if (!core_is_inside()) return free_block(block);
  block->next = left_over;
  left_over = block;
}

static int memory_buffer(PyObject* object, Py_buffer* view, int flags) {
  const core_memory* self = (core_memory*)object;
  return PyBuffer_FillInfo(view, object, self->block->address, self->bytes, 0, flags);
}

static core_memory* new_memory(void) {
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, (void*)memory_dealloc}, {Py_bf_getbuffer, (void*)memory_buffer}, {0, NULL}};
  static PyType_Spec spec = {"tutti._core.Memory", sizeof(core_memory), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  static PyTypeObject* type = NULL;
  if (type == NULL) type = (PyTypeObject*)PyType_FromSpec(&spec);
  if (type == NULL) return NULL;
  return (core_memory*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

PyObject* core_alloc(PyObject* module, PyObject* value) {
  long long bytes = 0;
  (void)module;
  if (!core_wide(value, "bytes", &bytes)) return NULL;
  core_block* block = PyMem_Calloc(1, sizeof *block);
  core_memory* memory = block == NULL ? (core_memory*)PyErr_NoMemory() : new_memory();
  if (memory == NULL || !core_begin() || !core_end(tutti_alloc(bytes, &block->address))) {
    PyMem_Free(block);
    Py_XDECREF((PyObject*)memory);
    return NULL;
  }
  memory->block = block;
  memory->bytes = (Py_ssize_t)bytes;
  PyObject* view = PyMemoryView_FromObject((PyObject*)memory);
  Py_DECREF((PyObject*)memory);
  return view;
}
