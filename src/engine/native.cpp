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

std::size_t bytes_of(const CallOperand& operand) {
  return static_cast<std::size_t>(operand.layout.size()) * operand.element_bytes;
}

const std::byte* packed(const CallOperand& from, std::vector<std::byte>& memory) {
  memory.resize(bytes_of(from));
  data::pack(memory.data(), static_cast<const std::byte*>(from.address), from.layout,
             from.element_bytes, 0, from.layout.size());
  return memory.data();
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

void NativeRun::rebind(std::uint32_t number, void* input, void* output, const data::Operator* op) {
  input_.address = input;
  output_.address = output;
  start(number, {&input_, &output_, op == nullptr ? op_ : op});
}

void NativeRun::bind_data(const Arguments& arguments, std::int64_t n, std::size_t element_bytes) {
  job_->require_alive();
  if (arguments.input != nullptr) input_ = *arguments.input;
  if (arguments.output != nullptr) output_ = *arguments.output;
  op_ = arguments.op;
  const OperandNeeds needs = needs_of(caller().operation, is_root());
  tutti_wire_collective what{};
  what.group = group_;
  what.operation = static_cast<tutti_wire_operation>(caller().operation);
  what.root = caller().root;
  what.count = static_cast<int>(count_of(caller(), n));
  what.type = type_of_size(element_bytes);
  if (op_ != nullptr) {
    what.type = static_cast<tutti_wire_type>(op_->element());
    what.op = static_cast<tutti_wire_operator>(op_->builtin());
  }
  bool in_place = false;
  std::byte* const output = output_of(needs);
  what.output = output;
  what.input = input_of(needs, output, &in_place);
  what.in_place = in_place ? 1 : 0;
  job_->check(job_->wire().start(&what, &request_), "the MPI's own collective");
  under_way_ = true;
}

// Returns the buffer for MPI's result, or for the data of a broadcast. The first rank of an
// exclusive scan gets scratch memory, since MPI may write anything there.
std::byte* NativeRun::output_of(const OperandNeeds& needs) {
  unpacks_ = false;
  if (!needs.output) return nullptr;
  const bool no_result = caller().operation == Operation::exscan && caller().rank == 0;
  if (output_.layout.is_contiguous() && !no_result) return static_cast<std::byte*>(output_.address);
  const bool sends = caller().operation == Operation::broadcast && is_root();
  unpacks_ = !no_result && !sends;
  if (sends) static_cast<void>(packed(output_, packed_->output));
  packed_->output.resize(bytes_of(output_));
  return packed_->output.data();
}

// Returns the input for MPI. If input and output share memory, a root passes it as in place. Where
// all ranks would have to pass it so, the input is copied instead.
const std::byte* NativeRun::input_of(const OperandNeeds& needs, const std::byte* output,
                                     bool* in_place) {
  if (!needs.input) return nullptr;
  if (!input_.layout.is_contiguous()) return packed(input_, packed_->input);
  const auto* const input = static_cast<const std::byte*>(input_.address);
  const bool shared = needs.output && overlap(input, bytes_of(input_), output, bytes_of(output_));
  if (!shared) return input;
  *in_place = has_root(caller().operation);
  return *in_place ? input : packed(input_, packed_->input);
}

bool NativeRun::done() {
  job_->require_alive();
  int complete = 0;
  job_->check(job_->wire().test(&request_, &complete), "MPI_Test");
  if (complete == 0) return false;
  under_way_ = false;
  if (unpacks_) {
    data::unpack(static_cast<std::byte*>(output_.address), packed_->output.data(), output_.layout,
                 output_.element_bytes, 0, output_.layout.size());
  }
  return true;
}

Look NativeRun::advance() {
  if (facts_.over()) return Look::done;
  if (!done()) return Look::nothing;
  ++facts_.round;
  record_round();
  return Look::done;
}

void NativeRun::run(transport::GiveUp question) {
  trace::Tracer* const recorder = facts_.in_flight->recorder();
  if (recorder != nullptr) {
    recorder->operation_begins(recorded());
    recorder->wait_goes_on();
  }
  transport::Waiter& waiter = facts_.in_flight->waiter();
  const transport::Progress::Blocked blocked(waiter.progress(), label());
  waiter.wait_until([this] { return advance(); },
                    [this](transport::WaitInfo& info) { describe(info); }, {.question = question});
  if (recorder == nullptr) return;
  recorder->round_ends(trace::Tracer::Round::plain);
  recorder->operation_ends();
}

// Nobody here sees the messages by which an MPI ends its collective. So nothing wakes a process
// that waits for one, and the wait counts as one that may end by itself: a job in which all ranks
// wait does not stand still.
void NativeRun::describe(transport::WaitInfo& info) const {
  Run::describe(info);
  info.until = transport::WaitInfo::Until::given_up;
  info.is_woken = false;
}

void NativeRun::release() {
  if (!under_way_) *packed_ = {};
}

}  // namespace tutti::engine
