// SPDX-License-Identifier: BSD-3-Clause
// A collective of the MPI itself, run by an executor in place of rounds: started, and asked again
// and again whether it is done. Operands that are not in one piece are packed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/arguments.hpp"
#include "engine/executor.hpp"
#include "transport/wire/job.hpp"

namespace tutti::engine {

// Why no MPI can serve these arguments, in a clause; empty if it can. Equal on all ranks whose
// calls belong together.
[[nodiscard]] std::string native_rejection(const Caller& caller, const Arguments& arguments);

class NativeRun {
 public:
  // The ranks of the caller are those of the job.
  NativeRun(const transport::wire::WireJob& job, const Caller& caller)
      : job_(&job), caller_(caller) {}
  ~NativeRun();
  NativeRun(const NativeRun&) = delete;
  NativeRun& operator=(const NativeRun&) = delete;

  void start(const CallData& work);
  // Lets MPI go on.
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
  Caller caller_;
  CallData work_;
  std::unique_ptr<Packed> packed_ = std::make_unique<Packed>();
  bool unpacks_ = false;  // the result is in packed_->output
  bool under_way_ = false;
  tutti_wire_token request_ = 0;
};

}  // namespace tutti::engine
