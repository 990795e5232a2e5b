// SPDX-License-Identifier: BSD-3-Clause
// What the files of the extension module tutti._core know of each other. The module keeps to
// Python's Limited API, so that one file serves Python 3.11 and every later version.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <structmember.h>
#include <tutti/tutti.h>

// ---- entry.c: calls of the library ----

// begin() marks the start of a call of the library and releases Python's lock. It returns false,
// with an exception set, if this process is inside a call already. end() takes the lock again. It
// turns a status that is no success into an exception and returns false then. An exception that a
// signal handler or an operator has raised meanwhile comes first.
bool core_begin(void);
bool core_end(tutti_status status);
// Code between these two calls holds Python's lock inside of a call of the library.
void core_lock(void);
void core_unlock(void);
// Joins the job, unless this process has done so.
bool core_join(void);
// Returns true if this process is inside a call of the library.
bool core_is_inside(void);

// ---- errors.c: exceptions ----

bool core_add_errors(PyObject* module);
PyObject* core_class_of(tutti_status status);
void core_raise(tutti_status status);
// Raises tutti.InvalidArgument with a text. Returns NULL.
PyObject* core_refuse(const char* format, ...);

// ---- arguments.c: arguments of calls ----

enum { CORE_MOST_ARGUMENTS = 6 };
typedef struct {
  const char* call;
  int count, needed;  // parameters, and how many of them must be given
  const char* names[CORE_MOST_ARGUMENTS];
} core_signature;
// Puts the arguments of a call (METH_FASTCALL | METH_KEYWORDS) at the places of their names. Those
// that are not given, or are None, are NULL.
bool core_arguments(const core_signature* signature, PyObject* const* given, Py_ssize_t count,
                    PyObject* names, PyObject** values);
// Converts an integer of at most 64 bits. An exception names the argument.
bool core_wide(PyObject* value, const char* name, long long* number);
// Converts an integer. A NULL leaves `*number` as it is.
bool core_int(PyObject* value, const char* name, int* number);
// Converts a time in seconds. A NULL means for ever, which is -1 for the library.
bool core_seconds(PyObject* value, double* seconds);
// Converts a sequence of integers. The caller frees the result, which has at least one element.
// `factor` multiplies each of them.
int64_t* core_int64s(PyObject* values, const char* name, Py_ssize_t wanted, int64_t factor);

// ---- elements.c: what a buffer consists of ----

typedef struct {
  tutti_type type;
  int factor;     // elements of tutti in an element of the buffer: its bytes, or 1
  bool combines;  // the library can combine such elements
} core_element;
// Describes an element of the format in Python's words (struct module, PEP 3118). Returns false,
// with a TypeError, if such elements cannot be sent.
bool core_element_of(const char* format, Py_ssize_t bytes, core_element* element);
bool core_same_elements(const char* left, const char* right);
// Raises the TypeError for elements of this object that no operator combines.
void core_refuse_combine(const char* call, PyObject* object, const char* format);
// Finds a type by its name, such as "float64". Returns the format, or NULL with a TypeError.
const char* core_type_named(const char* name, core_element* element, Py_ssize_t* bytes);

// ---- operand.c: the input or the output of a call ----

typedef enum { CORE_NOTHING = 0, CORE_BUFFER, CORE_NUMBER, CORE_NUMBERS } core_kind;
typedef struct {
  core_kind kind;
  PyObject* object;  // what the program has given; not kept
  char number;       // CORE_NUMBER, CORE_NUMBERS: 'q', 'd' or 'Z', the format
  bool truth;        // CORE_NUMBER, CORE_NUMBERS: Python's numbers are all True or False
  Py_ssize_t lists;  // CORE_NUMBERS: how many lists Python gets in one; 0: a list of numbers
  core_element element;
  Py_ssize_t items;    // elements in Python's sense
  Py_buffer view;      // CORE_BUFFER
  void* tensor;        // the tensor behind `view`, if DLPack has given it
  void* memory;        // a copy of a buffer, or the memory of CORE_NUMBERS; NULL if there is none
  bool shares_memory;  // `memory` belongs to the other operand of the call
  union {
    long long integer;
    double real[2];
  } value;          // CORE_NUMBER
  tutti_data data;  // for the library
} core_operand;
// The operand of a Python object. With `may_pack`, a buffer that the library cannot describe is
// copied; otherwise it is refused. `writable` operands are outputs.
bool core_operand_of(PyObject* object, const char* name, bool writable, bool may_pack,
                     core_operand* operand);
