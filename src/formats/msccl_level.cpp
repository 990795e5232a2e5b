// SPDX-License-Identifier: BSD-3-Clause
// Makes rounds of steps. A step is one or two halves: one that receives or works, and one that
// sends. The k-th send of a GPU to another one on a channel and the k-th receive there are one
// event. A half that waits for a receive or for work goes into a later round. One that waits for a
// send may go into the same round, because sends read the state before it. So events that wait only
// for each other's sends in a circle, as in an exchange, have one round.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "formats/check.hpp"
#include "formats/msccl_steps.hpp"
#include "schedule/components.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;
using schedule::Blocks;
using schedule::Op;
using schedule::Rank;

struct Half {
  enum class Role : std::uint8_t { receives_or_works, sends };
  int gpu = 0, thread_block = 0, step = 0;
  Role role = Role::receives_or_works;
  [[nodiscard]] bool sending() const { return role == Role::sends; }
};

struct Event {
  std::vector<Half> halves;    // one, or a send and its receive
  std::vector<int> followers;  // events that may have the same round
  std::vector<int> later;      // events that may not
};

bool meet(const Block& a, const Block& b) {
  return a.buffer == b.buffer && a.first < b.first + b.count && b.first < a.first + a.count;
}

class Levelling {
 public:
  Levelling(const std::vector<Gpu>& gpus, Schedule& schedule)
      : gpus_(gpus), schedule_(schedule), first_round_(rounds_of(schedule)) {}

  std::string run() {
    make_events();
    if (!problem_.empty()) return problem_;
    join_steps();
    place_all();
    return problem_;
  }

 private:
  static std::size_t rounds_of(const Schedule& schedule) {
    return schedule.programs.front().size();
  }

  const Step& step_of(const Half& half) const {
    return gpus_[static_cast<std::size_t>(half.gpu)][static_cast<std::size_t>(half.thread_block)]
        .steps[static_cast<std::size_t>(half.step)];
  }
  const ThreadBlock& block_of(const Half& half) const {
    return gpus_[static_cast<std::size_t>(half.gpu)][static_cast<std::size_t>(half.thread_block)];
  }

