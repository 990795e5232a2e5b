// SPDX-License-Identifier: BSD-3-Clause
// The exchanges at the end of a superstep. Processes of one machine tell each other where their blocks are; where that is
// not possible the blocks themselves travel. Both are complete exchanges of the engine.
#include "traffic.hpp"

#include <cstring>
#include <numeric>

namespace tutti::bsp {
namespace {

const Block* take(std::byte*& at, std::uint64_t length) {
  const Block* const block = length == 0 ? nullptr : reinterpret_cast<const Block*>(at);
  at += length;
  return block;
}

}  // namespace

Traffic::Traffic(const Peers& peers) : peers_(&peers) {
  for (auto& streams : outgoing_) streams.resize(count());
  wanted_.resize(count());
  answers_.resize(count());
  told_.resize(count());
  heard_.resize(count());
  arrived_.resize(count());
  sent_counts_.resize(count());
  received_counts_.resize(count());
}

void Traffic::request(int pid, const Access& access, std::byte* destination) {
  std::memcpy(outgoing(pid).requests.append(sizeof access), &access, sizeof access);
  outgoing(pid).requests.count(access.bytes);
  wanted_[static_cast<std::size_t>(pid)].push_back({destination, access.bytes});
}

void Traffic::tell(std::uint64_t agreed) {
  std::uint64_t flags = 0;
  for (std::size_t pid = 0; pid < count(); ++pid) {
    Outgoing& out = outgoing_[turn_][pid];
    Notice& notice = told_[pid];
    notice = {out.requests.seal(), out.puts.seal(), out.messages.seal(), agreed, 0};
    if (notice.requests != 0) flags |= flag_requests;
    if ((notice.requests | notice.puts | notice.messages) != 0) flags |= flag_data;
    if (peers_->reach_windows) continue;
    notice.requests = out.requests.length();
    notice.puts = out.puts.length();
    notice.messages = out.messages.length();
  }
  for (Notice& notice : told_) notice.flags = flags;
}

void Traffic::exchange(std::uint64_t agreed) {
  tell(agreed);
  exchange_words(*peers_, told_.data(), heard_.data(), sizeof(Notice) / sizeof(std::uint64_t));
  flags_ = 0;
  for (const Notice& notice : heard_) flags_ |= notice.flags;
  if (peers_->reach_windows) {
    find_arrived();
  } else if ((flags_ & flag_data) != 0) {
    send_blocks();
  } else {
    arrived_.assign(count(), {});
  }
}

void Traffic::find_arrived() {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const Notice& notice = heard_[pid];
    const auto at = [&](std::uint64_t name) { return name == 0 ? nullptr : resolve(static_cast<int>(pid), name); };
    arrived_[pid] = {at(notice.requests), at(notice.puts), at(notice.messages)};
  }
}

void Traffic::send_blocks() {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const Notice& to = told_[pid];
    const Notice& from = heard_[pid];
    sent_counts_[pid] = static_cast<std::int64_t>(to.requests + to.puts + to.messages);
    received_counts_[pid] = static_cast<std::int64_t>(from.requests + from.puts + from.messages);
  }
  sent_blocks_.resize(static_cast<std::size_t>(std::accumulate(sent_counts_.begin(), sent_counts_.end(), 0L)));
  std::byte* at = sent_blocks_.data();
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const Outgoing& out = outgoing_[turn_][pid];
    out.requests.flatten(at);
    out.puts.flatten(at + told_[pid].requests);
    out.messages.flatten(at + told_[pid].requests + told_[pid].puts);
    at += sent_counts_[pid];
  }
  exchange_bytes(*peers_, sent_blocks_, sent_counts_, received_blocks_, received_counts_);
  at = received_blocks_.data();
  for (std::size_t pid = 0; pid < count(); ++pid) {
    Arrived& arrived = arrived_[pid];
    arrived.requests = take(at, heard_[pid].requests);
    arrived.puts = take(at, heard_[pid].puts);
    arrived.messages = take(at, heard_[pid].messages);
  }
}

void Traffic::deliver_answers() {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const Wanted* wanted = wanted_[pid].data();
    const auto next = [&](std::uint64_t name) { return resolve(static_cast<int>(pid), name); };
    for_each_record(answers_delivery_.from(pid), next, [&](const std::byte* record) {
      std::memcpy(wanted->destination, record, wanted->bytes);
      return aligned((wanted++)->bytes);
    });
    wanted_[pid].clear();
  }
}

Volume Traffic::volume() const {
  const auto bytes_of = [](const Block* block) { return block == nullptr ? 0 : block->bytes; };
  Volume volume;
  for (std::size_t pid = 0; pid < count(); ++pid) {
    if (pid == static_cast<std::size_t>(peers_->pid)) continue;
    const Outgoing& out = outgoing_[turn_][pid];
    const Arrived& in = arrived_[pid];
    volume.bytes_out += out.puts.bytes() + out.messages.bytes() + bytes_of(in.requests);
    volume.bytes_in += out.requests.bytes() + bytes_of(in.puts) + bytes_of(in.messages);
    volume.messages += out.puts.items() + out.messages.items() + out.requests.items();
  }
  return volume;
}

void Traffic::turn() {
  turn_ ^= 1;
  for (Outgoing& out : outgoing_[turn_]) {
    out.requests.clear();
    out.puts.clear();
    out.messages.clear();
  }
}

}  // namespace tutti::bsp
