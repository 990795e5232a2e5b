// SPDX-License-Identifier: BSD-3-Clause
// A plan: one algorithm for one operation of one group, lowered and ready to run any number of
// times on any data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/arguments.hpp"
#include "engine/executor.hpp"
#include "engine/lowered.hpp"
#include "engine/pairwise_maxloc.hpp"
#include "group/members.hpp"
#include "selection/settings.hpp"

namespace tutti::engine {

// What a plan is asked for. Equal requests yield the same plan.
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
  // Throws Error when the generator does not serve this shape. Without `in_flight`, nothing else
  // is. `mode` is how run() appears to other operations. The members of a native plan are all ranks
  // of `mpi`.
  Plan(const group::Members& members, int rank, const Request& request,
       transport::Transport& transport, InFlight* in_flight = nullptr, Mode mode = Mode::blocking,
       const transport::wire::WireJob* mpi = nullptr);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // Throws Error(invalid_argument) unless the operands are those the operation needs on this rank.
  void check(const Arguments& arguments) const;
  // Blocks until this rank's part is done. `sequence` counts the operations of the group. The
  // arguments were checked.
  void run(std::uint32_t sequence, const Arguments& arguments);
  // The same in pieces, for whoever drives several executions; not for located operators.
  void start(std::uint32_t sequence, const Arguments& arguments) {
    ++bindings_;
    start(executor_, sequence, arguments);
  }
  Progress advance() { return executor_.advance(); }
  // An execution beside those that are under way: one that is not in use any more, or a new one.
  [[nodiscard]] std::unique_ptr<Execution> lend();
  void give_back(std::unique_ptr<Execution> execution);
  [[nodiscard]] int lent() const { return lent_; }
  void start(Executor& executor, std::uint32_t sequence, const Arguments& arguments) const;
  [[nodiscard]] Executor make_executor(Mode mode);
  // The last execution once more with other addresses: same number of elements, type and operator,
  // contiguous operands, no located operator. Only as long as bindings() is what it was after that
  // execution.
  void run_again(std::uint32_t sequence, void* input, void* output) {
    executor_.start_again(sequence, input, output);
    executor_.run();
  }
  // The same of a located operator on n elements, as many as the last time and not too many;
  // where.layout is not looked at.
  void run_located_again(std::uint32_t sequence, std::int64_t n, void* input, void* output,
                         const Locations& where);
  [[nodiscard]] static bool runs_located_again(std::int64_t n) { return n <= delivered_at_once; }
  [[nodiscard]] std::uint32_t bindings() const { return bindings_; }
  // Run by the MPI itself, not by rounds of messages.
  [[nodiscard]] bool native() const { return mpi_ != nullptr; }

  // Frees what is kept from one run to the next.
  void release();

  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] schedule::Operation operation() const { return request_.generator->operation; }
  // What is executed, read back from the lowered form.
  [[nodiscard]] schedule::Program program() const;
  [[nodiscard]] std::string text() const;
  // "broadcast fully_connected over 4 ranks, root 0: 1 rounds".
  [[nodiscard]] std::string describe() const;
  // Throws Error(no_such_plan) with the counter-example if the schedule is not right for this p.
  void verify() const;

 private:
  [[nodiscard]] schedule::Shape shape() const;
  [[nodiscard]] LoweredPlan lowered(transport::Transport& transport) const;
  [[nodiscard]] Caller caller() const {
    return {operation(), request_.root, rank_, members_->size()};
  }
  void check_native(const Arguments& arguments) const;
  void run_located(std::uint32_t sequence, const Arguments& arguments);
  void run_leaves(std::uint32_t sequence, const Arguments& arguments);
  // Elements first to first + count - 1 of the vector.
  void collect_located(std::int64_t first, std::int64_t count, const Arguments& arguments);
  void deliver_located(const std::byte* winners, std::int64_t first, std::int64_t count,
                       const Arguments& arguments) const;
  [[nodiscard]] bool receives_result() const;
  [[nodiscard]] std::int32_t distance_from(int root) const;
  void distances_to_ranks(std::int32_t* ranks, std::int64_t count, int root) const;
  void check_whole_vectors(const Arguments& arguments) const;

  // Elements of a located operator that become values and ranks at a time, while they are in the
  // cache of the first level.
  static constexpr std::int64_t delivered_at_once = 512;

  const group::Members* members_;
  int rank_;
  Request request_;
  const transport::wire::WireJob* mpi_;  // of a native plan; else nullptr
  bool local_counts_;  // whether it serves calls whose counts are not known everywhere
  transport::Transport* transport_;
  std::unique_ptr<InFlight> nothing_else_;  // where nobody gave one
  InFlight* in_flight_;
  LoweredPlan lowered_;
  Executor executor_;
  std::unique_ptr<PairwiseMaxloc>
      pairwise_maxloc_;          // where located operators can do without distances
  std::uint32_t bindings_ = 0;   // counts executions that were not repetitions, and releases
  std::vector<std::byte> wire_;  // of a part of a vector; located operators only
  std::vector<std::unique_ptr<Execution>> spare_;
  int lent_ = 0;
};

}  // namespace tutti::engine