// Describes the operand as a vector of bytes or elements in `data`. It must be called where the
// operand lies for good.
void core_describe(core_operand* operand);
// Returns true for numbers, dates and the like of NumPy that are no arrays.
bool core_is_scalar(PyObject* object);
// Returns an array without axes that has the value of such a scalar and can be written.
PyObject* core_array_of_scalar(PyObject* scalar);
// Puts a packed output back in its place.
bool core_unpack(core_operand* operand);
void core_release(core_operand* operand);
// ---- dlpack.c: arrays without a buffer ----

bool core_has_dlpack(PyObject* object);
// Both leave `kind` as CORE_NOTHING if there is nothing to release.
bool core_take_dlpack(PyObject* object, const char* name, core_operand* operand);
void core_release_dlpack(core_operand* operand);

// ---- operand.c, continued ----

// A new object like this one, with these dimensions; by tutti._arrays.
PyObject* core_new_like(PyObject* like, int dimensions, const Py_ssize_t* shape);
// The name of the type of an array's elements, such as "float64", as a text of Python.
PyObject* core_type_name(PyObject* object, const char* format);

// ---- numbers.c: numbers of Python, and lists of them ----

bool core_is_number(PyObject* object);
bool core_is_list(PyObject* object);
bool core_take_number(PyObject* object, const char* name, core_operand* operand);
bool core_take_list(PyObject* list, const char* name, core_operand* operand);
// An operand for as many numbers of this kind: one, or a list of them.
bool core_operand_of_numbers(char number, Py_ssize_t count, bool single, core_operand* operand);
// The value of an operand of numbers: a number, or a list.
PyObject* core_number_of(const core_operand* operand);

// ---- mean.c ----

bool core_has_mean(tutti_type type);
// Divides each element, which is of a type that has a mean.
void core_divide(core_operand* operand, int by);

// ---- operator.c ----

extern PyTypeObject* core_operator_type;
bool core_add_operator(PyObject* module);
// The operator of an argument: one of tutti's, its name, or a function of NumPy. NULL means the
// sum.
// `*mean` says whether the result is to be divided by the number of ranks.
bool core_op_of(PyObject* value, tutti_op* op, bool* mean);
// Called after a failed call with this operator, which may be NULL. If its function has failed on
// this rank, the exception of the function takes the place of OperatorFailed.
void core_explain(PyObject* op);

// ---- call.c: collective calls ----

