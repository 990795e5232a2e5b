// SPDX-License-Identifier: BSD-3-Clause
// Runs a collective of the MPI itself in place of an executor's rounds: starts it and then polls
// until it is done. Operands that are not contiguous are packed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/arguments.hpp"
#include "engine/executor.hpp"
#include "transport/wire/job.hpp"
#include "transport/wire/native_ranks.hpp"

namespace tutti::engine {

// Returns why no MPI can serve these arguments, as a clause; an empty string if it can. The result
// is equal on all ranks that take part in the call.
[[nodiscard]] std::string native_rejection(const Caller& caller, const Arguments& arguments);

class NativeRun {
 public:
  // The group that makes the call must be these ranks, in the same order.
  NativeRun(const transport::wire::NativeRanks& ranks, const Caller& caller)
      : job_(ranks.job), group_(ranks.group), caller_(caller) {}
  ~NativeRun();
  NativeRun(const NativeRun&) = delete;
  NativeRun& operator=(const NativeRun&) = delete;

  void start(const CallData& work);
  // Lets MPI make progress. Returns true when the collective is done.
  [[nodiscard]] bool done();
  void release();

 private:
  struct Packed {
    std::vector<std::byte> input, output;
  };
  [[nodiscard]] const std::byte* input_of(const OperandNeeds& needs, const std::byte* output,
                                          bool* in_place);
  [[nodiscard]] std::byte* output_of(const OperandNeeds& needs);
  [[nodiscard]] const std::byte* packed(const CallBuffer& from,
                                        std::vector<std::byte>& memory) const;
  [[nodiscard]] bool is_root() const { return caller_.rank == caller_.root; }

  const transport::wire::WireJob* job_;
  tutti_wire_token group_;
  Caller caller_;
  CallData work_;
  std::unique_ptr<Packed> packed_ = std::make_unique<Packed>();
  bool unpacks_ = false;  // the result is in packed_->output and must be unpacked
  bool under_way_ = false;
  tutti_wire_token request_ = 0;
};

}  // namespace tutti::engine
