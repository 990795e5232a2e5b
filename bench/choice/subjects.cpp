// SPDX-License-Identifier: BSD-3-Clause
// Measures the choices of a group, and plans that consist of one kind of micro-operation on 8
// bytes.
#include "choice/subjects.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

#include "engine/group.hpp"
#include "transport/shm/transport.hpp"

namespace tutti::bench {
namespace {

using engine::Arguments;
using engine::Plan;
using schedule::Buffer;
using schedule::Operation;
using schedule::Rank;
using schedule::Round;
using schedule::Shape;
using transport::shm::Mapping;
using transport::shm::ShmTransport;

constexpr int choice_goal = 50, step_goal = 20, first_choice_goal = 1'000'000;  // goals in ns
constexpr int steps = 32;  // steps of a plan: half the lines of a ring

template <class Body>
Figures measure(const std::string& name, int goal, int things, int series, int runs,
                const Body& body) {
  std::vector<double> times;
  for (int i = 0; i < series; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (int run = 0; run < runs; ++run) body(run);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    times.push_back(taken.count() / runs / things);
  }
  std::sort(times.begin(), times.end());
  return {name, times[times.size() / 2], times.front(), goal};
}

Mapping mapping_of(int endpoints) {
  transport::shm::SegmentOptions options;
  options.world_size = static_cast<std::uint32_t>(endpoints);
  return Mapping::create(options);
}

group::Members members_of(int p) {
  std::vector<int> endpoints(static_cast<std::size_t>(p));
  std::iota(endpoints.begin(), endpoints.end(), 0);
  return {std::move(endpoints), 0};
}

// Measures how long a process takes for its first choice: it reads the profile, prices the
// candidates and makes the plan.
void measure_first_choice(std::vector<Figures>& all, int p, int series) {
  const Mapping mapping = mapping_of(p);
  ShmTransport transport(mapping, 0);
  const auto choose = [&](int) {
    transport::Waiter waiter(transport);
    engine::InFlight in_flight(waiter);
    engine::LazyChooser choice{selection::Policy()};
    engine::Group group(members_of(p), 0, {transport, in_flight, choice});
    const Plan* chosen =
        &group.chosen(Operation::allreduce,
                      {.root = 0, .bytes = 4096, .commutative = true, .native_serves = true});
    asm volatile("" : : "r"(chosen) : "memory");  // keeps the compiler from removing the choice
  };
  all.push_back(measure("first choice, " + std::to_string(p) + " processes", first_choice_goal, 1,
                        series, 1, choose));
}

// Measures how long a group takes to choose plans.
void measure_choices(std::vector<Figures>& all, int series, int runs) {
  const Mapping mapping = mapping_of(4);
  ShmTransport transport(mapping, 0);
  transport::Waiter waiter(transport);
  engine::InFlight in_flight(waiter);
  engine::LazyChooser choice{selection::Policy()};
  engine::Group group(members_of(4), 0, {transport, in_flight, choice});
  constexpr std::array<std::int64_t, 8> sizes = {8,      100,     1000,      5000,
                                                 20'000, 100'000, 1'000'000, 8'000'000};
  const auto choose = [&](std::int64_t bytes) {
    const Plan* chosen =
        &group.chosen(Operation::allreduce,
                      {.root = 0, .bytes = bytes, .commutative = true, .native_serves = true});
    asm volatile("" : : "r"(chosen) : "memory");  // keeps the compiler from removing the choice
  };
  for (const std::int64_t bytes : sizes) choose(bytes);
  all.push_back(measure("choose: same size as last time", choice_goal, 1, series, runs,
                        [&](int) { choose(8); }));
  all.push_back(
      measure("choose: another size every time", choice_goal, 1, series, runs,
              [&](int run) { choose(sizes[static_cast<std::size_t>(run) % sizes.size()]); }));
}

// The functions below describe plans that consist of one kind of micro-operation.
int all_steps(const Shape&) {
  return steps;
}
int one_round(const Shape&) {
  return 1;
}
schedule::Buffers vectors(const Shape&) {
  return {steps, steps, 0, steps};
}
bool always(const Shape&) {
  return true;
}

// Blocks that are not neighbours. Neighbours would be merged into one block.
int scattered(int block) {
  return block * 7 % steps;
}

void copies(Round& out, const Shape&, Rank, int) {
  for (int i = 0; i < steps; ++i) out.copy({{Buffer::output, i}}, {{Buffer::input, scattered(i)}});
}
void messages(Round& out, const Shape&, Rank me, int t) {
  if (num(me) == 0) return out.send({{Buffer::input, scattered(t)}}, Rank{1});
  out.receive({{Buffer::output, t}}, Rank{0});
}
void sums(Round& out, const Shape&, Rank me, int t) {
  if (num(me) == 0) return out.send({{Buffer::input, scattered(t)}}, Rank{1});
  out.receive_combine({{Buffer::output, t}},
                      {schedule::local({{Buffer::input, t}}), schedule::remote(Rank{0})});
}

constexpr schedule::Generator copying = {
    "copies", Operation::allreduce, one_round, vectors, copies, always, schedule::Operators::any};
constexpr schedule::Generator moving = {
    "messages", Operation::allreduce,    all_steps, vectors, messages,
    always,     schedule::Operators::any};
constexpr schedule::Generator adding = {"sums", Operation::allreduce,    all_steps, vectors, sums,
                                        always, schedule::Operators::any};

// One rank of a plan, with its data.
class Player {
 public:
  Player(const Mapping& mapping, const group::Members& members, int rank,
         const schedule::Generator& generator)
      : transport_(mapping, rank),
        plan_(members, rank, {&generator}, transport_),
        waiter_(transport_),
        call_(plan_, in_flight_, engine::Mode::blocking) {
    std::iota(input_.begin(), input_.end(), 100 * rank);
    arguments_.input = &from_;
    arguments_.output = &to_;
    arguments_.op = &sum_;
  }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  void run(std::uint32_t sequence) { call_.run(sequence, arguments_); }
  void run_again(std::uint32_t sequence) {
    call_.run_again(sequence, input_.data(), output_.data(), nullptr);
  }
  // Returns true if every block of the output has its right value; `own` is this rank's share.
  [[nodiscard]] bool holds(int own) const {
    for (int t = 0; t < steps; ++t) {
      if (output_[static_cast<std::size_t>(t)] != scattered(t) + own * (100 + t)) return false;
    }
    return true;
  }