typedef enum {
  CORE_BARRIER = TUTTI_OP_BARRIER,
  CORE_BCAST = TUTTI_OP_BROADCAST,
  CORE_REDUCE = TUTTI_OP_REDUCE,
  CORE_ALLREDUCE = TUTTI_OP_ALLREDUCE,
  CORE_SCATTER = TUTTI_OP_SCATTER,
  CORE_GATHER = TUTTI_OP_GATHER,
  CORE_ALLGATHER = TUTTI_OP_ALLGATHER,
  CORE_REDUCE_SCATTER = TUTTI_OP_REDUCE_SCATTER,
  CORE_ALLTOALL = TUTTI_OP_ALLTOALL,
  CORE_SCAN = TUTTI_OP_SCAN,
  CORE_EXSCAN = TUTTI_OP_EXSCAN,
  CORE_OPERATIONS
} core_operation;
typedef enum { CORE_NOW = 0, CORE_STARTED, CORE_PREPARED } core_way;
typedef struct {
  PyObject *input, *out, *op, *counts;
  int root;
} core_given;
typedef struct {
  core_operation operation;
  tutti_group group;
  int rank, size, root;
  core_way way;
  bool planned;  // a plan runs it, whose ranks all know all counts
  bool counted;  // the program gives counts
  bool made;     // the output is a new object
  bool mean;     // the result is divided by the number of ranks
  bool scalar;   // the data are a scalar of NumPy, and so is a result without axes
  tutti_op op;
  PyObject* op_object;  // kept while the call lasts
  PyObject* array;      // the same for the array that a scalar of NumPy becomes
  core_operand input, output;
  int64_t *input_counts, *output_counts;
  PyObject* result;  // the object that the call returns; NULL: numbers, or None
} core_call;
// Takes the arguments of a collective apart. Without success, nothing must be released.
bool core_given_of(core_operation operation, PyObject* const* given, Py_ssize_t count,
                   PyObject* names, core_given* result);
const char* core_name_of(core_operation operation);
// Prepares a call whose group, operation, way and `planned` are set. The call does not move
// afterwards.
bool core_prepare(core_call* call, const core_given* arguments);
// The value that the finished call returns.
PyObject* core_result(core_call* call);
void core_clear_call(core_call* call);

// ---- run.c ----

tutti_status core_run(const core_call* call, tutti_request* request);

// ---- group.c, collectives.c, messages.c, plan.c ----

typedef struct {
  PyObject_HEAD tutti_group group;
  int rank, size;
} core_group;
typedef PyObject* (*core_method)(PyObject* self, PyObject* const* given, Py_ssize_t count,
                                 PyObject* names);
bool core_add_group(PyObject* module);
bool core_add_plan(PyObject* module);
extern const PyMethodDef core_collective_methods[];
extern const PyMethodDef core_message_methods[];
PyObject* core_make_plan(PyObject* self, PyObject* arguments, PyObject* names);
bool core_add_status(PyObject* module);
PyObject* core_new_status(int source, int tag, Py_ssize_t bytes);

// Finds the operation of a name such as "allreduce". Raises tutti.InvalidArgument if there is none.
bool core_operation_named(const char* name, core_operation* operation);

// ---- memory.c ----

// alloc(bytes): a memoryview of memory of tutti_alloc.
PyObject* core_alloc(PyObject* module, PyObject* value);
// Frees what could not be freed when its last reference went. Not inside of a call.
void core_free_left_over(void);

// ---- generator.c ----

// register_generator(name, operation, about, object, has_needs, commutative, separate, candidate)
PyObject* core_register_generator(PyObject* module, PyObject* arguments);

// ---- request.c: what has been started ----

typedef enum { CORE_COLLECTIVE = 0, CORE_SEND, CORE_RECEIVE } core_pending_kind;
// What a request needs until it is done. A request that its program has forgotten leaves it behind.
typedef struct core_pending {
  struct core_pending* next;
  tutti_request request;
  core_pending_kind kind;
  core_call call;  // CORE_COLLECTIVE; its `input` is the data of a message
  int from, with;  // CORE_RECEIVE
  bool in_flight;
} core_pending;
bool core_add_request(PyObject* module);
core_pending* core_new_pending(void);
void core_free_pending(core_pending* pending);
// Frees what an operation needs, or keeps it while the operation is in flight.
void core_drop_pending(core_pending* pending);
// The Request of a collective that was started or prepared, or NULL if that has failed.
PyObject* core_finish_start(core_pending* pending, core_way way, bool made);
// A Request for what has been started or prepared. It takes over the pending operation.
PyObject* core_new_request(core_pending* pending, const char* name);
// wait_any(list of requests, seconds or None): the place of one that is done, or None.
PyObject* core_wait_any(PyObject* module, PyObject* arguments);
