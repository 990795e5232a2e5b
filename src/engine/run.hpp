// SPDX-License-Identifier: BSD-3-Clause
// A run of a plan on one rank: it is bound to the data of a call and then advanced until it is
// over, again and again. There are two kinds: rounds of messages (lowered_run.hpp), and a
// collective of the MPI itself (native.hpp). advance() does what can be done now and returns, so
// one thread can drive many runs in any order. Nothing is allocated while data moves.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/arguments.hpp"
#include "engine/in_flight.hpp"
#include "engine/tag.hpp"
#include "selection/settings.hpp"

namespace tutti::engine {

using transport::Look;

// Names an operation on the wire and in reports.
struct Identity : Caller {
  std::uint64_t group_id = 0;
  Mode mode = Mode::blocking;
  std::span<const int> endpoints{};
  // These are those of the plan, which outlives its runs.
  const schedule::Generator* generator = nullptr;
  const selection::Settings* settings = nullptr;
  std::uint32_t plan_in_trace = 0;  // the number of the plan's name there; 0 without a trace
};

// The facts of a run that messages, reports and the trace name. Each kind of run has them in its
// own state.
struct RunFacts {
  RunFacts(InFlight& beside, const Identity& named, std::size_t number_of_rounds)
      : in_flight(&beside),
        identity(named),
        unnumbered(named.group_id, named.operation, named.root, named.mode),
        rounds(static_cast<std::uint32_t>(number_of_rounds)),
        round(rounds) {}

  [[nodiscard]] bool over() const { return round >= rounds; }
  void begin(std::uint32_t number) {
    label = unnumbered.numbered(number).label();
    round = 0;
  }

  InFlight* in_flight;
  Identity identity;
  Tag unnumbered;          // has the operator of the last run, but no number of an operation
  transport::Label label;  // has that, too
  std::uint32_t rounds, round;
  int operator_code = 0;   // what the operator's function has returned: 0 unless it has failed
  std::int64_t bytes = 0;  // of the whole vector
};

class Run {
 public:
  virtual ~Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Binds the run to a call, whose operands and operator must live until it is over. `number` is
  // that of the operation within its group.
  void start(std::uint32_t number, const Arguments& arguments);
  // Binds it to the previous call again, with new addresses of contiguous buffers. `op` has the
  // signature of the last operator; nullptr keeps that one.
  virtual void rebind(std::uint32_t number, void* input, void* output,
                      const data::Operator* op) = 0;
  virtual Look advance() = 0;
  // Advances until it is over. The waiter of the process, by which it waits, asks the question.
  virtual void run(transport::GiveUp question) = 0;
  // Frees the memory that is kept from one run to the next. The last one must be over.
  virtual void release() = 0;
  // Says what a wait for this run waits for.
  virtual void describe(transport::WaitInfo& info) const;

  [[nodiscard]] bool over() const { return facts_->over(); }
  [[nodiscard]] transport::Label label() const { return facts_->label; }
  [[nodiscard]] int operator_code() const { return facts_->operator_code; }
  // Called when a run begins and ends that goes on besides calls, if there is a trace.
  void record_begin(const trace::Tracer& recorder) { begun_ = round_begun_ = recorder.now(); }
  void record_end(trace::Tracer& recorder) const;
  // Records that the operation to which the run is bound goes on beside calls, and that of another
  // run after it, which may be nullptr. Returns its request.
  [[nodiscard]] std::uint32_t record_start(record::RunRecorder& record, const Run* then);

  // Returns the rounds that the run is bound to, as a record has them.
  [[nodiscard]] virtual std::string recorded_rounds() const = 0;

 protected:
  explicit Run(RunFacts& facts) : facts_(&facts) {}
  [[nodiscard]] trace::TracedOperation recorded() const;
  // Called when a round is over and counted.
  void record_round();
  // Called when a blocking run begins, if there is a record.
  void record_run(record::RunRecorder& record);

 private:
  // Returns the number under which the operation is recorded that the run is bound to, together
  // with the rounds of `then`, if it is not nullptr. Operations that look alike have one number.
  [[nodiscard]] virtual std::int32_t recorded_as(record::RunRecorder& record, const Run* then) = 0;
  // `n` is the number of elements of the whole vector; see BoundMemory::bind.
  virtual void bind_data(const Arguments& arguments, std::int64_t n, std::size_t element_bytes) = 0;
  [[nodiscard]] static std::string refusal(const void* self);

  RunFacts* facts_;
  std::uint64_t begun_ = 0, round_begun_ = 0;  // ticks of a run besides calls, for the trace
};

}  // namespace tutti::engine