  // Makes an event of every step that exchanges nothing, and of every send with its receive.
  void make_events() {
    using Pair = std::tuple<int, int, int>;  // sender, receiver, channel
    std::map<Pair, std::vector<Half>> sent, received;
    for (int gpu = 0; gpu < static_cast<int>(gpus_.size()); ++gpu) {
      const Gpu& blocks = gpus_[static_cast<std::size_t>(gpu)];
      for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
        const ThreadBlock& block = blocks[static_cast<std::size_t>(b)];
        for (int s = 0; s < static_cast<int>(block.steps.size()); ++s) {
          const StepType type = block.steps[static_cast<std::size_t>(s)].type;
          if (receives(type))
            received[{block.receive, gpu, block.channel}].push_back(
                {gpu, b, s, Half::Role::receives_or_works});
          if (sends(type))
            sent[{gpu, block.send, block.channel}].push_back({gpu, b, s, Half::Role::sends});
          if (!receives(type) && !sends(type))
            events_.push_back({{{gpu, b, s, Half::Role::receives_or_works}}, {}, {}});
        }
      }
    }
    for (auto& [pair, sends_of_pair] : sent) join(pair, sends_of_pair, received[pair]);
    for (const auto& [pair, receives_of_pair] : received)
      if (!receives_of_pair.empty() && !sent.contains(pair))
        unmatched(pair, 0, receives_of_pair.size());
  }

  void unmatched(const std::tuple<int, int, int>& pair, std::size_t sent, std::size_t received) {
    problem_ = fmt::format("GPU {} sends {} messages to GPU {} on channel {}, which receives {}",
                           std::get<0>(pair), sent, std::get<1>(pair), std::get<2>(pair), received);
  }

  void join(const std::tuple<int, int, int>& pair, const std::vector<Half>& sent,
            const std::vector<Half>& received) {
    if (sent.size() != received.size()) return unmatched(pair, sent.size(), received.size());
    for (std::size_t i = 0; i < sent.size(); ++i)
      events_.push_back({{sent[i], received[i]}, {}, {}});
  }

  // A half waits for all halves of the step before it in its thread block, of the step that it
  // names, and for the receiving half of its own step.
  void join_steps() {
    for (std::size_t i = 0; i < events_.size(); ++i)
      for (const Half& half : events_[i].halves)
        events_of_step_[{half.gpu, half.thread_block, half.step}].push_back(static_cast<int>(i));
    for (int i = 0; i < static_cast<int>(events_.size()); ++i) {
      for (const Half& half : event(i).halves) {
        const Step& step = step_of(half);
        if (half.step > 0) wait(i, half, {half.gpu, half.thread_block, half.step - 1});
        if (step.thread_block >= 0) wait(i, half, {half.gpu, step.thread_block, step.step});
        if (half.sending() && receives(step.type))
          wait(i, half, {half.gpu, half.thread_block, half.step});
      }
    }
  }

  Event& event(int i) { return events_[static_cast<std::size_t>(i)]; }

  // Notes that a half of an event waits for the step. Messages to one GPU go in different rounds.
  void wait(int waiting, const Half& half, const std::tuple<int, int, int>& step) {
    for (const int before : events_of_step_[step]) {
      if (before == waiting) continue;
      const bool after_send = std::all_of(
          event(before).halves.begin(), event(before).halves.end(), [&](const Half& other) {
            const bool same = std::tuple(other.gpu, other.thread_block, other.step) == step;
            return !same || (other.sending() &&
                             !(half.sending() && other.thread_block == half.thread_block));
          });
      (after_send ? event(before).followers : event(before).later).push_back(waiting);
    }
  }

  // Gives rounds to circles of events, each after all that it waits for.
  void place_all() {
    std::vector<std::vector<int>> successors;
    for (const Event& each : events_) {
      successors.push_back(each.followers);
      successors.back().insert(successors.back().end(), each.later.begin(), each.later.end());
    }
    const schedule::Components components(successors);
    std::vector<std::vector<int>> members(static_cast<std::size_t>(components.count()));
    for (std::size_t i = 0; i < events_.size(); ++i)
      members[static_cast<std::size_t>(components.of_nodes()[i])].push_back(static_cast<int>(i));
    std::vector<int> rounds(members.size(), 0);
    for (std::size_t c = members.size(); c-- > 0 && problem_.empty();) {
      const auto number = [&](int i) {
        return static_cast<std::size_t>(components.of_nodes()[static_cast<std::size_t>(i)]);
      };
      for (const int i : members[c])
        if (std::any_of(event(i).later.begin(), event(i).later.end(),
                        [&](int next) { return number(next) == c; }))
          return name_circle(event(i));
      rounds[c] = place(members[c], rounds[c]);
      for (const int i : members[c]) {
        for (const int next : event(i).followers)
          rounds[number(next)] = std::max(rounds[number(next)], rounds[c]);
        for (const int next : event(i).later)
          rounds[number(next)] = std::max(rounds[number(next)], rounds[c] + 1);
      }
    }
  }

  // The blocks that a half reads in local work, writes, and sends.
  struct Use {
    Blocks read, written, sent;
  };
  Use use_of(const Half& half) const {
    const Step& step = step_of(half);
    if (half.sending())
      return {{}, {}, {step.type == StepType::s ? step.source : step.destination}};
    switch (step.type) {
      case StepType::nop:
      case StepType::s:
        return {};
      case StepType::r:
      case StepType::rcs:
        return {{}, {step.destination}, {}};
      case StepType::re:
        return {{step.source, step.destination}, {step.destination}, {}};
      case StepType::cpy:
      case StepType::rrs:
      case StepType::rrc:
      case StepType::rrcs:
        break;
    }
    return {{step.source}, {step.destination}, {}};
  }

  // Puts the events into the first round from `first` on in which no pair has two messages, and
  // nothing else of their ranks uses what they write or writes what they use. Returns the round.
  int place(const std::vector<int>& members, int first) {
    int round = first;
    const auto taken = [&](int i) { return !is_free(event(i), round); };
    while (std::any_of(members.begin(), members.end(), taken)) ++round;
    const std::size_t rounds = first_round_ + static_cast<std::size_t>(round) + 1;
    const std::string too_many = problem_of_rounds(static_cast<std::int64_t>(rounds), schedule_.p);
    if (!too_many.empty()) {
      problem_ = too_many;
      return round;
    }
    for (const int i : members) {
      const std::vector<Half>& halves = event(i).halves;
      if (halves.size() == 2 && !pairs_.insert({halves[0].gpu, halves[1].gpu, round}).second)
        problem_ = fmt::format("GPU {} exchanges two messages with GPU {} at once", halves[0].gpu,
                               halves[1].gpu);
      for (const Half& half : halves) {
        Use& use = uses_[{half.gpu, round}];
        const Use more = use_of(half);
        use.read.insert(use.read.end(), more.read.begin(), more.read.end());
        use.written.insert(use.written.end(), more.written.begin(), more.written.end());
        use.sent.insert(use.sent.end(), more.sent.begin(), more.sent.end());
        add_operation(half, round);
      }
    }
    return round;
  }

  // A rank may send in a round exactly the blocks that it writes.
  bool is_free(const Event& event, int round) const {
    if (event.halves.size() == 2 &&
        pairs_.contains({event.halves[0].gpu, event.halves[1].gpu, round}))
      return false;
    const auto any = [](const Blocks& some, const Blocks& others, auto clash) {
      return std::any_of(some.begin(), some.end(), [&](const Block& a) {
        return std::any_of(others.begin(), others.end(),
                           [&](const Block& b) { return clash(a, b); });
      });
    };
    const auto partly = [](const Block& a, const Block& b) { return meet(a, b) && a != b; };
    return std::all_of(event.halves.begin(), event.halves.end(), [&](const Half& half) {
      const auto found = uses_.find({half.gpu, round});
      if (found == uses_.end()) return true;
      const Use mine = use_of(half);
      const Use& others = found->second;
      return !any(mine.written, others.written, meet) && !any(mine.written, others.read, meet) &&
             !any(mine.read, others.written, meet) && !any(mine.written, others.sent, partly) &&
             !any(mine.sent, others.written, partly);
    });
  }

  void add_operation(const Half& half, int number) {
    schedule::Program& program = schedule_.programs[static_cast<std::size_t>(half.gpu)];
    const std::size_t t = first_round_ + static_cast<std::size_t>(number);
    if (program.size() <= t)
      for (schedule::Program& each : schedule_.programs) each.resize(t + 1);
    schedule::Round& round = program[t];
    const Step& step = step_of(half);
    const Blocks source{step.source}, destination{step.destination};
    if (half.sending())
      return round.send(step.type == StepType::s ? source : destination, Rank{block_of(half).send});
    const Rank from{block_of(half).receive};
    switch (step.type) {
      case StepType::r:
      case StepType::rcs:
        return round.receive(destination, from);
      case StepType::rrs:
      case StepType::rrc:
      case StepType::rrcs:
        return round.receive_combine(destination,
                                     {schedule::local(source), schedule::remote(from)});
      case StepType::cpy:
        return round.copy(destination, source);
      case StepType::re:
        return round.combine(destination, {schedule::local(destination), schedule::local(source)});
      case StepType::s:
      case StepType::nop:
        return;
    }
  }

  void name_circle(const Event& event) {
    const Half& half = event.halves.front();
    problem_ =
        fmt::format("steps wait for each other in a circle; one is step {} of tb {} of gpu {}",
                    half.step, half.thread_block, half.gpu);
  }

  const std::vector<Gpu>& gpus_;
  Schedule& schedule_;
  std::size_t first_round_;
  std::vector<Event> events_;
  std::map<std::tuple<int, int, int>, std::vector<int>> events_of_step_;
  std::set<std::tuple<int, int, int>> pairs_;  // sender, receiver, round
  std::map<std::pair<int, int>, Use> uses_;    // by GPU and round
  std::string problem_;
};

}  // namespace

std::string level_steps(const std::vector<Gpu>& gpus, Schedule& schedule) {
  return Levelling(gpus, schedule).run();
}

}  // namespace tutti::formats
