// SPDX-License-Identifier: BSD-3-Clause
// Translates operands of tutti to those of an MPI and back.
#include "engine/native.hpp"

#include <fmt/format.h>

#include <limits>

#include "data/pack.hpp"

namespace tutti::engine {
namespace {

using schedule::Operation;

#define TUTTI_OPERATION(name, NUMBER, ...) \
  static_assert(static_cast<int>(Operation::name) == TUTTI_WIRE_##NUMBER);
#include "schedule/operations.def"
#undef TUTTI_OPERATION
static_assert(static_cast<int>(data::Element::complex128) == TUTTI_WIRE_COMPLEX128 &&
              static_cast<int>(data::Element::uint64) == TUTTI_WIRE_UINT64 &&
              static_cast<int>(data::Builtin::bit_xor) == TUTTI_WIRE_BIT_XOR &&
              static_cast<int>(data::Builtin::absmax) == TUTTI_WIRE_NO_ABSMAX);

std::int64_t count_of(const Caller& caller, std::int64_t n) {
  return is_cut_by_rank(caller.operation) ? n / caller.p : n;
}

// Returns an MPI type of this size. Data that is only moved needs no other property.
tutti_wire_type type_of_size(std::size_t bytes) {
  switch (bytes) {
    case 4:
      return TUTTI_WIRE_INT32;
    case 8:
      return TUTTI_WIRE_INT64;
    case 16:
      return TUTTI_WIRE_COMPLEX128;
    default:
      return TUTTI_WIRE_BYTE;
  }
}

// Returns true if MPI has this operator on these elements. It has no numbers of 16 bits, and only
// logical operators on booleans.
bool mpi_combines(const data::Operator& op) {
  using data::Builtin;
  using data::Element;
  if (op.kind() != data::Operator::Kind::builtin || op.builtin() == Builtin::absmax ||
      op.builtin() == Builtin::absmin || op.element() > Element::uint64)
    return false;
  return op.element() != Element::boolean ||
         (op.builtin() >= Builtin::logical_and && op.builtin() <= Builtin::logical_xor);
}

bool overlap(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes) {
  return a_bytes > 0 && b_bytes > 0 && a < b + b_bytes && b < a + a_bytes;
}

std::size_t bytes_of(const CallBuffer& buffer, std::size_t element_bytes) {
  return static_cast<std::size_t>(buffer.layout->size()) * element_bytes;
}

}  // namespace

std::string native_rejection(const Caller& caller, const Arguments& arguments) {
  if (arguments.counts.cut != Cut::even)
    return "an MPI's collective with counts of its own for each rank is not used";
  if (arguments.op != nullptr && !mpi_combines(*arguments.op))
    return "MPI has no " + arguments.op->describe();
  const std::int64_t count = count_of(caller, vector_elements(caller, arguments));
  if (count <= std::numeric_limits<int>::max()) return {};
  return fmt::format("MPI counts in int, and {} elements are more", count);
}

// Buffers that MPI still uses are leaked on purpose: they must stay valid.
NativeRun::~NativeRun() {
  if (under_way_) static_cast<void>(packed_.release());
}

void NativeRun::start(const CallData& work) {
  job_->require_alive();
  work_ = work;
  const OperandNeeds needs = needs_of(caller_.operation, is_root());
  tutti_wire_collective what{};
  what.group = group_;
  what.operation = static_cast<tutti_wire_operation>(caller_.operation);
  what.root = caller_.root;
  what.count = static_cast<int>(count_of(caller_, work.n));
  what.type = type_of_size(work.element_bytes);
  if (work.op != nullptr) {
    what.type = static_cast<tutti_wire_type>(work.op->element());
    what.op = static_cast<tutti_wire_operator>(work.op->builtin());
  }
  bool in_place = false;
  std::byte* const output = output_of(needs);
  what.output = output;
  what.input = input_of(needs, output, &in_place);
  what.in_place = in_place ? 1 : 0;
  job_->check(job_->wire().start(&what, &request_), "the MPI's own collective");
  under_way_ = true;
}

const std::byte* NativeRun::packed(const CallBuffer& from, std::vector<std::byte>& memory) const {
  memory.resize(bytes_of(from, work_.element_bytes));
  data::pack(memory.data(), from.base, *from.layout, work_.element_bytes, 0, from.layout->size());
  return memory.data();
}

// Returns the buffer for MPI's result, or for the data of a broadcast. The first rank of an
// exclusive scan gets scratch memory, since MPI may write anything there.
std::byte* NativeRun::output_of(const OperandNeeds& needs) {
  unpacks_ = false;
  if (!needs.output) return nullptr;
  const bool no_result = caller_.operation == Operation::exscan && caller_.rank == 0;
  if (work_.output.layout->is_contiguous() && !no_result) return work_.output.base;
  const bool sends = caller_.operation == Operation::broadcast && is_root();
  unpacks_ = !no_result && !sends;
  if (sends) static_cast<void>(packed(work_.output, packed_->output));
  packed_->output.resize(bytes_of(work_.output, work_.element_bytes));
  return packed_->output.data();
}

// Returns the input for MPI. If input and output share memory, a root passes it as in place. Where
// all ranks would have to pass it so, the input is copied instead.
const std::byte* NativeRun::input_of(const OperandNeeds& needs, const std::byte* output,
                                     bool* in_place) {
  if (!needs.input) return nullptr;
  const CallBuffer& input = work_.input;
  if (!input.layout->is_contiguous()) return packed(input, packed_->input);
  const std::size_t bytes = bytes_of(input, work_.element_bytes);
  const bool shared = needs.output && overlap(input.base, bytes, output,
                                              bytes_of(work_.output, work_.element_bytes));
  if (!shared) return input.base;
  *in_place = has_root(caller_.operation);
  return *in_place ? input.base : packed(input, packed_->input);
}

bool NativeRun::done() {
  job_->require_alive();
  int complete = 0;
  job_->check(job_->wire().test(&request_, &complete), "MPI_Test");
  if (complete == 0) return false;
  under_way_ = false;
  if (unpacks_) {
    data::unpack(work_.output.base, packed_->output.data(), *work_.output.layout,
                 work_.element_bytes, 0, work_.output.layout->size());
  }
  return true;
}

void NativeRun::release() {
  if (!under_way_) *packed_ = {};
}

}  // namespace tutti::engine
