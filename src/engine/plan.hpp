// SPDX-License-Identifier: BSD-3-Clause
// A plan: one algorithm for one operation of one group, lowered and ready to run any number of
// times on any data. Groups make plans; the C interface runs them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/arguments.hpp"
#include "engine/executor.hpp"
#include "engine/lowered.hpp"
#include "engine/maxloc.hpp"
#include "group/members.hpp"
#include "selection/settings.hpp"

namespace tutti::engine {

// A caller's request for a plan. Equal requests yield the same plan.
struct Request {
  const schedule::Generator* generator = nullptr;
  int root = 0;
  int branches = 1;
  int rings = 1;
  int segments = 1;
  std::vector<int> factors{};
  int cut = 0;
  friend bool operator==(const Request&, const Request&) = default;

  [[nodiscard]] selection::Settings settings() const {
    return {branches, rings, segments, factors, cut};
  }
};

class Execution;

class Plan {
 public:
  // Throws Error if the generator does not serve this shape. Without `in_flight`, no other
  // operation runs at the same time. `mode` is how run() appears to other operations. The members
  // of a native plan are the ranks `mpi`.
  Plan(const group::Members& members, int rank, const Request& request,
       transport::Transport& transport, InFlight* in_flight = nullptr, Mode mode = Mode::blocking,
       const transport::wire::NativeRanks& mpi = {});
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // Throws Error(invalid_argument) unless the operands are those the operation needs on this rank.
  void check(const Arguments& arguments) const;
  // Blocks until this rank's part is done. `sequence` is the number of the operation in its group.
  // The caller has checked the arguments.
  void run(std::uint32_t sequence, const Arguments& arguments);
  // Starts what run() does in one call. The caller of advance() may drive several executions in
  // turn. Located operators cannot be run in this way.
  void start(std::uint32_t sequence, const Arguments& arguments) {
    ++bindings_;
    start(executor_, sequence, arguments);
  }
  Look advance() { return executor_.advance(); }
  // Returns an execution that can run beside others: one that was given back, or a new one.
  [[nodiscard]] std::unique_ptr<Execution> lend();
  void give_back(std::unique_ptr<Execution> execution);
  [[nodiscard]] int lent() const { return lent_; }
  void start(Executor& executor, std::uint32_t sequence, const Arguments& arguments) const;
  [[nodiscard]] Executor make_executor(Mode mode);
  // Repeats the last execution with new addresses. The number of elements, type and operator stay;
  // operands are contiguous; the operator is not located. Allowed while bindings() is what it was
  // after that execution.
  void run_again(std::uint32_t sequence, void* input, void* output) {
    executor_.start_again(sequence, input, output);
    executor_.run();
  }
  // Called before run_again(): the operator has the type and the signature of the last one.
  void replace_operator(const data::Operator& op) { executor_.replace_operator(op); }
  [[nodiscard]] std::uint32_t bindings() const { return bindings_; }
  // Returns what the operator's function has returned in the last run(): 0 unless it has failed.
  [[nodiscard]] int operator_code() const { return executor_.operator_code(); }
  // Returns true if the MPI itself runs the plan, without rounds of messages.
  [[nodiscard]] bool native() const { return mpi_.job != nullptr; }

  // Frees the memory that is kept from one run to the next.
  void release();

  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] schedule::Operation operation() const { return request_.generator->operation; }
  [[nodiscard]] schedule::Shape shape() const;
  [[nodiscard]] int rank() const { return rank_; }
  // Returns the Program that is executed, read back from its lowered form.
  [[nodiscard]] schedule::Program program() const;
  [[nodiscard]] std::string text() const;
  // Returns a line like "broadcast fully_connected over 4 ranks, root 0, branches 1, rings 1: 1
  // rounds".
  [[nodiscard]] std::string describe() const;
  // Throws Error(no_such_plan) if this rank does not execute what the schedule says. For schedules
  // from files, which were proved when they were read.
  void check_executed() const;
  // Throws Error(no_such_plan) with the counter-example if the schedule is wrong for this p. Proves
  // what is executed: the Programs read back from the lowered plans of all ranks.
  void verify() const;

 private:
  [[nodiscard]] LoweredPlan lowered(transport::Transport& transport) const;
  [[nodiscard]] Caller caller() const {
    return {operation(), request_.root, rank_, members_->size(), request_.generator->in_place};
  }
  [[nodiscard]] std::uint32_t name_in_trace() const;
  void check_native(const Arguments& arguments) const;
  void check_whole_vectors(const Arguments& arguments) const;

  // How a plan waits if nothing else goes on in its process.
  struct Alone {
    explicit Alone(transport::Transport& transport) : waiter(transport) {}
    transport::Waiter waiter;
    InFlight in_flight{waiter};
  };

  const group::Members* members_;
  int rank_;
  Request request_;
  transport::wire::NativeRanks mpi_;  // of a native plan; otherwise none
  bool local_counts_;                 // serves calls whose counts not every rank knows
  transport::Transport* transport_;
  std::unique_ptr<Alone> alone_;  // used if the constructor gets no InFlight
  InFlight* in_flight_;
  LoweredPlan lowered_;
  Executor executor_;
  Maxloc maxloc_;               // runs operators with location
  std::uint32_t bindings_ = 0;  // counts releases, and executions that were not repetitions
  std::vector<std::unique_ptr<Execution>> spare_;
  int lent_ = 0;
};

}  // namespace tutti::engine
