// SPDX-License-Identifier: BSD-3-Clause
// Prepares a collective call: which operands this rank has, the counts, and the new object for the
// result where the program gives none.
#include <string.h>

#include "core.h"

enum { INPUT = 1, OUT, OP, ROOT, COUNTS };  // what a parameter is

typedef struct {
  core_signature signature;
  int parameters[CORE_MOST_ARGUMENTS];
  bool combines, rooted;
} shape_of_call;

static const shape_of_call calls[CORE_OPERATIONS] = {
    [CORE_BARRIER] = {{"barrier", 0, 0, {NULL}}, {0}, false, false},
    [CORE_BCAST] = {{"bcast", 2, 1, {"data", "root"}}, {INPUT, ROOT}, false, true},
    [CORE_REDUCE] = {{"reduce", 4, 1, {"input", "out", "op", "root"}},
                     {INPUT, OUT, OP, ROOT},
                     true,
                     true},
    [CORE_ALLREDUCE] = {{"allreduce", 3, 1, {"input", "out", "op"}}, {INPUT, OUT, OP}, true, false},
    [CORE_GATHER] = {{"gather", 4, 1, {"input", "out", "root", "counts"}},
                     {INPUT, OUT, ROOT, COUNTS},
                     false,
                     true},
    [CORE_SCATTER] = {{"scatter", 4, 2, {"input", "out", "root", "counts"}},
                      {INPUT, OUT, ROOT, COUNTS},
                      false,
                      true},
    [CORE_ALLGATHER] = {{"allgather", 3, 1, {"input", "out", "counts"}},
                        {INPUT, OUT, COUNTS},
                        false,
                        false},
    [CORE_REDUCE_SCATTER] = {{"reduce_scatter", 4, 1, {"input", "out", "op", "counts"}},
                             {INPUT, OUT, OP, COUNTS},
                             true,
                             false},
    [CORE_ALLTOALL] = {{"alltoall", 3, 1, {"input", "out", "counts"}},
                       {INPUT, OUT, COUNTS},
                       false,
                       false},
    [CORE_SCAN] = {{"scan", 3, 1, {"input", "out", "op"}}, {INPUT, OUT, OP}, true, false},
    [CORE_EXSCAN] = {{"exscan", 3, 1, {"input", "out", "op"}}, {INPUT, OUT, OP}, true, false},
};

const char* core_name_of(core_operation operation) {
  return calls[operation].signature.call;
}

bool core_given_of(core_operation operation, PyObject* const* given, Py_ssize_t count,
                   PyObject* names, core_given* result) {
  const shape_of_call* shape = &calls[operation];
  PyObject* values[CORE_MOST_ARGUMENTS] = {NULL};
  if (!core_arguments(&shape->signature, given, count, names, values)) return false;
  PyObject* slots[COUNTS + 1] = {NULL};
  for (int i = 0; i < shape->signature.count; ++i) slots[shape->parameters[i]] = values[i];
  *result = (core_given){slots[INPUT], slots[OUT], slots[OP], slots[COUNTS], 0};
  return core_int(slots[ROOT], "root", &result->root);
}

static bool is_root(const core_call* call) {
  return call->rank == call->root;
}
static bool needs_input(const core_call* call) {
  if (call->operation == CORE_BARRIER || call->operation == CORE_BCAST) return false;
  return call->operation != CORE_SCATTER || is_root(call);
}
static bool needs_output(const core_call* call) {
  if (call->operation == CORE_BARRIER) return false;
  return (call->operation != CORE_REDUCE && call->operation != CORE_GATHER) || is_root(call);
}

// The length of the first axis, and the elements of one row.
static Py_ssize_t rows_of(const core_operand* operand) {
  if (operand->kind == CORE_NUMBERS) return operand->items;
  return operand->kind == CORE_BUFFER && operand->view.ndim > 0 ? operand->view.shape[0] : 1;
}
static Py_ssize_t row_items(const core_operand* operand) {
  Py_ssize_t items = 1;
  if (operand->kind != CORE_BUFFER) return items;
  for (int i = 1; i < operand->view.ndim; ++i) items *= operand->view.shape[i];
  return items;
}