 private:
  ShmTransport transport_;
  Plan plan_;
  transport::Waiter waiter_;
  engine::InFlight in_flight_{waiter_};
  engine::BoundCall call_;
  std::array<double, steps> input_{}, output_{};
  data::Operator sum_ = data::Operator::of(data::Builtin::sum, data::Element::float64);
  engine::CallOperand from_{input_.data(), data::Layout::contiguous(steps), sizeof(double)};
  engine::CallOperand to_{output_.data(), data::Layout::contiguous(steps), sizeof(double)};
  Arguments arguments_;
};

void require(bool right, const std::string& name) {
  if (!right) throw std::runtime_error("wrong result: " + name);
}

void measure_copies(std::vector<Figures>& all, int series, int runs) {
  const std::string name = "micro-operation: copy";
  const Mapping mapping = mapping_of(1);
  const group::Members members = members_of(1);
  Player player(mapping, members, 0, copying);
  std::uint32_t sequence = 0;
  player.run(sequence++);
  require(player.holds(0), name);
  all.push_back(
      measure(name, step_goal, steps, series, runs, [&](int) { player.run_again(sequence++); }));
}

// Rank 0 sends everything, and then rank 1 receives it, so neither waits.
void measure_messages(std::vector<Figures>& all, const std::string& name,
                      const schedule::Generator& generator, int own, int series, int runs) {
  const Mapping mapping = mapping_of(2);
  const group::Members members = members_of(2);
  Player sender(mapping, members, 0, generator), receiver(mapping, members, 1, generator);
  std::uint32_t sequence = 0;
  sender.run(sequence);
  receiver.run(sequence++);
  require(receiver.holds(own), name);
  all.push_back(measure(name, step_goal, 2 * steps, series, runs, [&](int) {
    sender.run_again(sequence);
    receiver.run_again(sequence++);
  }));
}

}  // namespace

std::vector<Figures> measure_all(int series, int runs) {
  std::vector<Figures> all;
  for (const int p : {8, 32}) measure_first_choice(all, p, series);
  measure_choices(all, series, runs);
  const int plan_runs = std::max(runs / steps, 1);
  measure_copies(all, series, plan_runs);
  measure_messages(all, "micro-operation: send or receive", moving, 0, series, plan_runs);
  measure_messages(all, "micro-operation: send or receive and add", adding, 1, series, plan_runs);
  return all;
}

}  // namespace tutti::bench
