// SPDX-License-Identifier: BSD-3-Clause
// Requests: operations that have been started or prepared. What an operation needs is kept until it
// is done, even if the program forgets its request.
#include "core.h"
#include "core_texts.h"

typedef struct {
  PyObject_HEAD core_pending* pending;  // NULL when nothing is left to wait for
  PyObject* value;                      // what wait() returns when it is done
  const char* name;
  bool prepared;
} core_request;

static PyTypeObject* request_type = NULL;
static core_pending* forgotten = NULL;  // operations whose Request is gone

void core_free_pending(core_pending* pending) {
  core_clear_call(&pending->call);
  PyMem_Free(pending);
}

// Tries to end what a forgotten request has left behind. Returns true if nothing is left of it.
static bool ends(core_pending* pending) {
  int done = 1;
  if (!core_begin()) return false;
  const tutti_status status = pending->in_flight ? tutti_test(&pending->request, &done)
                                                 : tutti_request_free(&pending->request);
  if (status == TUTTI_OK && pending->in_flight && done != 0 && pending->request.id != 0)
    (void)tutti_request_free(&pending->request);
  return core_end(status) && done != 0;
}

static void sweep(void) {
  core_pending** place = &forgotten;
  while (*place != NULL) {
    core_pending* one = *place;
    if (ends(one)) {
      *place = one->next;
      core_free_pending(one);
    } else {
      PyErr_Clear();
      place = &one->next;
    }
  }
}

static void forget(core_pending* pending) {
  pending->next = forgotten;
  forgotten = pending;
}

void core_drop_pending(core_pending* pending) {
  if (pending->request.id != 0) {
    forget(pending);
  } else {
    core_free_pending(pending);
  }
}

core_pending* core_new_pending(void) {
  if (forgotten != NULL) sweep();
  core_pending* pending = PyMem_Calloc(1, sizeof *pending);
  if (pending == NULL) PyErr_NoMemory();
  return pending;
}

PyObject* core_new_request(core_pending* pending, const char* name) {
  const allocfunc allocate = (allocfunc)PyType_GetSlot(request_type, Py_tp_alloc);
  core_request* request = (core_request*)allocate(request_type, 0);
  if (request == NULL) {
    forget(pending);
    return NULL;
  }
  request->pending = pending;
  request->name = name;
  request->prepared = pending->kind == CORE_COLLECTIVE && pending->call.way == CORE_PREPARED;
  return (PyObject*)request;
}

PyObject* core_finish_start(core_pending* pending, core_way way, bool made) {
  pending->in_flight = way == CORE_STARTED;
  if (made) return core_new_request(pending, core_name_of(pending->call.operation));
  core_explain(pending->call.op_object);
  core_drop_pending(pending);
  return NULL;
}

// Takes the result of an operation that is done. A request that was started is empty then.
static bool finish(core_request* self) {
  core_pending* pending = self->pending;
  pending->in_flight = false;
  PyObject* value = pending->kind == CORE_RECEIVE ? core_new_status(pending->from, pending->with,
                                                                    pending->call.input.view.len)
                    : pending->kind == CORE_SEND  ? Py_NewRef(Py_None)
                                                  : core_result(&pending->call);
  if (value == NULL) return false;
  Py_XDECREF(self->value);
  self->value = value;
  if (self->prepared) return true;
  self->pending = NULL;
  core_free_pending(pending);
  return true;
}

static bool in_flight(const core_request* self) {
  return self->pending != NULL && self->pending->in_flight;
}

static PyObject* value_of(const core_request* self) {
  return Py_NewRef(self->value != NULL ? self->value : Py_None);
}

// Returns true if a failed wait has ended the operation. The library then lets a request go that
// was started; of one that was prepared, only the status tells.
static bool is_over(const core_request* self, tutti_status status) {
  if (!self->prepared) return self->pending->request.id == 0;
  return status == TUTTI_OPERATOR_FAILED || status == TUTTI_MISMATCH || status == TUTTI_PEER_LEFT;
}