static int64_t* counts_of(const core_call* call, PyObject* counts, const char* name,
                          const core_operand* side) {
  return core_int64s(counts, name, call->size, (int64_t)row_items(side) * side->element.factor);
}

// Counts are rows in Python and elements in the library. Only ranks that have the whole vector give
// counts to scatter and gather.
static bool take_counts(core_call* call, PyObject* counts) {
  const core_operand* side = call->input.kind != CORE_NOTHING ? &call->input : &call->output;
  if (counts == NULL || call->operation == CORE_BCAST) return true;
  if (call->operation != CORE_ALLTOALL) {
    const bool whole_input =
        call->operation == CORE_SCATTER || call->operation == CORE_REDUCE_SCATTER;
    int64_t** place = whole_input ? &call->input_counts : &call->output_counts;
    *place = counts_of(call, counts, "counts", side);
    return *place != NULL;
  }
  if (PyTuple_Check(counts) == 0 || PyTuple_Size(counts) != 2) {
    PyErr_SetString(PyExc_TypeError, "counts of alltoall must be a tuple of two lists");
    return false;
  }
  call->input_counts = counts_of(call, PyTuple_GetItem(counts, 0), "counts[0]", side);
  if (call->input_counts == NULL) return false;
  call->output_counts = counts_of(call, PyTuple_GetItem(counts, 1), "counts[1]", side);
  return call->output_counts != NULL;
}

// The rows of a new output that `counts` describe.
static Py_ssize_t counted_rows(const core_call* call) {
  const core_operand* side = &call->input;
  const int64_t row = (int64_t)row_items(side) * side->element.factor;
  if (row == 0) return 0;
  if (call->operation == CORE_REDUCE_SCATTER)
    return (Py_ssize_t)(call->input_counts[call->rank] / row);
  int64_t sum = 0;
  for (int r = 0; r < call->size; ++r) sum += call->output_counts[r];
  return (Py_ssize_t)(sum / row);
}

// Writes the dimensions of an operand, and returns their number.
static int shape_of(const core_operand* operand, Py_ssize_t* shape) {
  if (operand->kind == CORE_NUMBERS) {
    shape[0] = operand->items;
    return 1;
  }
  const int dimensions = operand->kind == CORE_BUFFER ? operand->view.ndim : 0;
  if (dimensions > 0) memcpy(shape, operand->view.shape, (size_t)dimensions * sizeof *shape);
  return dimensions;
}

// Writes the dimensions of a new output. Returns their number; -1 with an exception.
static int new_shape(const core_call* call, Py_ssize_t* shape) {
  const core_operand* input = &call->input;
  const int dimensions = shape_of(input, shape);
  const bool gathers = call->operation == CORE_GATHER || call->operation == CORE_ALLGATHER;
  const bool counted = call->input_counts != NULL || call->output_counts != NULL;
  if (counted) {
    shape[0] = counted_rows(call);
    return dimensions > 0 ? dimensions : 1;
  }
  if (gathers) {
    memmove(shape + 1, shape, (size_t)dimensions * sizeof *shape);
    shape[0] = call->size;
    return dimensions + 1;
  }
  if (call->operation != CORE_REDUCE_SCATTER) return dimensions;
  if (rows_of(input) % call->size != 0 || (dimensions == 0 && call->size > 1)) {
    core_refuse("input has %zd rows, which %d ranks cannot share equally", rows_of(input),
                call->size);
    return -1;
  }
  if (dimensions > 0) shape[0] /= call->size;
  return dimensions;
}

// Makes a new output for numbers: a number, a list, or a list of lists.
static bool new_numbers(core_call* call, int dimensions, const Py_ssize_t* shape) {
  Py_ssize_t count = 1;
  for (int i = 0; i < dimensions; ++i) count *= shape[i];
  call->output.value = call->input.value;
  if (!core_operand_of_numbers(call->input.number, count, dimensions == 0, &call->output))
    return false;
  if (dimensions > 1) call->output.lists = shape[0];
  call->output.truth = call->input.truth && !calls[call->operation].combines;
  return true;
}

static bool new_output(core_call* call, PyObject* like) {
  call->made = true;
  enum { most = 65 };
  Py_ssize_t shape[most];
  const int dimensions = new_shape(call, shape);
  if (dimensions < 0) return false;
  if (call->input.kind != CORE_BUFFER) return new_numbers(call, dimensions, shape);
  call->result = core_new_like(like, dimensions, shape);
  return call->result != NULL &&
         core_operand_of(call->result, "out", true, call->way == CORE_NOW, &call->output);
}

