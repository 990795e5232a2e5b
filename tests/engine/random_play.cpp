// SPDX-License-Identifier: BSD-3-Clause
// Executes random Programs over the loopback network and compares each block of output with the
// verifier's expression for it. The operator is not associative, so an operation in another order
// or grouping shows too.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "base/error.hpp"
#include "engine/lowered_run.hpp"
#include "engine/proof.hpp"
#include "oracle.hpp"
#include "random_program.hpp"
#include "schedule/normalize.hpp"
#include "schedule/partition.hpp"
#include "schedule/verifier.hpp"
#include "transport/loopback/network.hpp"

namespace tutti::engine::test {
namespace {

using schedule::Buffer;
using schedule::Placement;
using transport::loopback::LoopbackNetwork;
using transport::loopback::LoopbackOptions;

constexpr const char* deadlock = "deadlock";
constexpr Value never_written = 0xdeadbeefdeadbeefU;

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

Value mix(Value left, Value right) {
  Value x = left * 3 + right;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  return x ^ (x >> 27);
}

void mix_arrays(void* result, const void* left, const void* right, std::int64_t count, void*) {
  for (std::int64_t i = 0; i < count; ++i)
    static_cast<Value*>(result)[i] =
        mix(static_cast<const Value*>(left)[i], static_cast<const Value*>(right)[i]);
}

const data::Operator& mixing() {
  static const data::Operator op = data::Operator::from_user(
      sizeof(Value), mix_arrays, nullptr, data::Commutes::no, data::Grain::elements);
  return op;
}

const data::Operator& mixing_vectors() {
  static const data::Operator op = data::Operator::from_user(
      sizeof(Value), mix_arrays, nullptr, data::Commutes::no, data::Grain::vector);
  return op;
}

bool accepts(const std::string& problem) {
  return problem.empty() || problem.starts_with("result:");
}

std::string problem_of(const RandomCase& c, const std::vector<schedule::Program>& programs,
                       Placement placement, schedule::ScheduleHistory* history = nullptr) {
  return schedule::verify(c.operation, c.shape, c.buffers, programs, placement, history).problem;
}

class Play {
 public:
  Play(const RandomCase& c, const std::vector<schedule::Program>& programs,
       const schedule::Memory& expected, std::mt19937& random)
      : c_(c), programs_(programs), expected_(expected), random_(random) {}

  std::string run() {
    draw_sizes();
    whole_vectors_ = c_.buffers.parts == 1 && random_() % 2 == 0;
    LoopbackOptions options;
    options.packets = 1 + random_() % 3;
    options.fragments = 1 + random_() % 4 / 2;
    options.fragment_limit = random_() % 2 == 0 ? 64 : 128;
    LoopbackNetwork network(c_.shape.p, options);
    for (int rank = 0; rank < c_.shape.p; ++rank) add_rank(network, rank);
    try {
      if (!advance_all())
        return fmt::format("{} with n={} packets={} fragments={} limit={}{}", deadlock, n_,
                           options.packets, options.fragments, options.fragment_limit,
                           whole_vectors_ ? " vectors" : "");
    } catch (const base::Error& error) {
      return fmt::format("n={}: {}", n_, error.what());
    }
    if (!network.quiet()) return "a message was sent that nobody received";
    return compare_output();
  }

 private:
  struct Side {
    std::unique_ptr<transport::Waiter> waiter;
    std::unique_ptr<InFlight> in_flight;
    LoweredPlan plan;
    std::unique_ptr<Run> run;
    std::vector<Value> input, output;
    Value* input_at = nullptr;
    CallOperand from, to;
  };

  void draw_sizes() {
    const bool by_rank = schedule::cut_by_rank(c_.operation, c_.buffers);
    static constexpr int sizes[] = {0, 1, 2, 3, 9, 13, 24, 40};
    n_ = sizes[random_() % 8] * (random_() % 4 == 0 ? 1 : c_.buffers.parts);
    if (by_rank) n_ = (n_ + c_.shape.p - 1) / c_.shape.p * c_.shape.p;
    cuts_.resize(at(c_.buffers.parts + 1));
    if (by_rank) {
      schedule::cut_for_ranks(cuts_, c_.shape.p, [&](int) { return n_ / c_.shape.p; });
    } else {
      schedule::cut_evenly(cuts_, n_);
    }
  }
  std::int64_t elements(int rank, Buffer buffer) const {
    std::int64_t sum = 0;
    for (int i = 0; i < expected_.blocks(rank, buffer); ++i)
      sum += size(expected_.part(rank, buffer, i));
    return sum;
  }
  std::int64_t size(int part) const { return cuts_[at(part + 1)] - cuts_[at(part)]; }
  std::int64_t first_of(int rank, Buffer buffer) const {
    return cuts_[at(expected_.part(rank, buffer, 0))];
  }