// Called after a failed wait.
static void fail(core_request* self, tutti_status status) {
  core_pending* pending = self->pending;
  core_explain(pending->call.op_object);
  if (!is_over(self, status)) return;
  pending->in_flight = false;
  if (self->prepared) return;
  self->pending = NULL;
  core_drop_pending(pending);
}

// Ends a call of the library that has waited for this request. Returns false with an exception.
static bool end_wait(core_request* self, tutti_status status) {
  if (core_end(status)) return true;
  fail(self, status);
  return false;
}

static PyObject* request_wait(PyObject* object, PyObject* arguments, PyObject* names) {
  static char* words[] = {"timeout", NULL};
  core_request* self = (core_request*)object;
  PyObject* timeout = NULL;
  double seconds = -1;
  if (PyArg_ParseTupleAndKeywords(arguments, names, "|O", words, &timeout) == 0 ||
      !core_seconds(timeout, &seconds))
    return NULL;
  if (!in_flight(self)) return value_of(self);
  if (!core_begin() || !end_wait(self, tutti_wait_for(&self->pending->request, seconds)))
    return NULL;
  return finish(self) ? value_of(self) : NULL;
}

static PyObject* request_test(PyObject* object, PyObject* unused) {
  core_request* self = (core_request*)object;
  int done = 0;
  (void)unused;
  if (!in_flight(self)) Py_RETURN_TRUE;
  if (!core_begin() || !end_wait(self, tutti_test(&self->pending->request, &done))) return NULL;
  if (done == 0) Py_RETURN_FALSE;
  if (!finish(self)) return NULL;
  Py_RETURN_TRUE;
}

static PyObject* request_cancel(PyObject* object, PyObject* unused) {
  core_request* self = (core_request*)object;
  int cancelled = 0;
  (void)unused;
  if (!in_flight(self)) Py_RETURN_FALSE;
  core_pending* pending = self->pending;
  if (!core_begin() || !end_wait(self, tutti_cancel(&pending->request, &cancelled))) return NULL;
  if (cancelled == 0) {
    if (pending->request.id == 0 && !finish(self)) return NULL;
    Py_RETURN_FALSE;
  }
  self->pending = NULL;
  core_free_pending(pending);
  Py_RETURN_TRUE;
}

// The requests of a list that are in flight, for the library. The caller frees the result.
static tutti_request* requests_of(PyObject* list, Py_ssize_t count) {
  tutti_request* all = PyMem_Calloc((size_t)count + 1, sizeof *all);
  if (all == NULL) PyErr_NoMemory();
  for (Py_ssize_t i = 0; all != NULL && i < count; ++i) {
    PyObject* one = PyList_GetItem(list, i);
    if (Py_TYPE(one) == request_type) {
      if (in_flight((core_request*)one)) all[i] = ((core_request*)one)->pending->request;
      continue;
    }
    PyErr_Format(PyExc_TypeError, "%R is no request", one);
    PyMem_Free(all);
    all = NULL;
  }
  return all;
}

PyObject* core_wait_any(PyObject* module, PyObject* arguments) {
  PyObject *list = NULL, *timeout = NULL;
  double seconds = -1;
  int index = -1;
  (void)module;
  if (PyArg_ParseTuple(arguments, "O!O", &PyList_Type, &list, &timeout) == 0 ||
      !core_seconds(timeout, &seconds))
    return NULL;
  const Py_ssize_t count = PyList_Size(list);
  tutti_request* all = requests_of(list, count);
  if (all == NULL) return NULL;
  tutti_status status = TUTTI_OK;
  bool done = core_begin();
  if (done) {
    status = tutti_waitany_for((int)count, all, seconds, &index);
    done = core_end(status);
  }
  // After an error in one of them, the library has let that one go.
  for (Py_ssize_t i = 0; i < count; ++i) {
    core_request* one = (core_request*)PyList_GetItem(list, i);
    if (!in_flight(one)) continue;
    one->pending->request = all[i];
    if (!done && !one->prepared && is_over(one, status)) fail(one, status);
  }
  PyMem_Free(all);
  if (!done) return NULL;
  if (index < 0) Py_RETURN_NONE;
  return finish((core_request*)PyList_GetItem(list, index)) ? PyLong_FromLong(index) : NULL;
}

