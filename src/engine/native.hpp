// SPDX-License-Identifier: BSD-3-Clause
// Runs a collective of the MPI itself in place of rounds: starts it and then polls until it is
// done. Operands that are not contiguous are packed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/arguments.hpp"
#include "engine/run.hpp"
#include "transport/wire/job.hpp"
#include "transport/wire/native_ranks.hpp"

namespace tutti::engine {

// Returns why no MPI can serve these arguments, as a clause; an empty string if it can. The result
// is equal on all ranks that take part in the call.
[[nodiscard]] std::string native_rejection(const Caller& caller, const Arguments& arguments);

class NativeRun final : public Run {
 public:
  // The group that makes the call must be these ranks, in the same order.
  NativeRun(const transport::wire::NativeRanks& ranks, InFlight& in_flight,
            const Identity& identity)
      : Run(facts_), facts_(in_flight, identity, 1), job_(ranks.job), group_(ranks.group) {}
  ~NativeRun() override;

  void rebind(std::uint32_t number, void* input, void* output, const data::Operator* op) override;
  // Lets MPI make progress.
  Look advance() override;
  void run(transport::GiveUp question) override;
  void release() override;
  void describe(transport::WaitInfo& info) const override;

 private:
  struct Packed {
    std::vector<std::byte> input, output;
  };
  // No job that is recorded has an MPI.
  [[nodiscard]] std::int32_t recorded_as(record::RunRecorder&, const Run*) override { return -1; }
  [[nodiscard]] std::string recorded_rounds() const override { return ""; }
  void bind_data(const Arguments& arguments, std::int64_t n, std::size_t element_bytes) override;
  [[nodiscard]] bool done();
  [[nodiscard]] const std::byte* input_of(const OperandNeeds& needs, const std::byte* output,
                                          bool* in_place);
  [[nodiscard]] std::byte* output_of(const OperandNeeds& needs);
  [[nodiscard]] const Caller& caller() const { return facts_.identity; }
  [[nodiscard]] bool is_root() const { return caller().rank == caller().root; }

  RunFacts facts_;
  const transport::wire::WireJob* job_;
  tutti_wire_token group_;
  CallOperand input_, output_;
  const data::Operator* op_ = nullptr;
  std::unique_ptr<Packed> packed_ = std::make_unique<Packed>();
  bool unpacks_ = false;  // the result is in packed_->output and must be unpacked
  bool under_way_ = false;
  tutti_wire_token request_ = 0;
};

}  // namespace tutti::engine
