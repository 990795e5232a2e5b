// SPDX-License-Identifier: BSD-3-Clause
// A plan: one algorithm for one operation of one group, lowered to the group's channels. It does
// not change; bound calls (bound_call.hpp) run it any number of times on any data.
#pragma once

#include <memory>
#include <string>

#include "engine/arguments.hpp"
#include "engine/lowered.hpp"
#include "engine/run.hpp"
#include "group/members.hpp"
#include "selection/settings.hpp"
#include "transport/wire/native_ranks.hpp"

namespace tutti::engine {

// A caller's request for a plan. Equal requests yield the same plan.
struct Request {
  const schedule::Generator* generator = nullptr;
  int root = 0;
  selection::Settings settings{};
  friend bool operator==(const Request&, const Request&) = default;
};

class Plan {
 public:
  // Throws Error if the generator does not serve this shape. The members of a native plan are the
  // ranks `mpi`.
  Plan(const group::Members& members, int rank, const Request& request,
       transport::Transport& transport, const transport::wire::NativeRanks& mpi = {});
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // Throws Error(invalid_argument) unless the operands are those the operation needs on this rank.
  void check(const Arguments& arguments) const;
  // `mode` is how the run appears to other operations.
  [[nodiscard]] std::unique_ptr<Run> make_run(InFlight& in_flight, Mode mode) const;
  [[nodiscard]] Caller caller() const {
    return {operation(), request_.root, rank_, members_->size(), request_.generator->in_place};
  }
  [[nodiscard]] const base::Tuning& tuning() const { return transport_->tuning(); }
  // Returns true if the MPI itself runs the plan, without rounds of messages.
  [[nodiscard]] bool native() const { return mpi_.job != nullptr; }

  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] schedule::Operation operation() const { return request_.generator->operation; }
  [[nodiscard]] schedule::Shape shape() const {
    return request_.settings.shape(members_->size(), request_.root);
  }
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
  [[nodiscard]] LoweredPlan lowered() const;
  [[nodiscard]] std::uint32_t name_in_trace(trace::Tracer* recorder) const;
  void check_native(const Arguments& arguments) const;
  void check_whole_vectors(const Arguments& arguments) const;

  const group::Members* members_;
  int rank_;
  Request request_;
  transport::wire::NativeRanks mpi_;  // of a native plan; otherwise none
  transport::Transport* transport_;
  LoweredPlan lowered_;
  bool local_counts_;  // serves calls whose counts not every rank knows
};

}  // namespace tutti::engine
