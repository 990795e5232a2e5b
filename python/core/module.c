// SPDX-License-Identifier: BSD-3-Clause
// The extension module tutti._core: its functions and its classes.
#include "core.h"
#include "core_texts.h"

static PyObject* finalize(PyObject* module, PyObject* unused) {
  (void)module, (void)unused;
  if (!core_begin() || !core_end(tutti_finalize())) return NULL;
  Py_RETURN_NONE;
}

static PyObject* initialized(PyObject* module, PyObject* unused) {
  (void)module, (void)unused;
  return PyBool_FromLong(tutti_initialized());
}

static PyObject* launched(PyObject* module, PyObject* unused) {
  (void)module, (void)unused;
  return PyBool_FromLong(tutti_would_join());
}

static PyObject* abort_job(PyObject* module, PyObject* arguments) {
  int code = 0;
  const char* text = NULL;
  (void)module;
  if (PyArg_ParseTuple(arguments, "is", &code, &text) == 0) return NULL;
  tutti_abort(code, text);
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"finalize", finalize, METH_NOARGS, TUTTI_TEXT_finalize},
    {"initialized", initialized, METH_NOARGS, TUTTI_TEXT_initialized},
    {"launched", launched, METH_NOARGS, TUTTI_TEXT_launched},
    {"alloc", core_alloc, METH_O, TUTTI_TEXT_alloc},
    {"wait_any", core_wait_any, METH_VARARGS, TUTTI_TEXT_wait_any},
    {"register_generator", core_register_generator, METH_VARARGS, TUTTI_TEXT_register_generator},
    {"abort", abort_job, METH_VARARGS, TUTTI_TEXT_abort},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "tutti._core",
                                        "The parts of tutti that are written in C.",
                                        -1,
                                        functions,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL};

PyMODINIT_FUNC PyInit__core(void) {
  PyObject* module = PyModule_Create(&definition);
  if (module == NULL) return NULL;
  if (core_add_errors(module) && core_add_operator(module) && core_add_status(module) &&
      core_add_request(module) && core_add_plan(module) && core_add_group(module) &&
      PyModule_AddIntConstant(module, "ANY", TUTTI_ANY) == 0 &&
      PyModule_AddStringConstant(module, "version", tutti_version()) == 0)
    return module;
  Py_DECREF(module);
  return NULL;
}