  void add_rank(LoopbackNetwork& network, int rank) {
    Side& side = *sides_.emplace_back(std::make_unique<Side>());
    side.plan =
        lower(programs_[at(rank)], c_.buffers, network.endpoint(rank), endpoints_of(), rank);
    side.plan.cut_by_rank = schedule::cut_by_rank(c_.operation, c_.buffers);
    transport::Transport& endpoint = network.endpoint(rank);
    side.waiter = std::make_unique<transport::Waiter>(endpoint);
    side.in_flight = std::make_unique<InFlight>(*side.waiter);
    side.run = std::make_unique<LoweredRun>(
        side.plan, endpoint, *side.in_flight,
        Identity{
            {c_.operation, c_.shape.root, rank, c_.shape.p}, 1, Mode::blocking, endpoints_of()});
    side.input.assign(at(elements(rank, Buffer::input)), never_written);
    side.output.assign(at(elements(rank, Buffer::output)), never_written);
    place_input(side, rank);
    side.from = {side.input_at, data::Layout::contiguous(elements(rank, Buffer::input)),
                 sizeof(Value)};
    side.to = {output_of(side, rank), data::Layout::contiguous(elements(rank, Buffer::output)),
               sizeof(Value)};
    side.run->start(0, {&side.from, &side.to, whole_vectors_ ? &mixing_vectors() : &mixing()});
  }
  bool in_place(int rank) const {
    return c_.placement == Placement::in_place && expected_.blocks(rank, Buffer::input) > 0 &&
           expected_.blocks(rank, Buffer::output) > 0;
  }
  // In place, one of the two buffers is a part of the other, which has the memory.
  void place_input(Side& side, int rank) const {
    side.input_at = side.input.data();
    if (in_place(rank) && !c_.buffers.output_own_part)
      side.input_at =
          side.output.data() + (c_.buffers.input_own_part ? first_of(rank, Buffer::input) : 0);
    for (std::int64_t i = 0; i < elements(rank, Buffer::input); ++i)
      side.input_at[i] =
          value_of(rank, i + (c_.buffers.input_own_part ? first_of(rank, Buffer::input) : 0));
    if (c_.operation != schedule::Operation::broadcast || rank != c_.shape.root) return;
    for (std::int64_t i = 0; i < n_; ++i) side.output[at(i)] = value_of(rank, i);
  }
  Value* output_of(Side& side, int rank) const {
    return in_place(rank) && c_.buffers.output_own_part
               ? side.input_at + first_of(rank, Buffer::output)
               : side.output.data();
  }
  std::span<const int> endpoints_of() {
    if (endpoints_.empty()) {
      endpoints_.resize(at(c_.shape.p));
      std::iota(endpoints_.begin(), endpoints_.end(), 0);
    }
    return endpoints_;
  }

  // Advances ranks in random order. Some plays begin with run(), which takes short rounds op by op
  // until it would have to wait.
  bool advance_all() {
    std::vector<Side*> active;
    const bool short_rounds = random_() % 3 == 0;
    for (const auto& side : sides_) {
      if (short_rounds) try {
          side->run->run({});
          continue;
        } catch (const base::Error& error) {
          if (error.status() != base::Status::would_wait) throw;
        }
      active.push_back(side.get());
    }
    const auto done = [](Side* side) { return side->run->advance() == Look::done; };
    for (std::size_t idle = 0; !active.empty();) {
      const std::size_t pick = random_() % active.size();
      const Look progress = active[pick]->run->advance();
      idle = progress == Look::nothing ? idle + 1 : 0;
      if (progress == Look::done) {
        active.erase(active.begin() + static_cast<std::ptrdiff_t>(pick));
      } else if (idle > 4 * active.size()) {
        bool moved = false;
        for (Side* side : active) moved = side->run->advance() != Look::nothing || moved;
        if (!moved) return false;
        std::erase_if(active, done);
        idle = 0;
      }
    }
    return true;
  }