// Two operands that are the same elements in memory must stay one when they are packed.
static void share_memory(core_call* call) {
  const core_operand* input = &call->input;
  core_operand* output = &call->output;
  if (input->kind != CORE_BUFFER || output->kind != CORE_BUFFER || input->memory == NULL ||
      output->memory == NULL || input->view.buf != output->view.buf ||
      input->view.len != output->view.len || input->view.ndim != output->view.ndim)
    return;
  const size_t bytes = (size_t)input->view.ndim * sizeof *input->view.strides;
  if (memcmp(input->view.strides, output->view.strides, bytes) != 0) return;
  PyMem_Free(output->memory);
  output->memory = input->memory;
  output->shares_memory = true;
}

static bool take_output(core_call* call, const core_given* given) {
  if (given->out == NULL) {
    if (call->operation != CORE_SCATTER) return new_output(call, given->input);
    PyErr_SetString(PyExc_TypeError, "scatter() needs the argument 'out'");
    return false;
  }
  call->result = Py_NewRef(given->out);
  if (!core_operand_of(given->out, "out", true, call->way == CORE_NOW, &call->output)) return false;
  share_memory(call);
  return true;
}

// The data of a broadcast are input at the root and output elsewhere. Numbers and lists are copied.
static bool take_data(core_call* call, PyObject* data) {
  if (data == NULL) return core_refuse("data is None") != NULL;
  const bool number = core_is_number(data) || core_is_list(data);
  if (!number) call->result = Py_NewRef(data);
  return core_operand_of(data, "data", !number && !is_root(call), call->way == CORE_NOW,
                         &call->output);
}

static bool take_operands(core_call* call, const core_given* given) {
  const bool may_pack = call->way == CORE_NOW;
  if (call->operation == CORE_BCAST) return take_data(call, given->input);
  if (needs_input(call)) {
    if (given->input == NULL) return core_refuse("input is None") != NULL;
    if (!core_operand_of(given->input, "input", false, may_pack, &call->input)) return false;
  }
  // A new output needs the counts, and the counts of a scatter need the output's rows.
  const bool counts_first = given->out == NULL && call->input.kind != CORE_NOTHING;
  const bool counts =
      call->planned || (needs_output(call) && (call->operation != CORE_SCATTER || is_root(call)));
  if (counts_first && counts && !take_counts(call, given->counts)) return false;
  if (needs_output(call) && !take_output(call, given)) return false;
  return counts_first || !counts || take_counts(call, given->counts);
}

static const char* format_of(const core_operand* operand) {
  static const char integer[] = "q", real[] = "d", complex[] = "Zd";
  if (operand->kind == CORE_BUFFER) return operand->view.format;
  return operand->number == 'q' ? integer : operand->number == 'd' ? real : complex;
}

static PyObject* type_name_of(const core_operand* operand) {
  if (operand->kind == CORE_BUFFER) return core_type_name(operand->object, operand->view.format);
  return PyUnicode_FromString(operand->number == 'q'   ? "int64"
                              : operand->number == 'd' ? "float64"
                                                       : "complex128");
}

// Elements that the library only moves have no type in a buffer's format that could be compared,
// such as dates with days or seconds as their unit.
static bool same_elements(const core_operand* input, const core_operand* output, PyObject* of_input,
                          PyObject* of_output) {
  if (input->kind == CORE_BUFFER && output->kind == CORE_BUFFER && !input->element.combines)
    return PyUnicode_Compare(of_input, of_output) == 0;
  return core_same_elements(format_of(input), format_of(output)) &&
         input->element.factor == output->element.factor;
}

// Compares the elements of two operands that the program has given.
static bool check_equal(const core_call* call) {
  const core_operand *input = &call->input, *output = &call->output;
  if (input->element.combines && core_same_elements(format_of(input), format_of(output)))
    return true;
  PyObject* of_input = type_name_of(input);
  PyObject* of_output = of_input != NULL ? type_name_of(output) : NULL;
  const bool same = of_output != NULL && same_elements(input, output, of_input, of_output);
  if (!same && of_output != NULL) {
    PyErr_Format(PyExc_TypeError, "%s: input has elements of type %U, but out has %U",
                 calls[call->operation].signature.call, of_input, of_output);
  }
  Py_XDECREF(of_output);
  Py_XDECREF(of_input);
  return same;
}

