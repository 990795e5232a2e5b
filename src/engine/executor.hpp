// SPDX-License-Identifier: BSD-3-Clause
// Runs one lowered Program again and again, for plans and executions. It binds data to the state of
// the run (run_state.hpp) and chooses a driver for each round. advance() does what can be done now
// and returns, so one thread can drive many executors in any order. Nothing is allocated while data
// moves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/run_state.hpp"
#include "engine/shorter.hpp"

namespace tutti::engine {

class NativeRun;

using transport::Look;

// The data of one execution. The buffers, their layouts and the operator must live until it is
// done.
struct CallData {
  std::int64_t n = 0;  // elements of the whole vector; see BoundMemory::bind
  std::size_t element_bytes = 1;
  CallBuffer input, output;
  const data::Operator* op = nullptr;  // nullptr where nothing is combined
  RankCounts counts{};
};

class Executor {
 public:
  Executor(const LoweredPlan& plan, transport::Transport& transport, InFlight& in_flight,
           const Identity& identity);
  ~Executor();

  // `sequence` is the number of the operation within its group.
  void start(std::uint32_t sequence, const CallData& work);
  // Repeats the previous execution with a new number and new addresses. Counts, type and operator
  // stay; both buffers must be contiguous.
  void start_again(std::uint32_t sequence, void* input, void* output) {
    take_number(sequence);
    run_.memory.rebind(input, output);
    if (run_.shortened.any()) [[unlikely]]
      expect_as_given(run_);
    run_.round = 0;
    run_.entered = false;
  }
  void replace_operator(const data::Operator& op) { run_.reducer = &op; }
  Look advance();
  // Advances until done, and waits by the waiter of the process.
  void run();
  // Frees the memory that is kept from one execution to the next. The last execution must be done.
  void release();
  [[nodiscard]] transport::Label label() const { return run_.label; }
  // Says what a wait for this execution, which is in flight, waits for.
  void describe(transport::WaitInfo& info) const;
  // Returns what the operator's function has returned in the last execution: 0 unless it has
  // failed.
  [[nodiscard]] int operator_code() const { return run_.operator_code; }
  // Called when an execution begins and ends that goes on besides calls, if there is a trace.
  void record_begin(const trace::Tracer& recorder) { begun_ = round_begun_ = recorder.now(); }
  void record_end(trace::Tracer& recorder) const;

 private:
  void take_number(std::uint32_t sequence) { run_.label = unnumbered_.numbered(sequence).label(); }
  void run_recorded(trace::Tracer& recorder);
  void record_round(trace::Tracer& recorder);
  [[nodiscard]] trace::TracedOperation recorded() const;
  Look advance_native();
  // Advances the present round by the driver that serves all.
  Look advance_one();
  void wait_for_round();
  [[nodiscard]] static std::string refusal(const void* self);

  RunState run_;
  Tag unnumbered_;  // has the operator of the last execution, but no operation number
  std::unique_ptr<NativeRun> native_;  // replaces the one round, without ops, of a native plan
  std::uint64_t begun_ = 0, round_begun_ = 0;  // ticks of an execution besides calls, for the trace
  mutable std::vector<int> waited_for_;        // endpoints, for reports
};

}  // namespace tutti::engine
