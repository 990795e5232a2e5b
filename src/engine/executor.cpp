// SPDX-License-Identifier: BSD-3-Clause
// Advances the rounds of an execution: sends, receives and copies. Combines are in
// executor_combine.cpp, and waits in executor_wait.cpp.
#include "engine/executor.hpp"

#include <algorithm>

#include "engine/native.hpp"

namespace tutti::engine {

using schedule::Do;
using transport::Channel;
using transport::Packet;

Executor::Executor(const LoweredPlan& plan, transport::Transport& transport, InFlight& in_flight,
                   const Identity& identity)
    : plan_(&plan),
      transport_(&transport),
      in_flight_(&in_flight),
      inline_limit_(transport.inline_limit()),
      fragment_limit_(transport.fragment_limit()),
      overlap_limit_(transport.overlap_limit()),
      long_copy_(static_cast<std::uint64_t>(transport.tuning().result_past_caches)),
      long_message_(static_cast<std::uint64_t>(transport.tuning().message_past_caches)),
      memory_(plan, identity.rank, static_cast<int>(identity.endpoints.size())),
      identity_(identity),
      unnumbered_(identity.group_id, identity.operation, identity.root, identity.mode),
      states_(plan.ops.size()),
      steps_(plan.ops.size()),
      operand_done_(plan.operands.size()),
      short_round_(plan.rounds.size()) {
  std::size_t most_awaited = 0;
  for (const Slice& ops : plan.rounds) {
    std::size_t awaited = 0;
    for (std::uint32_t i = ops.begin; i < ops.end; ++i)
      awaited += plan.ops[i].peers.size() + plan.ops[i].operands.size();
    most_awaited = std::max(most_awaited, awaited);
    only_sends_.push_back(
        std::all_of(plan.ops.begin() + ops.begin, plan.ops.begin() + ops.end,
                    [](const MicroOp& op) { return op.what == Do::send || op.what == Do::copy; }));
  }
  waited_for_.reserve(most_awaited);
  if (identity.native.job == nullptr) return;
  const int p = static_cast<int>(identity.endpoints.size());
  native_ = std::make_unique<NativeRun>(
      identity.native, Caller{identity.operation, identity.root, identity.rank, p});
}

Executor::~Executor() = default;

void Executor::start(std::uint32_t sequence, const CallData& work) {
  unnumbered_ = unnumbered_.combining(work.op == nullptr ? std::uint8_t{0} : work.op->signature());
  take_number(sequence);
  op_ = work.op;
  operator_code_ = 0;
  round_ = 0;
  entered_ = false;
  bytes_ = work.n * static_cast<std::int64_t>(work.element_bytes);
  if (native_) [[unlikely]]
    return native_->start(work);
  evenly_cut_ = work.counts.cut == Cut::even;
  both_ends_count_ = work.counts.cut == Cut::by_counts && !work.counts.input.empty() &&
                     !work.counts.output.empty();
  on_vectors_ = op_ != nullptr && op_->takes_vectors();
  if (on_vectors_) collected_.resize(plan_->ops.size());
  if (memory_.bind(work.n, work.element_bytes, work.input, work.output, work.counts)) {
    set_totals();
  } else if (expected_.is_changed()) [[unlikely]] {
    expected_ = {};
  }
}

void Executor::set_totals() {
  expected_ = {};
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i].total = memory_.elements(plan_->ops[i].spans);
    states_[i].total_bytes = static_cast<std::uint64_t>(states_[i].total) * memory_.element_bytes();
  }
  for (std::size_t t = 0; t < short_round_.size(); ++t)
    short_round_[t] = is_short(plan_->rounds[t]);
  for (std::uint32_t i = 0; i < steps_.size(); ++i) resolve(i);
}

void Executor::release() {
  if (native_) native_->release();
  memory_.release();
  std::vector<std::vector<std::byte>>().swap(staging_);
  std::vector<std::byte>().swap(private_operand_);
  std::vector<std::vector<std::byte>>().swap(collected_);
}

// Returns true for a send or receive of no elements if both ends know its size. They do where
// counts are given for both sides, since each block then travels alone. An empty block is not sent
// and nobody waits for it.
bool Executor::is_no_message(std::uint32_t index) const {
  const Do what = plan_->ops[index].what;
  return both_ends_count_ && states_[index].total == 0 && (what == Do::send || what == Do::receive);
}

