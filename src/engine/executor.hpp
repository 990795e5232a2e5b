// SPDX-License-Identifier: BSD-3-Clause
// Runs one lowered Program for plans and executions. advance() does what can be done now and
// returns, so one thread can drive many executions in any order. Nothing is allocated while data
// moves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "data/operator.hpp"
#include "engine/in_flight.hpp"
#include "engine/lowered.hpp"
#include "engine/memory.hpp"
#include "engine/tag.hpp"
#include "transport/wire/native_ranks.hpp"

namespace tutti::engine {

class NativeRun;
struct TwoSizes;

using transport::Look;

// Names an operation on the wire and in reports.
struct Identity {
  std::uint64_t group_id = 0;
  schedule::Operation operation{};
  int root = 0;
  Mode mode = Mode::blocking;
  int rank = 0;
  std::span<const int> endpoints{};
  // The ranks for which MPI runs its own collective in place of the plan's rounds, if it does.
  transport::wire::NativeRanks native{};
  std::uint32_t plan_in_trace = 0;  // the number of the plan's name there; 0 without a trace
};

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
    memory_.rebind(input, output);
    if (expected_.is_changed()) [[unlikely]]
      expect_as_given();
    round_ = 0;
    entered_ = false;
  }
  void replace_operator(const data::Operator& op) { op_ = &op; }
  Look advance();
  // Advances until done, and waits by the waiter of the process.
  void run();
  // Frees the memory that is kept from one execution to the next. The last execution must be done.
  void release();
  [[nodiscard]] transport::Label label() const { return label_; }
  // Returns the operator of the last execution; nullptr where nothing is combined.
  [[nodiscard]] const data::Operator* op() const { return op_; }
  // Says what a wait for this execution, which is in flight, waits for.
  void describe(transport::WaitInfo& info) const;
  // Returns what the operator's function has returned in the last execution: 0 unless it has
  // failed.
  [[nodiscard]] int operator_code() const { return operator_code_; }
  // Called when an execution begins and ends that goes on besides calls, if there is a trace.
  void record_begin(const trace::Tracer& recorder);
  void record_end(trace::Tracer& recorder) const;

 private:
  struct OpState {
    std::int64_t total = 0;  // elements; equal in every run with the same n
    std::uint64_t total_bytes = 0;
    // Elements that are sent, received or combined with all operands. An operator on whole vectors
    // counts operands instead.
    std::int64_t done = 0;
    bool finished = false;
  };

  // A short op resolved to one peer and to places in the buffers. Most ops have this form.
  struct Step {
    enum class Kind : std::uint8_t { general, nothing, send, receive, combine, copy };
    Kind kind = Kind::general;
    bool message_first = false;
    std::uint32_t bytes = 0;
    std::int64_t elements = 0;
    transport::Channel* channel = nullptr;
    BoundMemory::Place blocks, local;
  };

  void take_number(std::uint32_t sequence) { label_ = unnumbered_.numbered(sequence).label(); }
  void resolve(std::uint32_t index);
  void run_recorded(trace::Tracer& recorder);
  void record_round(trace::Tracer& recorder);
  [[nodiscard]] trace::TracedOperation recorded() const;
  void enter_round();
  Look advance_round();
  Look advance_native();
  void wait_for_round();
  bool run_short_round();
  bool run_step(const Step& step);
  bool run_short_op(const MicroOp& op, const OpState& state);
  [[nodiscard]] const transport::Packet* spin_for(transport::Channel& channel,
                                                  std::uint64_t total_bytes);
  void give_up_short_round(std::uint32_t unfinished);
  [[nodiscard]] bool is_short(Slice ops) const;
  [[nodiscard]] bool is_no_message(std::uint32_t index) const;
  bool step(std::uint32_t index);
  bool step_send(const MicroOp& op, OpState& state);
  bool send_all(const MicroOp& op, OpState& state);
  bool step_receive(const MicroOp& op, OpState& state);
  bool step_combine(const MicroOp& op, OpState& state);
  bool step_pair(const MicroOp& op, OpState& state);
  bool step_vectors(const MicroOp& op, OpState& state, std::vector<std::byte>& collected);
  [[nodiscard]] bool lacks(const MicroOp& op, std::uint32_t operand, const OpState& state) const;
  void fold_pair(const MicroOp& op, Slice local, std::int64_t at, std::int64_t count,
                 const std::byte* message);
  [[nodiscard]] const std::byte* payload_of(const transport::Packet& packet);
  bool step_copy(const MicroOp& op, OpState& state);
  bool fold_remote(const MicroOp& op, std::uint32_t operand, std::int64_t limit,
                   const OpState& state);
  bool fold_local(const MicroOp& op, std::uint32_t operand, std::int64_t limit);
  void fold(const MicroOp& op, std::uint32_t operand, std::int64_t at, std::int64_t count,
            const std::byte* arrived);
  void combine(void* result, const void* left, const void* right, std::int64_t count) {
    if (op_->kind() != data::Operator::Kind::user) [[likely]]
      return op_->combine(result, left, right, count);
    const InFlight::Combining combining(*in_flight_, identity_.group_id);
    if (!op_->may_fail()) return op_->combine(result, left, right, count);
    if (operator_code_ == 0) operator_code_ = op_->attempt(result, left, right, count);
  }
  void copy(Slice to, Slice from, std::int64_t at, std::int64_t count, data::Store store);
  void finish_staged(const MicroOp& op, std::int64_t total);

  [[nodiscard]] std::int64_t limit_of(const MicroOp& op, std::int64_t total) const;
  [[nodiscard]] std::uint32_t packet_limit(const OpState& sending) const;
  [[nodiscard]] bool gates_open(const MicroOp& op) const;
  [[nodiscard]] bool is_staged(const MicroOp& op) const;
  [[nodiscard]] std::vector<std::byte>& staging_of(const MicroOp& op);
  void make_staging(const MicroOp& op, const OpState& state);
  [[nodiscard]] ElementRun target(const MicroOp& op, std::int64_t position, std::int64_t wanted);
  [[nodiscard]] const transport::Packet* arrived(transport::Channel& channel,
                                                 std::uint64_t total_bytes);
  // Handles a packet that is not the expected one. If it belongs to another operation that may run
  // at the same time, it stays on the channel or is held, and the result is nullptr. Otherwise
  // throws Error(mismatch).
  const transport::Packet* foreign(transport::Channel& channel, const transport::Packet& packet,
                                   std::uint64_t expected_bytes);
  // Sizes that this execution has changed because shorter messages came.
  struct Expected {
    std::int64_t n = -1;                // elements of the whole vector before; -1: they stayed
    std::vector<std::uint32_t> shrunk;  // ops that had more elements before
    std::vector<std::int64_t> totals;   // how many
    [[nodiscard]] bool is_changed() const { return n >= 0 || !shrunk.empty(); }
  };
  // Accepts a message that is shorter than expected, if no other op contradicts. Returns true if
  // the message can be received now.
  bool accept_shorter(const transport::Channel& channel, const transport::Packet& packet);
  [[nodiscard]] std::optional<std::uint32_t> receive_from(const transport::Channel& channel) const;
  [[nodiscard]] std::int64_t blocks_of(std::uint32_t index) const;
  bool shorten_vector(std::uint32_t index, std::int64_t elements);
  bool shorten_block(std::uint32_t index, std::int64_t elements);
  void set_total(std::uint32_t index, std::int64_t elements);
  void expect_as_given();
  void set_totals();
  [[nodiscard]] TwoSizes two_sizes(const transport::Channel& channel, int sender,
                                   std::uint64_t expected, std::uint64_t sent) const;
  [[noreturn]] void report_mismatch(const transport::Channel& channel,
                                    const transport::Packet& packet,
                                    std::uint64_t expected_bytes) const;
  void pop(transport::Channel& channel) { in_flight_->pop(channel, label_); }
  [[nodiscard]] std::int64_t elements_of(const transport::Packet& packet,
                                         const OpState& state) const {
    return packet.bytes == state.total_bytes
               ? state.total
               : static_cast<std::int64_t>(packet.bytes / memory_.element_bytes());
  }
  [[nodiscard]] transport::Channel* awaited() const;
  void find_awaited() const;
  [[nodiscard]] static std::string refusal(const void* self);

  const LoweredPlan* plan_;
  transport::Transport* transport_;
  InFlight* in_flight_;
  std::uint32_t inline_limit_;
  std::uint32_t fragment_limit_;
  std::uint32_t overlap_limit_;
  // Lengths from which results are written with non-temporal stores: copies of the process's own
  // data, and received messages. In bytes. The measurements are in docs/internals/shared-memory.md,
  // "Long results past the caches".
  std::uint64_t long_copy_, long_message_;
  BoundMemory memory_;
  Identity identity_;
  // Has the operator of the last execution, but no operation number.
  Tag unnumbered_;
  transport::Label label_;  // unnumbered_ with the number of the operation
  const data::Operator* op_ = nullptr;
  Expected expected_;
  std::unique_ptr<NativeRun> native_;  // replaces the one round, without ops, of a native plan
  bool on_vectors_ = false;            // op_ takes whole vectors
  int operator_code_ = 0;
  std::uint32_t round_ = 0;
  std::uint64_t begun_ = 0, round_begun_ = 0;  // ticks of an execution besides calls, for the trace
  std::int64_t bytes_ = 0;                     // of the whole vector
  bool entered_ = false;                       // states_ are those of round_
  // Sender and receiver of each block both know if it is empty.
  bool both_ends_count_ = false;
  bool evenly_cut_ = true;
  std::vector<OpState> states_;             // one per entry of plan.ops
  std::vector<Step> steps_;                 // one per entry of plan.ops
  std::vector<std::int64_t> operand_done_;  // elements folded in; one per entry of plan.operands
  // One per round: each of its messages is one packet without a fragment.
  std::vector<bool> short_round_;
  std::vector<bool> only_sends_;  // one per round: this rank waits for nobody's message
  // Results of staged ops, one per entry of plan.ops where there is a staged op.
  std::vector<std::vector<std::byte>> staging_;
  // Copy of a message that a user's function gets in place of the sender's memory.
  std::vector<std::byte> private_operand_;
  // Whole messages for an operator on whole vectors, one per entry of plan.ops.
  std::vector<std::vector<std::byte>> collected_;
  mutable std::vector<int> waited_for_;  // endpoints, for reports
};

}  // namespace tutti::engine