static bool check_mean(const core_call* call, const core_operand* side) {
  const char* name = calls[call->operation].signature.call;
  if (call->operation == CORE_SCAN || call->operation == CORE_EXSCAN)
    return core_refuse("%s has no operator 'mean'", name) != NULL;
  if (core_has_mean(side->element.type)) return true;
  PyObject* type = type_name_of(side);
  if (type == NULL) return false;
  core_refuse("%s: there is no mean of %U: give floating-point numbers", name, type);
  Py_DECREF(type);
  return false;
}

static bool check_elements(const core_call* call) {
  const core_operand *input = &call->input, *output = &call->output;
  const core_operand* side = input->kind != CORE_NOTHING ? input : output;
  if (calls[call->operation].combines && side->kind != CORE_NOTHING) {
    if (!side->element.combines) {
      core_refuse_combine(calls[call->operation].signature.call, side->object, format_of(side));
      return false;
    }
    if (call->mean && !check_mean(call, side)) return false;
  }
  return input->kind == CORE_NOTHING || output->kind == CORE_NOTHING || call->made ||
         check_equal(call);
}

// A scalar of NumPy becomes an array without axes, which can be filled and has the buffer of its
// type.
static bool take_scalar(core_call* call, core_given* given) {
  call->scalar = given->input != NULL && core_is_scalar(given->input);
  if (!call->scalar) return true;
  call->array = core_array_of_scalar(given->input);
  given->input = call->array;
  return call->array != NULL;
}

bool core_prepare(core_call* call, const core_given* arguments) {
  core_given taken = *arguments;
  core_given* const given = &taken;
  call->root = given->root;
  call->counted = given->counts != NULL;
  call->made = call->mean = false;
  call->op_object = call->array = NULL;
  call->result = NULL;
  call->input_counts = call->output_counts = NULL;
  call->input.kind = call->output.kind = CORE_NOTHING;
  call->input.memory = call->output.memory = NULL;
  call->input.tensor = call->output.tensor = NULL;
  call->input.shares_memory = call->output.shares_memory = false;
  if (calls[call->operation].rooted && (call->root < 0 || call->root >= call->size))
    return core_refuse("root is %d, but the group has the ranks 0 to %d", call->root,
                       call->size - 1) != NULL;
  const bool combines = calls[call->operation].combines;
  if ((!combines || core_op_of(given->op, &call->op, &call->mean)) && take_scalar(call, given) &&
      take_operands(call, given) && check_elements(call)) {
    if (combines) call->op_object = Py_XNewRef(given->op);
    if (call->input.kind != CORE_NOTHING) core_describe(&call->input);
    if (call->output.kind != CORE_NOTHING) core_describe(&call->output);
    return true;
  }
  core_clear_call(call);
  return false;
}

PyObject* core_result(core_call* call) {
  if (call->mean) core_divide(&call->output, call->size);
  if (!core_unpack(&call->output)) return NULL;
  if (call->operation == CORE_EXSCAN && call->made && call->rank == 0) Py_RETURN_NONE;
  if (call->output.kind == CORE_NUMBER || call->output.kind == CORE_NUMBERS)
    return core_number_of(&call->output);
  if (call->scalar && call->result != NULL && (call->made || call->operation == CORE_BCAST)) {
    PyObject* whole = PyTuple_New(0);
    PyObject* scalar = whole != NULL ? PyObject_GetItem(call->result, whole) : NULL;
    Py_XDECREF(whole);
    return scalar;
  }
  return Py_NewRef(call->result != NULL ? call->result : Py_None);
}

void core_clear_call(core_call* call) {
  core_release(&call->output);
  core_release(&call->input);
  PyMem_Free(call->input_counts);
  PyMem_Free(call->output_counts);
  call->input_counts = call->output_counts = NULL;
  Py_CLEAR(call->result);
  Py_CLEAR(call->op_object);
  Py_CLEAR(call->array);
}