void Executor::enter_round() {
  const Slice ops = plan_->rounds[round_];
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    states_[i].done = 0;
    states_[i].finished = is_no_message(i);
    const Slice operands = plan_->ops[i].operands;
    for (std::uint32_t k = operands.begin; k < operands.end; ++k) operand_done_[k] = 0;
  }
  entered_ = true;
}

Look Executor::advance() {
  Look progress = Look::nothing;
  while (round_ < plan_->rounds.size()) {
    const Look latest = advance_round();
    if (latest != Look::nothing) progress = Look::progress;
    if (latest != Look::done) return progress;
    if (in_flight_->recorder() != nullptr) [[unlikely]]
      record_round(*in_flight_->recorder());
  }
  return Look::done;
}

Look Executor::advance_native() {
  if (!native_->done()) return Look::nothing;
  ++round_;
  return Look::done;
}

Look Executor::advance_round() {
  if (native_) [[unlikely]]
    return advance_native();
  if (!entered_) enter_round();
  Look progress = Look::nothing;
  const Slice ops = plan_->rounds[round_];
  bool all_finished = true, in_order = true;
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    if (states_[i].finished) continue;
    // A copy or combine runs only after all receives and local work that stand before it in the
    // round. It waits for no send but its gates, because receives behind it make room for the
    // sends of others.
    const Do what = plan_->ops[i].what;
    const bool local_work = what == Do::copy || what == Do::combine;
    if ((!local_work || in_order) && step(i)) progress = Look::progress;
    all_finished = all_finished && states_[i].finished;
    in_order = in_order && (what == Do::send || states_[i].finished);
    if (local_work && !in_order && !plan_->ops[i].apart) break;
  }
  if (!all_finished) return progress;
  ++round_;
  entered_ = false;
  return Look::done;
}

bool Executor::step(std::uint32_t index) {
  const MicroOp& op = plan_->ops[index];
  OpState& state = states_[index];
  switch (op.what) {
    case Do::send:
      return only_sends_[round_] && transport_->idler().gives_way_at_once() ? send_all(op, state)
                                                                            : step_send(op, state);
    case Do::receive:
      return step_receive(op, state);
    case Do::copy:
      return step_copy(op, state);
    case Do::combine:
      if (!gates_open(op)) return false;
      [[fallthrough]];
    default:
      if (on_vectors_) return step_vectors(op, state, collected_[index]);
      return op.pair == Pair::none ? step_combine(op, state) : step_pair(op, state);
  }
}

// Sends one packet to all receivers, or nothing.
bool Executor::step_send(const MicroOp& op, OpState& state) {
  for (std::uint32_t i = op.peers.begin; i < op.peers.end; ++i) {
    if (!plan_->peers[i]->ready()) return false;
  }
  const std::uint64_t total_bytes = state.total_bytes;
  if (total_bytes <= inline_limit_) {
    std::byte copied[transport::most_inline];
    const std::byte* payload = memory_.flat(op.spans);
    if (payload == nullptr) {
      memory_.read(copied, op.spans, 0, state.total);
      payload = copied;
    }
    for (std::uint32_t i = op.peers.begin; i < op.peers.end; ++i) {
      plan_->peers[i]->post_inline(label_, payload, static_cast<std::uint32_t>(total_bytes));
    }
    state.done = state.total;
  } else if (op.peers.size() != 0) {
    const std::size_t element = memory_.element_bytes();
    const auto fits = static_cast<std::int64_t>(packet_limit(state) / element);
    const std::int64_t count = std::min(state.total - state.done, fits);
    const auto bytes = static_cast<std::uint32_t>(static_cast<std::size_t>(count) * element);
    const transport::Fragment fragment = transport_->acquire(bytes, op.peers.size());
    if (fragment.data == nullptr) return false;
    if (fragment.non_temporal) {
      memory_.read_non_temporal(fragment.data, op.spans, state.done, count);
    } else {
      memory_.read(fragment.data, op.spans, state.done, count);
    }
    for (std::uint32_t i = op.peers.begin; i < op.peers.end; ++i) {
      plan_->peers[i]->post(label_, total_bytes, fragment, bytes);
    }
    state.done += count;
  } else {
    state.done = state.total;
  }
  state.finished = state.done == state.total;
  return true;
}

