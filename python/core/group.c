// SPDX-License-Identifier: BSD-3-Clause
// The class Group, and the calls that make groups.
#include <string.h>

#include "core.h"
#include "core_texts.h"

static PyObject* group_type = NULL;

// Makes an object of the class of another one, or of a subclass that Python code has made.
static PyObject* new_group(PyTypeObject* type, tutti_group group) {
  if (group.id == 0) Py_RETURN_NONE;
  const allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  core_group* self = (core_group*)allocate(type, 0);
  if (self == NULL) return NULL;
  self->group = group;
  self->rank = tutti_rank(group);
  self->size = tutti_size(group);
  return (PyObject*)self;
}

static PyObject* refuse_new(PyTypeObject* type, PyObject* arguments, PyObject* names) {
  (void)type, (void)arguments, (void)names;
  PyErr_SetString(PyExc_TypeError,
                  "groups are made by tutti.world and by the methods of other groups");
  return NULL;
}

static PyObject* group_world(PyObject* class, PyObject* unused) {
  (void)unused;
  if (!core_join()) return NULL;
  return new_group((PyTypeObject*)class, tutti_world());
}

static PyObject* made(PyObject* self, tutti_status status, const tutti_group* group) {
  return core_end(status) ? new_group(Py_TYPE(self), *group) : NULL;
}

static PyObject* group_split(PyObject* self, PyObject* arguments, PyObject* names) {
  static char* words[] = {"color", "key", NULL};
  PyObject* color = NULL;
  int key = 0, chosen = -1;
  tutti_group group;
  if (PyArg_ParseTupleAndKeywords(arguments, names, "O|i", words, &color, &key) == 0) return NULL;
  if (color != Py_None && !core_int(color, "color", &chosen)) return NULL;
  if (color != Py_None && chosen < 0)
    return core_refuse("color is %d; a rank without a group gives None", chosen);
  if (!core_begin()) return NULL;
  return made(self, tutti_group_split(((core_group*)self)->group, chosen, key, &group), &group);
}

static PyObject* group_create(PyObject* self, PyObject* list) {
  tutti_group group;
  const Py_ssize_t count = PySequence_Size(list);
  int64_t* wide = count < 0 ? NULL : core_int64s(list, "ranks", -1, 1);
  if (wide == NULL) return NULL;
  int* ranks = PyMem_Calloc((size_t)count + 1, sizeof *ranks);
  if (ranks == NULL) {
    PyMem_Free(wide);
    return PyErr_NoMemory();
  }
  for (Py_ssize_t i = 0; i < count; ++i) ranks[i] = (int)wide[i];
  PyMem_Free(wide);
  PyObject* result = NULL;
  if (core_begin()) {
    result = made(self, tutti_group_create(((core_group*)self)->group, (int)count, ranks, &group),
                  &group);
  }
  PyMem_Free(ranks);
  return result;
}

static PyObject* group_dup(PyObject* self, PyObject* unused) {
  tutti_group group;
  (void)unused;
  if (!core_begin()) return NULL;
  return made(self, tutti_group_dup(((core_group*)self)->group, &group), &group);
}

static PyObject* group_mesh(PyObject* self, PyObject* arguments, PyObject* names) {
  static char* words[] = {"rows", "columns", NULL};
  int rows = 0, columns = 0;
  tutti_group row, column;
  if (PyArg_ParseTupleAndKeywords(arguments, names, "ii", words, &rows, &columns) == 0) return NULL;
  if (!core_begin()) return NULL;
  if (!core_end(tutti_group_mesh(((core_group*)self)->group, rows, columns, &row, &column)))
    return NULL;
  PyObject* first = new_group(Py_TYPE(self), row);
  PyObject* second = new_group(Py_TYPE(self), column);
  PyObject* both = first != NULL && second != NULL ? PyTuple_Pack(2, first, second) : NULL;
  Py_XDECREF(first);
  Py_XDECREF(second);
  return both;
}

