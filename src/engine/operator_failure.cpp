// SPDX-License-Identifier: BSD-3-Clause
// Packs a rank and its code into the number whose minimum all ranks get.
#include "engine/operator_failure.hpp"

#include <limits>

#include "base/error.hpp"
#include "schedule/printer.hpp"

namespace tutti::engine {
namespace {

constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
constexpr int code_bits = 32;

}  // namespace

OperatorFailure::OperatorFailure()
    : least_(nobody),
      operand_{&least_, data::Layout::contiguous(1), sizeof least_},
      least_of_all_(data::Operator::of(data::Builtin::min, data::Element::int64)) {
  arguments_.input = arguments_.output = &operand_;
  arguments_.op = &least_of_all_;
}

void OperatorFailure::tell(int rank, int code, transport::GiveUp question) {
  arguments_.question = question;
  least_ = code == 0 ? nobody
                     : std::int64_t{rank} << code_bits |
                           static_cast<std::int64_t>(static_cast<std::uint32_t>(code));
}

void OperatorFailure::check(schedule::Operation operation) const {
  if (least_ == nobody) return;
  base::fail(base::Status::operator_failed,
             "the function of the operator has failed on rank {} in {}: it returned {}",
             least_ >> code_bits, schedule::to_text(operation),
             static_cast<std::int32_t>(static_cast<std::uint32_t>(least_)));
}

}  // namespace tutti::engine