static PyObject* request_start(PyObject* object, PyObject* unused) {
  core_request* self = (core_request*)object;
  (void)unused;
  if (!self->prepared || self->pending == NULL)
    return core_refuse("%s cannot be started again", self->name);
  if (!core_begin() || !core_end(tutti_start(self->pending->request))) return NULL;
  self->pending->in_flight = true;
  Py_RETURN_NONE;
}

static PyObject* request_free(PyObject* object, PyObject* unused) {
  core_request* self = (core_request*)object;
  (void)unused;
  if (in_flight(self)) return core_refuse("%s is in flight: wait for it first", self->name);
  if (self->pending == NULL) Py_RETURN_NONE;
  if (!core_begin() || !core_end(tutti_request_free(&self->pending->request))) return NULL;
  core_free_pending(self->pending);
  self->pending = NULL;
  Py_RETURN_NONE;
}

static PyObject* request_call(PyObject* object, PyObject* arguments, PyObject* names) {
  if (PyTuple_Size(arguments) > 0 || (names != NULL && PyDict_Size(names) > 0)) {
    PyErr_SetString(PyExc_TypeError, "a prepared request takes no arguments");
    return NULL;
  }
  PyObject* none = request_start(object, NULL);
  if (none == NULL) return NULL;
  Py_DECREF(none);
  core_request* self = (core_request*)object;
  if (!core_begin() || !end_wait(self, tutti_wait(&self->pending->request))) return NULL;
  return finish(self) ? value_of(self) : NULL;
}

static PyObject* request_repr(PyObject* object) {
  const core_request* self = (core_request*)object;
  return PyUnicode_FromFormat("<tutti.Request %s, %s>", self->name,
                              in_flight(self)         ? "in flight"
                              : self->pending != NULL ? "prepared"
                                                      : "done");
}

static void request_finalize(PyObject* object) {
  core_request* self = (core_request*)object;
  if (self->pending == NULL) return;
  core_pending* pending = self->pending;
  self->pending = NULL;
  const bool flying = pending->in_flight;
  forget(pending);
  if (!flying) return;
  PyObject* class, *value, *trace;
  PyErr_Fetch(&class, &value, &trace);
  if (PyErr_WarnFormat(PyExc_ResourceWarning, 1, "a request of %s was never waited for",
                       self->name) != 0)
    PyErr_WriteUnraisable(object);
  PyErr_Restore(class, value, trace);
}

static void request_dealloc(PyObject* object) {
  request_finalize(object);
  PyTypeObject* type = Py_TYPE(object);
  Py_CLEAR(((core_request*)object)->value);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

static PyMethodDef methods[] = {{"wait", (PyCFunction)(void (*)(void))request_wait,
                                 METH_VARARGS | METH_KEYWORDS, TUTTI_TEXT_Request_wait},
                                {"test", request_test, METH_NOARGS, TUTTI_TEXT_Request_test},
                                {"cancel", request_cancel, METH_NOARGS, TUTTI_TEXT_Request_cancel},
                                {"start", request_start, METH_NOARGS, TUTTI_TEXT_Request_start},
                                {"free", request_free, METH_NOARGS, TUTTI_TEXT_Request_free},
                                {NULL, NULL, 0, NULL}};

bool core_add_request(PyObject* module) {
  static PyType_Slot slots[] = {
      {Py_tp_doc, TUTTI_TEXT_Request},         {Py_tp_methods, methods},
      {Py_tp_call, (void*)request_call},       {Py_tp_repr, (void*)request_repr},
      {Py_tp_dealloc, (void*)request_dealloc}, {0, NULL}};
  static PyType_Spec spec = {"tutti.Request", sizeof(core_request), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  request_type = (PyTypeObject*)PyType_FromSpec(&spec);
  return request_type != NULL &&
         PyModule_AddObjectRef(module, "Request", (PyObject*)request_type) == 0;
}