static PyObject* group_free(PyObject* self, PyObject* unused) {
  (void)unused;
  if (!core_begin() || !core_end(tutti_group_free(((core_group*)self)->group))) return NULL;
  Py_RETURN_NONE;
}

static PyObject* group_repr(PyObject* self) {
  const core_group* group = (core_group*)self;
  return PyUnicode_FromFormat("<tutti.Group, rank %d of %d>", group->rank, group->size);
}

static PyObject* ranks_in(PyObject* self, tutti_group other) {
  const core_group* group = (core_group*)self;
  int* ranks = PyMem_Calloc((size_t)group->size + 1, sizeof *ranks);
  if (ranks == NULL) return PyErr_NoMemory();
  PyObject* list = NULL;
  if (core_begin() && core_end(tutti_group_members(group->group, other, ranks)))
    list = PyList_New(group->size);
  for (int i = 0; list != NULL && i < group->size; ++i) {
    PyObject* rank = PyLong_FromLong(ranks[i]);
    if (rank == NULL || PyList_SetItem(list, i, rank) != 0) Py_CLEAR(list);
  }
  PyMem_Free(ranks);
  return list;
}

static PyObject* group_ranks_in(PyObject* self, PyObject* other) {
  if (PyObject_IsInstance(other, group_type) == 1)
    return ranks_in(self, ((core_group*)other)->group);
  PyErr_Format(PyExc_TypeError, "ranks_in() needs a group, not %R", other);
  return NULL;
}

static PyObject* group_members(PyObject* self, void* unused) {
  (void)unused;
  return ranks_in(self, tutti_world());
}

static const PyMethodDef life[] = {
    {"_world", group_world, METH_NOARGS | METH_CLASS, TUTTI_TEXT_Group__world},
    {"split", (PyCFunction)(void (*)(void))group_split, METH_VARARGS | METH_KEYWORDS,
     TUTTI_TEXT_Group_split},
    {"create", group_create, METH_O, TUTTI_TEXT_Group_create},
    {"dup", group_dup, METH_NOARGS, TUTTI_TEXT_Group_dup},
    {"mesh", (PyCFunction)(void (*)(void))group_mesh, METH_VARARGS | METH_KEYWORDS,
     TUTTI_TEXT_Group_mesh},
    {"free", group_free, METH_NOARGS, TUTTI_TEXT_Group_free},
    {"ranks_in", group_ranks_in, METH_O, TUTTI_TEXT_Group_ranks_in},
    {"plan", (PyCFunction)(void (*)(void))core_make_plan, METH_VARARGS | METH_KEYWORDS,
     TUTTI_TEXT_Group_plan},
};

// Appends methods to a list, up to the one without a name.
static int append(PyMethodDef* all, int count, const PyMethodDef* more) {
  while (more->ml_name != NULL) all[count++] = *more++;
  return count;
}

bool core_add_group(PyObject* module) {
  enum { most = 64, own = sizeof life / sizeof *life };
  static PyMethodDef methods[most];  // the last one has no name
  memcpy(methods, life, sizeof life);
  append(methods, append(methods, own, core_collective_methods), core_message_methods);
  static PyMemberDef members[] = {
      {"rank", T_INT, offsetof(core_group, rank), READONLY, TUTTI_TEXT_Group_rank},
      {"size", T_INT, offsetof(core_group, size), READONLY, TUTTI_TEXT_Group_size},
      {NULL, 0, 0, 0, NULL}};
  static PyGetSetDef fields[] = {{"members", group_members, NULL, TUTTI_TEXT_Group_members, NULL},
                                 {NULL, NULL, NULL, NULL, NULL}};
  static PyType_Slot slots[] = {{Py_tp_methods, methods},        {Py_tp_members, members},
                                {Py_tp_getset, fields},          {Py_tp_new, (void*)refuse_new},
                                {Py_tp_repr, (void*)group_repr}, {0, NULL}};
  static PyType_Spec spec = {"tutti._core.Group", sizeof(core_group), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  group_type = PyType_FromSpec(&spec);
  return group_type != NULL && PyModule_AddObjectRef(module, "Group", group_type) == 0;
}
