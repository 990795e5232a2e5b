// SPDX-License-Identifier: BSD-3-Clause
// A class of exceptions for each status of the library. tutti.Error is the base of all.
#include <stdarg.h>

#include "core.h"

typedef struct {
  tutti_status status;
  const char *name, *text;
  PyObject** also;  // a class of Python's that says the same; NULL if there is none
  PyObject* class;
} kind;

static kind kinds[] = {
    {TUTTI_INVALID_ARGUMENT, "InvalidArgument", "An argument is wrong. The job is usable.",
     &PyExc_ValueError, NULL},
    {TUTTI_NOT_INITIALIZED, "NotInitialized", "This process has not joined the job, or has left.",
     NULL, NULL},
    {TUTTI_STALE_HANDLE, "StaleHandle", "The group, plan, operator or request was freed.", NULL,
     NULL},
    {TUTTI_NOT_A_MEMBER, "NotAMember", "This process is no member of the group.", NULL, NULL},
    {TUTTI_NO_SUCH_PLAN, "NoSuchPlan", "No algorithm has that name or serves that call.",
     &PyExc_LookupError, NULL},
    {TUTTI_MISMATCH, "Mismatch", "The ranks made different calls. The job is not usable any more.",
     NULL, NULL},
    {TUTTI_OUT_OF_MEMORY, "OutOfMemory", "There is not enough memory.", &PyExc_MemoryError, NULL},
    {TUTTI_NO_SLOT, "NoSlot", "The job has no place for another task.", NULL, NULL},
    {TUTTI_JOB_ENDED, "JobEnded", "The job has ended.", NULL, NULL},
    {TUTTI_PEER_LEFT, "PeerLeft", "A process that is needed has left.", &PyExc_ConnectionError,
     NULL},
    {TUTTI_SYSTEM_ERROR, "SystemRefused", "The operating system refused something.", &PyExc_OSError,
     NULL},
    {TUTTI_BAD_ENVIRONMENT, "BadEnvironment", "A variable of the environment has a wrong value.",
     &PyExc_ValueError, NULL},
    {TUTTI_TRUNCATED, "Truncated", "A message is longer than the memory for it.", NULL, NULL},
    {TUTTI_WOULD_WAIT, "WouldWait", "The call would have to wait.", &PyExc_BlockingIOError, NULL},
    {TUTTI_WRONG_THREAD, "WrongThread", "Another thread is inside a call.", NULL, NULL},
    {TUTTI_OPERATOR_FAILED, "OperatorFailed",
     "The function of an operator has failed on another rank. The job is usable.", NULL, NULL},
};
static PyObject* base = NULL;  // tutti.Error

static bool add_class(PyObject* module, PyObject** class, const char* name, const char* text,
                      PyObject* bases) {
  char full[64];
  PyOS_snprintf(full, sizeof full, "tutti.%s", name);
  *class = PyErr_NewExceptionWithDoc(full, text, bases, NULL);
  return *class != NULL && PyModule_AddObjectRef(module, name, *class) == 0;
}

bool core_add_errors(PyObject* module) {
  if (!add_class(module, &base, "Error", "A call of tutti has failed.", PyExc_RuntimeError))
    return false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    kind* one = &kinds[i];
    PyObject* bases = one->also == NULL ? PyTuple_Pack(1, base) : PyTuple_Pack(2, base, *one->also);
    const bool added = bases != NULL && add_class(module, &one->class, one->name, one->text, bases);
    Py_XDECREF(bases);
    if (!added) return false;
  }
  return true;
}

PyObject* core_class_of(tutti_status status) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (kinds[i].status == status) return kinds[i].class;
  return base;
}

void core_raise(tutti_status status) {
  const char* text = tutti_error_text();
  // This status is an answer, which may have no text of its own.
  if (text[0] == '\0' || status == TUTTI_WOULD_WAIT) text = tutti_strerror(status);
  PyErr_SetString(core_class_of(status), text);
}

PyObject* core_refuse(const char* format, ...) {
  va_list values;
  va_start(values, format);
  PyErr_FormatV(core_class_of(TUTTI_INVALID_ARGUMENT), format, values);
  va_end(values);
  return NULL;
}