// Sends as many packets of a message as there is room for. Where waiters yield their processor at
// once, the receiver is then scheduled once per message, not once per packet.
bool Executor::send_all(const MicroOp& op, OpState& state) {
  bool moved = false;
  while (!state.finished && step_send(op, state)) moved = true;
  return moved;
}

// Returns the most bytes that the next packet may have. A send that is alone in its round has no
// packets to take in between. It uses smaller packets, so that the receiver takes the first while
// the sender fills the next.
std::uint32_t Executor::packet_limit(const OpState& sending) const {
  const bool overlaps = plan_->rounds[round_].size() == 1 &&
                        sending.total_bytes <= fragment_limit_ &&
                        memory_.element_bytes() <= overlap_limit_;
  return overlaps ? overlap_limit_ : fragment_limit_;
}

// Returns how many elements an op may write by now: not more than the unfinished sends of this
// round have read. A finished send sets no limit, because it may have had fewer elements than the
// op.
std::int64_t Executor::limit_of(const MicroOp& op, std::int64_t total) const {
  std::int64_t limit = total;
  for (std::uint32_t i = op.gates.begin; i < op.gates.end; ++i) {
    const OpState& send = states_[plan_->gates[i]];
    if (!send.finished) limit = std::min(limit, send.done);
  }
  return limit;
}

// Returns true if all sends that this op must not overtake have finished. An op asks this when it
// cannot follow those sends element by element.
bool Executor::gates_open(const MicroOp& op) const {
  return std::all_of(plan_->gates.begin() + op.gates.begin, plan_->gates.begin() + op.gates.end,
                     [this](std::uint32_t send) { return states_[send].finished; });
}

const Packet* Executor::arrived(Channel& channel, std::uint64_t total_bytes) {
  const Packet* packet = in_flight_->look(channel, label_);
  if (packet == nullptr) return nullptr;
  if (packet->label != label_ || packet->total != total_bytes) [[unlikely]]
    return foreign(channel, *packet, total_bytes);
  return packet;
}

bool Executor::step_receive(const MicroOp& op, OpState& state) {
  Channel& channel = *plan_->peers[op.peers.begin];
  const Packet* packet = arrived(channel, state.total_bytes);
  if (packet == nullptr) return false;
  const std::int64_t count = elements_of(*packet, state);
  if (state.done + count > limit_of(op, state.total)) return false;
  if (state.total_bytes < long_message_) {
    memory_.write(op.spans, state.done, packet->payload, count);
  } else {
    memory_.write_non_temporal(op.spans, state.done, packet->payload, count);
  }
  pop(channel);
  state.done += count;
  state.finished = state.done == state.total;
  return true;
}

bool Executor::step_copy(const MicroOp& op, OpState& state) {
  if (!gates_open(op)) return false;
  // A copy in pieces lets advance_round() take packets in between, so that their senders do not run
  // out of room.
  const auto piece = static_cast<std::int64_t>(fragment_limit_ / memory_.element_bytes());
  const std::int64_t left = state.total - state.done;
  const std::int64_t count = op.apart ? std::min(left, std::max<std::int64_t>(piece, 1)) : left;
  const bool is_long = state.total_bytes >= long_copy_;
  copy(op.spans, plan_->operands[op.operands.begin].spans, state.done, count,
       is_long ? data::Store::non_temporal : data::Store::plain);
  state.done += count;
  state.finished = state.done == state.total;
  if (is_long && state.finished) data::store_fence();
  return true;
}

void Executor::copy(Slice to, Slice from, std::int64_t at, std::int64_t count, data::Store store) {
  while (count > 0) {
    const ElementRun source = memory_.piece(from, at, count);
    const ElementRun destination = memory_.piece(to, at, source.count);
    if (source.address != destination.address) {
      data::copy(destination.address, source.address,
                 static_cast<std::size_t>(destination.count) * memory_.element_bytes(), store);
    }
    at += destination.count;
    count -= destination.count;
  }
}

}  // namespace tutti::engine