  const std::vector<Value>& values(schedule::Value expression) {
    std::vector<Value>& found = known_[expression];
    if (!found.empty() || expression == schedule::nothing) return found;
    const schedule::Expressions& e = expected_.expressions();
    std::vector<Value> made;
    if (const auto terms = e.terms_of(expression)) {
      const std::vector<Value> left = values(terms->first), right = values(terms->second);
      for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
        made.push_back(mix(left[i], right[i]));
    } else {
      const int part = e.part_of(expression);
      for (std::int64_t i = 0; i < size(part); ++i)
        made.push_back(value_of(e.rank_of(expression), cuts_[at(part)] + i));
    }
    return known_[expression] = made;
  }

  std::string compare_output() {
    for (int rank = 0; rank < c_.shape.p; ++rank) {
      const Value* output = output_of(*sides_[at(rank)], rank);
      std::int64_t position = 0;
      for (int i = 0; i < expected_.blocks(rank, Buffer::output); ++i) {
        const std::int64_t count = size(expected_.part(rank, Buffer::output, i));
        const schedule::Value wanted = expected_[expected_.cell(rank, Buffer::output, i)];
        const std::vector<Value>& by_element = values(wanted);
        for (std::int64_t k = 0; k < count; ++k) {
          const Value right = wanted == schedule::nothing ? never_written : by_element.at(at(k));
          if (output[position + k] != right)
            return fmt::format("n={}: rank {} output[{}] element {} is not {}", n_, rank, i, k,
                               expected_.expressions().to_text(wanted));
        }
        position += count;
      }
    }
    return {};
  }

  const RandomCase& c_;
  const std::vector<schedule::Program>& programs_;
  const schedule::Memory& expected_;
  std::mt19937& random_;
  std::int64_t n_ = 0;
  bool whole_vectors_ = false;  // the operator takes whole vectors
  std::vector<std::int64_t> cuts_;
  std::vector<int> endpoints_;
  std::vector<std::unique_ptr<Side>> sides_;
  std::map<schedule::Value, std::vector<Value>> known_;
};

// Returns the Programs that the engine would execute, read back from their lowered form.
std::vector<schedule::Program> executed(const RandomCase& c) {
  std::vector<schedule::Program> programs;
  for (int rank = 0; rank < c.shape.p; ++rank)
    programs.push_back(
        executed_program(schedule::normalized(c.programs[at(rank)]), c.buffers, rank, c.shape.p));
  return programs;
}

}  // namespace

Outcome compare(const RandomCase& drawn, int plays, std::mt19937& random) {
  for (const Placement placement : {Placement::separate, Placement::in_place})
    if (!accepts(problem_of(drawn, drawn.programs, placement))) return {};
  std::vector<schedule::Program> programs;
  try {
    programs = executed(drawn);
  } catch (const base::Error& error) {
    return {true, fmt::format("accepted, but not lowered: {}", error.what())};
  }
  schedule::ScheduleHistory drawn_history, history;
  problem_of(drawn, drawn.programs, drawn.placement, &drawn_history);
  const std::string problem = problem_of(drawn, programs, drawn.placement, &history);
  if (!accepts(problem))
    return {true, fmt::format("accepted, but not its lowered form: {}", problem)};
  for (int rank = 0; rank < drawn.shape.p; ++rank)
    for (int i = 0; i < history.memory->blocks(rank, Buffer::output); ++i) {
      const int cell = history.memory->cell(rank, Buffer::output, i);
      const std::string before =
          drawn_history.memory->expressions().to_text((*drawn_history.memory)[cell]);
      const std::string after = history.memory->expressions().to_text((*history.memory)[cell]);
      if (before != after)
        return {true, fmt::format("lowered form gives output[{}] of rank {}: {} for {}", i, rank,
                                  after, before)};
    }
  for (int i = 0; i < plays; ++i) {
    const std::string difference = Play(drawn, programs, *history.memory, random).run();
    if (!difference.empty()) return {true, difference};
  }
  return {true, {}};
}

bool may_wait_for_ever(const RandomCase& drawn, int plays, std::mt19937& random) {
  const std::vector<schedule::Program> programs = executed(drawn);
  const schedule::Memory memory(drawn.operation, drawn.shape, drawn.buffers, drawn.placement);
  for (int i = 0; i < plays; ++i)
    if (Play(drawn, programs, memory, random).run().starts_with(deadlock)) return true;
  return false;
}

}  // namespace tutti::engine::test
