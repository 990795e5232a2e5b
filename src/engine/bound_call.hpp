// SPDX-License-Identifier: BSD-3-Clause
// A call bound to its plan and to the sizes of its operands: the only memory of a repeated call.
// Blocking calls, and those that go on while their caller does other things, are the same object.
// A group keeps some of them (bound_calls.hpp); a request owns one. One that goes on beside calls
// copies its arguments, so only the data must stay valid.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/maxloc.hpp"
#include "engine/operator_failure.hpp"
#include "engine/plan.hpp"
#include "engine/signature.hpp"

namespace tutti::engine {

class BoundCall final : public transport::Progressable {
 public:
  // `mode` is how the call appears to other operations. The plan must outlive it.
  BoundCall(Plan& plan, InFlight& in_flight, Mode mode);
  ~BoundCall() override;
  BoundCall(const BoundCall&) = delete;
  BoundCall& operator=(const BoundCall&) = delete;

  [[nodiscard]] Plan& plan() const { return *plan_; }
  [[nodiscard]] Mode mode() const { return mode_; }

  // --- known again ---
  // Returns true if the call repeats the one that is remembered here. It is always inlined, so that
  // the signature stays in registers.
  [[nodiscard, gnu::always_inline]] bool repeats(const Signature& call) const {
    return known_.what == call.what && known_.input_count == call.input_count &&
           known_.output_count == call.output_count && known_.root == call.root &&
           known_.plan == call.plan && known_.cut == call.cut &&
           (call.cut == Cut::even || same_counts(call));
  }
  [[nodiscard]] bool admits(const void* input, const void* output) const {
    return extent_.admits(input, output);
  }
  void remember(const Signature& call, const Extent& extent);

  // --- blocking ---
  // Binds the arguments, which the caller has checked, and runs until this rank's part is done.
  // `number` is that of the operation within its group.
  void run(std::uint32_t number, const Arguments& arguments);
  // Repeats the call that is remembered with new addresses of contiguous operands. `op` has the
  // signature of the last operator; nullptr keeps that one.
  void run_again(std::uint32_t number, void* input, void* output, const data::Operator* op,
                 transport::GiveUp question = {}) {
    run_->rebind(number, input, output, op);
    run_->run(question);
  }
  // Returns what the operator's function has returned in the last run: 0 unless it has failed.
  [[nodiscard]] int operator_code() const { return run_->operator_code(); }
  // Returns true while a call is in it. It must not be bound to another call then.
  [[nodiscard]] bool in_use() const { return under_way_ || !run_->over(); }

  // --- beside calls ---
  // Copies the arguments, which the caller has checked. If their operator may fail, `failure_plan`
  // is that of the group.
  void keep(const Arguments& arguments, Plan* failure_plan = nullptr);
  // Returns true if a run is two operations of the group: its own, and the one by which all ranks
  // learn whether the operator has failed.
  [[nodiscard]] bool has_two_parts() const { return second_ != nullptr; }
  // Starts the run and sends what can be sent at once. Never waits. The previous run must be done.
  // The second number is used if the run has two parts.
  void start(std::uint32_t number, std::uint32_t second_number = 0);
  [[nodiscard]] bool under_way() const { return under_way_; }
  // Returns true if the data of a run may lie in this memory.
  [[nodiscard]] bool uses(std::span<const std::byte> memory) const;
  // An error ends the run; it is thrown and also kept for take_failure().
  transport::Look advance() override;
  // Returns the error that ended the last run early, and forgets it.
  [[nodiscard]] std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }
  // Returns true if a packet with this label belongs to the part that goes on, or to the second
  // part that has not begun here. Ranks that are faster have begun it already.
  [[nodiscard]] bool expects(transport::Label label) const override;
  void describe(transport::WaitInfo& info) const override { present().describe(info); }

  // Called when the program has waited for the last run, if there is a record.
  void record_wait(record::RunRecorder& record);
  // Returns the request by which the record knows the run; none if it is not recorded, or waited
  // for.
  [[nodiscard]] std::span<const std::uint32_t> recorded() const {
    return {&recorded_, recorded_ == 0 ? std::size_t{0} : std::size_t{1}};
  }

  // Frees the memory that is kept from one run to the next, and forgets the call.
  void release();

 private:
  // The operation by which all ranks learn whether the operator has failed.
  struct SecondPart {
    SecondPart(const Plan& of, InFlight& in_flight);
    std::unique_ptr<Run> run;
    OperatorFailure failure;
    std::uint32_t number = 0;
    bool runs = false;
  };
  // Returns the run of the part that goes on.
  [[nodiscard]] Run& present() const {
    return second_ != nullptr && second_->runs ? *second_->run : *run_;
  }
  [[nodiscard]] bool same_counts(const Signature& call) const;
  void begin_second();
  void record_start(record::RunRecorder& record);
  void leave();

  Plan* plan_;
  InFlight* in_flight_;
  Mode mode_;
  Signature known_;
  Extent extent_;
  std::vector<std::int64_t> known_counts_;  // of the input, then of the output
  std::unique_ptr<Run> run_;
  std::unique_ptr<Maxloc> maxloc_;  // made for the first operator with location
  bool under_way_ = false;
  std::unique_ptr<SecondPart> second_;
  std::uint32_t recorded_ = 0;  // the request of the run that is under way, if there is a record
  // The arguments of a run beside calls.
  CallOperand input_, output_;
  data::Operator op_;
  std::vector<std::int64_t> input_counts_, output_counts_;
  Arguments arguments_;
  std::exception_ptr failure_;
};

}  // namespace tutti::engine
