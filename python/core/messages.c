// SPDX-License-Identifier: BSD-3-Clause
// Messages between two ranks.
#include "core.h"
#include "core_texts.h"

static PyTypeObject* status_type = NULL;

bool core_add_status(PyObject* module) {
  // The last one is an attribute only, so that a status is a pair.
  static PyStructSequence_Field fields[] = {{"source", TUTTI_TEXT_Status_source},
                                            {"tag", TUTTI_TEXT_Status_tag},
                                            {"bytes", TUTTI_TEXT_Status_bytes},
                                            {NULL, NULL}};
  static PyStructSequence_Desc description = {"tutti.Status", TUTTI_TEXT_Status, fields, 2};
  status_type = PyStructSequence_NewType(&description);
  return status_type != NULL &&
         PyModule_AddObjectRef(module, "Status", (PyObject*)status_type) == 0;
}

PyObject* core_new_status(int source, int tag, Py_ssize_t bytes) {
  PyObject* status = PyStructSequence_New(status_type);
  if (status == NULL) return NULL;
  PyStructSequence_SetItem(status, 0, PyLong_FromLong(source));
  PyStructSequence_SetItem(status, 1, PyLong_FromLong(tag));
  PyStructSequence_SetItem(status, 2, PyLong_FromSsize_t(bytes));
  return status;
}

static const core_signature send_signature = {"send", 3, 2, {"data", "dest", "tag"}};
static const core_signature receive_signature = {"recv", 3, 1, {"out", "source", "tag"}};
static const core_signature probe_signature = {"probe", 3, 0, {"source", "tag", "timeout"}};

typedef struct {
  PyObject* data;
  int partner, tag;
} arguments;

static bool take_arguments(core_pending_kind kind, PyObject* const* given, Py_ssize_t count,
                           PyObject* names, arguments* message) {
  const bool sends = kind == CORE_SEND;
  PyObject* values[CORE_MOST_ARGUMENTS] = {NULL};
  message->partner = TUTTI_ANY;
  message->tag = sends ? 0 : TUTTI_ANY;
  if (!core_arguments(sends ? &send_signature : &receive_signature, given, count, names, values) ||
      !core_int(values[1], sends ? "dest" : "source", &message->partner) ||
      !core_int(values[2], "tag", &message->tag))
    return false;
  message->data = values[0];
  return values[0] != NULL || core_refuse("%s is None", sends ? "data" : "out") != NULL;
}

static PyObject* send_now(PyObject* self, PyObject* const* given, Py_ssize_t count,
                          PyObject* names) {
  arguments message;
  core_operand operand = {.kind = CORE_NOTHING};
  if (!take_arguments(CORE_SEND, given, count, names, &message) ||
      !core_operand_of(message.data, "data", false, true, &operand))
    return NULL;
  core_describe(&operand);
  const tutti_group group = ((core_group*)self)->group;
  const bool done =
      core_begin() && core_end(tutti_send(group, &operand.data, message.partner, message.tag));
  core_release(&operand);
  return done ? Py_NewRef(Py_None) : NULL;
}

static PyObject* receive_now(PyObject* self, PyObject* const* given, Py_ssize_t count,
                             PyObject* names) {
  arguments message;
  int from = TUTTI_ANY, with = TUTTI_ANY;
  core_operand operand = {.kind = CORE_NOTHING};
  if (!take_arguments(CORE_RECEIVE, given, count, names, &message) ||
      !core_operand_of(message.data, "out", true, true, &operand))
    return NULL;
  core_describe(&operand);
  const tutti_group group = ((core_group*)self)->group;
  const bool done =
      core_begin() &&
      core_end(tutti_receive(group, &operand.data, message.partner, message.tag, &from, &with)) &&
      core_unpack(&operand);
  const Py_ssize_t bytes = operand.kind == CORE_BUFFER ? operand.view.len : 0;
  core_release(&operand);
  return done ? core_new_status(from, with, bytes) : NULL;
}

static PyObject* probe(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  PyObject* values[CORE_MOST_ARGUMENTS] = {NULL};
  int source = TUTTI_ANY, tag = TUTTI_ANY;
  double seconds = -1;
  int64_t bytes = 0;
  if (!core_arguments(&probe_signature, given, count, names, values) ||
      !core_int(values[0], "source", &source) || !core_int(values[1], "tag", &tag) ||
      !core_seconds(values[2], &seconds) || !core_begin())
    return NULL;
  const tutti_group group = ((core_group*)self)->group;
  const tutti_status status = tutti_probe_for(group, source, tag, seconds, &source, &tag, &bytes);
  const bool in_time = status != TUTTI_WOULD_WAIT;
  if (!core_end(in_time ? status : TUTTI_OK)) return NULL;
  if (!in_time) Py_RETURN_NONE;
  return core_new_status(source, tag, (Py_ssize_t)bytes);
}

static bool start(const core_group* group, core_pending* pending, const arguments* message) {
  core_operand* operand = &pending->call.input;
  core_describe(operand);
  if (!core_begin()) return false;
  const tutti_status status =
      pending->kind == CORE_SEND
          ? tutti_isend(group->group, &operand->data, message->partner, message->tag,
                        &pending->request)
          : tutti_ireceive(group->group, &operand->data, message->partner, message->tag,
                           &pending->from, &pending->with, &pending->request);
  pending->in_flight = true;
  return core_end(status);
}

static PyObject* start_message(PyObject* self, core_pending_kind kind, PyObject* const* given,
                               Py_ssize_t count, PyObject* names) {
  const bool sends = kind == CORE_SEND;
  arguments message;
  if (!take_arguments(kind, given, count, names, &message)) return NULL;
  core_pending* pending = core_new_pending();
  if (pending == NULL) return NULL;
  pending->kind = kind;
  if (core_operand_of(message.data, sends ? "data" : "out", !sends, false, &pending->call.input) &&
      start((core_group*)self, pending, &message))
    return core_new_request(pending, sends ? "send" : "recv");
  core_drop_pending(pending);
  return NULL;
}

static PyObject* send_started(PyObject* self, PyObject* const* given, Py_ssize_t count,
                              PyObject* names) {
  return start_message(self, CORE_SEND, given, count, names);
}
static PyObject* receive_started(PyObject* self, PyObject* const* given, Py_ssize_t count,
                                 PyObject* names) {
  return start_message(self, CORE_RECEIVE, given, count, names);
}

enum { FLAGS = METH_FASTCALL | METH_KEYWORDS };
#define METHOD(function) ((PyCFunction)(void (*)(void))(function))
const PyMethodDef core_message_methods[] = {
    {"send", METHOD(send_now), FLAGS, TUTTI_TEXT_Group_send},
    {"recv", METHOD(receive_now), FLAGS, TUTTI_TEXT_Group_recv},
    {"isend", METHOD(send_started), FLAGS, TUTTI_TEXT_Group_isend},
    {"irecv", METHOD(receive_started), FLAGS, TUTTI_TEXT_Group_irecv},
    {"probe", METHOD(probe), FLAGS, TUTTI_TEXT_Group_probe},
    {NULL, NULL, 0, NULL}};
