// SPDX-License-Identifier: BSD-3-Clause
// Implements the state object and the conversions from C.
#include "api/state.hpp"

#include <pthread.h>

#include "api/line_output.hpp"
#include "api/recording.hpp"
#include "api/tracing.hpp"
#include "base/environment.hpp"

namespace tutti::api {

constinit Process process;

transport::GiveUp CancelPredicate::question() const {
  if (function == nullptr) return {};
  return {[](void* predicate) {
            const auto* asked = static_cast<const CancelPredicate*>(predicate);
            return asked->function(asked->user) != 0;
          },
          const_cast<CancelPredicate*>(this)};
}

void forget_in_forked_children() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    process.current = nullptr;  // the object is not deleted: its resources belong to the parent
    process.membership = nullptr;
    process.ended = Ended::forked;
    forget_occupant();
  });
  (void)registered;
}

void reject_if_ended() {
  switch (process.ended) {
    case Ended::no:
      return;
    case Ended::finalized:
      base::fail(base::Status::not_initialized,
                 "this process has left its job by tutti_finalize and cannot come back");
    case Ended::spare:
      base::fail(base::Status::not_initialized,
                 "this process has served as a spare rank and can call nothing else of tutti");
    case Ended::given_up:
      base::fail(base::Status::not_initialized,
                 "this process has given up joining its job and cannot join it any more");
    case Ended::forked:
      base::fail(base::Status::not_initialized,
                 "this process was made by fork() and is no process of the job: leave the calls of "
                 "tutti to its parent");
  }
}

void reject_call() {
  reject_if_ended();
  base::fail(base::Status::not_initialized, "call tutti_init first");
}

ApiState::ApiState(launch::Membership& joined)
    : record(begin_record(joined)),
      job(joined, {process.cancel_predicate.question(), describe, record}),
      explainer(Explainer::of_environment(job.membership())),
      watched(explainer != nullptr),
      recorder(begin_trace(job.membership(), job.in_flight())),
      requests(job, record) {
  if (record != nullptr && record->stream() != nullptr) record->stream()->wait_by(job.waiter());
  come_into_world();
}

bool ApiState::ends_look(const transport::Arrival* arrival) {
  if (record != nullptr && arrival != nullptr) [[unlikely]]
    record->sees(arrival->source, arrival->number);
  looks.end(arrival != nullptr, job.waiter().idler());
  return arrival != nullptr;
}

void ApiState::come_into_world() {
  job.waiter().wait_clock().set_sums(process.measures_waits);
  cut_output_at_lines(job.membership());
  forget_last_peers();
}

const data::Operator& ApiState::op(tutti_op handle, tutti_type type) {
  if (handle.id - 1 < data::builtin_kinds) {
    const data::Element element = element_of(type);
    auto& slot = builtins_[handle.id - 1][static_cast<std::size_t>(element)];
    if (!slot) {
      slot = std::make_unique<data::Operator>(
          data::Operator::of(static_cast<data::Builtin>(handle.id - 1), element));
    }
    return *slot;
  }
  if (const UserOp* found = user_ops_.find(handle.id)) {
    if (found->type != type) {
      base::fail(base::Status::invalid_argument,
                 "argument 'op' was made for elements of type {}, not {}", type_text(found->type),
                 type_text(type));
    }
    return found->op;
  }
  base::fail(base::Status::stale_handle, "argument 'op' is no operator");
}

const data::Operator& ApiState::located_op(tutti_op handle, tutti_type type) {
  if (handle.id != TUTTI_ABSMAX.id && handle.id != TUTTI_ABSMIN.id) {
    base::fail(base::Status::invalid_argument,
               "locations are known for TUTTI_ABSMAX and TUTTI_ABSMIN only");
  }
  const data::Element element = element_of(type);
  auto& slot = located_[handle.id - 1][static_cast<std::size_t>(element)];
  if (!slot) {
    slot = std::make_unique<data::Operator>(
        data::Operator::with_location(static_cast<data::Builtin>(handle.id - 1), element));
  }
  return *slot;
}

void ApiState::reject_group() {
  base::fail(base::Status::stale_handle, "argument 'group' names no group, or one that was freed");
}

const char* type_text(tutti_type type) {
  return data::name_of(element_of(type));
}

data::Element element_of(tutti_type type) {
  const int number = static_cast<int>(type);
  if (number < 0 || number >= data::element_kinds) {
    base::fail(base::Status::invalid_argument, "argument 'type' is {}, which is no tutti_type",
               number);
  }
  return static_cast<data::Element>(number);
}

// Returns true for the first letter and false for the second, in either case.
bool is_first_of(char given, const char (&letters)[3], const char* argument, const char* field) {
  const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(given)));
  if (letter == letters[0] || letter == letters[1]) return letter == letters[0];
  base::fail(base::Status::invalid_argument,
             "argument '{}' has {} {}, which is neither '{}' nor '{}'", argument, field,
             given > ' ' && given < 127 ? fmt::format("'{}'", given)
                                        : fmt::format("{}", static_cast<int>(given)),
             letters[0], letters[1]);
}

engine::CallOperand general_operand_of(const tutti_data* data, const char* argument) {
  if (data == nullptr)
    base::fail(base::Status::invalid_argument, "argument '{}' is NULL", argument);
  engine::CallOperand operand;
  operand.address = data->address;
  operand.element_bytes = data::size_of(element_of(data->type));
  switch (data->shape) {
    case TUTTI_CONTIGUOUS:
      operand.layout = data::Layout::contiguous(data->m);
      break;
    case TUTTI_MATRIX:
      operand.layout = data::Layout::matrix(data->m, data->n, data->ld);
      break;
    case TUTTI_TRAPEZOID: {
      const bool upper = is_first_of(data->uplo, "UL", argument, "uplo");
      const bool unit = is_first_of(data->diag, "UN", argument, "diag");
      operand.layout = data::Layout::trapezoid(upper ? data::Uplo::upper : data::Uplo::lower,
                                               unit ? data::Diag::unit : data::Diag::non_unit,
                                               data->m, data->n, data->ld);
      break;
    }
    default:
      base::fail(base::Status::invalid_argument, "argument '{}' has shape {}", argument,
                 int{data->shape});
  }
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(operand.layout.size(), operand.element_bytes, &bytes)) {
    base::fail(base::Status::invalid_argument,
               "argument '{}' has {} elements of {} bytes, which are too many", argument,
               operand.layout.size(), operand.element_bytes);
  }
  if (operand.address == nullptr && operand.layout.size() > 0) {
    base::fail(base::Status::invalid_argument, "argument '{}' has {} elements but no address",
               argument, operand.layout.size());
  }
  return operand;
}

}  // namespace tutti::api
