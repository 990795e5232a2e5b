// SPDX-License-Identifier: BSD-3-Clause
// Lets the strands of ranks take their items (ranks.hpp).
#include "simulate/ranks.hpp"

#include <algorithm>
#include <utility>

#include "simulate/delivery.hpp"
#include "simulate/random.hpp"

namespace tutti::simulate {

SimulatedRanks::SimulatedRanks(World& world, RankSource& source, const SimulationOptions& options)
    : world_(world),
      source_(source),
      options_(options),
      strands_(source.nodes()),
      ranks_(static_cast<std::size_t>(source.nodes())),
      times_(ranks_.size()),
      meetings_(world.messages, ranks_.size()),
      history_(options.history) {
  source_.set_ranks(*this);
}

Ticks SimulatedRanks::random(int node, double most) {
  if (most <= 0) return 0;
  std::uint32_t& draws = ranks_[static_cast<std::size_t>(node)].draws;
  return ticks(most * uniform(options_.seed, static_cast<std::uint64_t>(node), draws++));
}

void SimulatedRanks::start() {
  for (int node = 0; node < count(); ++node) {
    const Ticks begin = random(node, world_.machine.node.drift);
    time(node).begin = count_of(begin);
    go_at(static_cast<Slot>(node), begin, StrandState::between);
  }
}

void SimulatedRanks::go_at(Slot slot, Ticks time, StrandState state) {
  Strand& strand = strands_[slot];
  strand.state = state;
  if (time > world_.now) {
    world_.events.push({time, strands_.order(slot), slot, What::go, 0});
    return;
  }
  strand.ready = true;
  world_.ready.insert(strands_.node(slot));
}

Slot SimulatedRanks::next_ready() const {
  return strands_.find(world_.ready.lowest(), [](const Strand& strand) { return strand.ready; });
}

void SimulatedRanks::go_ready(Slot slot) {
  strands_[slot].ready = false;
  const int node = strands_.node(slot);
  const bool others = strands_.has_started(node) && next_ready() != no_slot;
  if (!others) world_.ready.erase(node);
  go(slot);
}

void SimulatedRanks::go(Slot slot) {
  const Strand& strand = strands_[slot];
  if (strand.state == StrandState::paired) return exchange(slot);
  if (strand.state == StrandState::beginning && strand.operation != nullptr)
    return begin_round(slot);
  leave_operation(slot);
  if (!strands_.is_program(slot)) return end(slot);
  take_items(slot);
}

void SimulatedRanks::take_items(Slot program) {
  const int node = strands_.node(program);
  do {
    telling_ = node;
  } while (take(program, source_.next(node)));
}

// Returns true if the program takes its next item at once.
bool SimulatedRanks::take(Slot program, const RankItem& item) {
  const int node = strands_.node(program);
  strands_[program].phase = item.phase;
  if (const auto* run = std::get_if<RunOperation>(&item.what)) {
    begin_operation(run->request ? start(program, *run->request) : program, *run);
    return run->request.has_value();
  }
  if (const auto* message = std::get_if<SendMessage>(&item.what)) {
    const int number = requests_.next_sent(node, message->to);
    const SendMessages::Message only{message->to, number, message->bytes};
    send_alone(message->request ? start(program, *message->request) : program, std::span(&only, 1));
    return message->request.has_value();
  }
  if (const auto* messages = std::get_if<SendMessages>(&item.what)) {
    send_alone(start(program, messages->request), messages->messages);
    return true;
  }
  if (const auto* receive = std::get_if<PostReceive>(&item.what)) {
    post(program, *receive);
    return true;
  }
  if (const auto* computation = std::get_if<Compute>(&item.what)) {
    compute(program, world_.now + ticks(computation->time));
  } else if (const auto* until = std::get_if<ComputeUntil>(&item.what)) {
    compute(program, std::max(world_.now, until->time));
  } else if (const auto* wait = std::get_if<AwaitRequest>(&item.what)) {
    await(program, wait->request);
  } else if (std::holds_alternative<Yield>(item.what)) {
    go_at(program, world_.now, StrandState::between);
  } else if (const auto* rest = std::get_if<Sleep>(&item.what)) {
    sleep(program, rest->until);
  } else if (std::holds_alternative<EnterBarrier>(item.what)) {
    arrive_at_barrier(program);
  } else if (std::holds_alternative<Stop>(item.what)) {
    stopped_ = true;
  } else {
    strands_[program].state = StrandState::finished;
    finish(node);
  }
  return false;
}

void SimulatedRanks::compute(Slot program, Ticks until) {
  time(strands_.node(program)).computing += count_of(until - world_.now);
  interval(Activity::compute, program, world_.now, until);
  go_at(program, until, StrandState::between);
}

Slot SimulatedRanks::start(Slot program, RequestNumber request) {
  const int node = strands_.node(program);
  requests_.open(node, {request});
  const Slot slot = strands_.start(node, request);
  strands_[slot].phase = strands_[program].phase;
  strands_[slot].history = strands_[program].history;
  return slot;
}

void SimulatedRanks::check_node(int node, int other) const {
  if (other < 0 || other >= count() || other == node)
    base::fail(base::Status::invalid_argument, "rank {} has no rank {} to exchange messages with",
               node, other);
}

void SimulatedRanks::send_alone(Slot slot, std::span<const SendMessages::Message> messages) {
  for (const SendMessages::Message& message : messages) {
    check_node(strands_.node(slot), message.to);
    if (message.bytes < 0)
      base::fail(base::Status::invalid_argument, "a message of {} bytes", message.bytes);
  }
  Strand& strand = strands_[slot];
  strand.local_work = 0;
  for (std::size_t i = messages.size(); i-- > 0;) {
    const Slot first = sends_.take();
    const auto& [to, number, bytes] = messages[i];
    sends_[first] = {std::exchange(strand.first_send, first), to, bytes, number};
  }
  strand.sends = static_cast<std::int32_t>(messages.size());
  exchange(slot);
}

void SimulatedRanks::post(Slot program, const PostReceive& receive) {
  const int node = strands_.node(program);
  check_node(node, receive.from);
  const int number = receive.number ? *receive.number : requests_.next_received(receive.from, node);
  const Slot early =
      meetings_.post(Meetings::key(node, receive.from, number, no_operation), OnArrival::taken);
  if (early != no_slot) {
    tell_came(world_.messages[early]);
    return delivery_->matched(early);
  }
  requests_.open(node, {receive.request, receive.from, number});
  if (waiters(node) != no_slot) delivery_->posted(node);
}

void SimulatedRanks::sleep(Slot program, std::optional<Ticks> until) {
  strands_[program].state = StrandState::asleep;
  strands_[program].free_since = world_.now;
  if (!until) return;
  const Ticks time = std::max(world_.now, *until);
  ranks_[static_cast<std::size_t>(strands_.node(program))].sleeps_until = time;
  world_.events.push({time, strands_.order(program), program, What::alarm, 0});
}

void SimulatedRanks::alarm(Slot program) {
  const int node = strands_.node(program);
  Rank& rank = ranks_[static_cast<std::size_t>(node)];
  if (strands_[program].state != StrandState::asleep || rank.sleeps_until != world_.now) return;
  rank.sleeps_until = -1;
  time(node).waiting += count_of(world_.now - strands_[program].free_since);
  go_at(program, world_.now, StrandState::between);
}

void SimulatedRanks::await(Slot program, RequestNumber request) {
  const int node = strands_.node(program);
  if (requests_.find(node, request) == nullptr)
    return go_at(program, world_.now, StrandState::between);
  requests_.await(node, request);
  strands_[program].state = StrandState::awaiting;
  strands_[program].free_since = world_.now;
}

// Returns true if the program of the node waits for an open request.
bool SimulatedRanks::awaited(int node, RequestNumber request) const {
  return strands_[static_cast<Slot>(node)].state == StrandState::awaiting &&
         requests_.awaited(node).request == request;
}

bool SimulatedRanks::has_waited(int node, RequestNumber request) const {
  return awaited(node, request) && world_.now > strands_[static_cast<Slot>(node)].free_since;
}

void SimulatedRanks::done(int node, RequestNumber request) {
  const auto program = static_cast<Slot>(node);
  if (awaited(node, request)) {
    time(node).waiting += count_of(world_.now - strands_[program].free_since);
    go_at(program, world_.now, StrandState::between);
  }
  requests_.close(node, request);
  telling_ = node;
  source_.done(node, request);
}

// The slowest path to what comes after a strand leads through the strand.
void SimulatedRanks::end(Slot started) {
  const int node = strands_.node(started);
  const RequestNumber request = strands_.request(started);
  Strand& program = strands_[static_cast<Slot>(node)];
  const bool finishes = program.state == StrandState::finished;
  if (finishes || has_waited(node, request)) program.history = strands_[started].history;
  strands_.end(started);
  done(node, request);
  if (finishes) finish(node);
}

// A rank is done when its program and all that it has started are.
void SimulatedRanks::finish(int node) {
  if (strands_.has_started(node)) return;
  time(node).end = count_of(world_.now);
  ++finished_;
}

Slot SimulatedRanks::left_over() const {
  Slot found = no_slot;
  meetings_.each([](Meetings::Key) {}, [&](Slot message) { found = message; });
  return found;
}

// Ranks that have not ended when the simulation stops end then.
void SimulatedRanks::report(Report& report) {
  if (stopped_)
    for (RankTime& each : times_)
      if (each.end == 0) each.end = count_of(world_.now);
  double last = 0;
  int slowest = 0;
  for (int node = 0; node < count(); ++node) {
    if (time(node).end <= last) continue;
    last = time(node).end;
    slowest = node;
  }
  if (count() > 0)
    history_.report(report, slowest, static_cast<Ticks>(last),
                    strands_[static_cast<Slot>(slowest)].history);
  report.time = last / ticks_per_microsecond;
  for (RankTime& each : times_)
    for (double* part : {&each.begin, &each.end, &each.sending, &each.receiving, &each.combining,
                         &each.copying, &each.computing, &each.waiting})
      *part /= ticks_per_microsecond;
  report.ranks = std::move(times_);
}

}  // namespace tutti::simulate
