// SPDX-License-Identifier: BSD-3-Clause
// The exchanges at the end of a superstep (traffic.hpp). Processes that reach each other's windows
// tell each other the names of their blocks. Otherwise the blocks themselves are sent. Both are
// complete exchanges by tutti's collectives.
#include "traffic.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "copy.hpp"

namespace tutti::bsp {
namespace {

const StreamBlock* take(std::byte*& at, std::uint64_t length) {
  const StreamBlock* const block = length == 0 ? nullptr : reinterpret_cast<const StreamBlock*>(at);
  at += length;
  return block;
}

}  // namespace

Traffic::Traffic(const Peers& peers) : peers_(&peers) {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    for (auto& streams : outgoing_) streams.emplace_back(first_block());
    answers_.emplace_back(first_block());
  }
  wanted_.resize(count());
  direct_.resize(count());
  told_.resize(count());
  heard_.resize(count());
  arrived_.resize(count());
  sent_counts_.resize(count());
  received_counts_.resize(count());
}

// Turns serve streams that others read in place, on processors of their own. A reader on the
// writer's processor finds in its caches what was written last.
Stream::FirstBlock Traffic::first_block() const {
  const bool oversubscribed = count() > static_cast<std::size_t>(tutti_processors());
  using enum Stream::FirstBlock;
  return peers_->reach_windows && !oversubscribed ? takes_turns : stays;
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
    SuperstepNotice& notice = told_[pid];
    notice = {out.requests.seal(), out.puts.seal(), out.messages.seal(), agreed, 0};
    if (notice.requests != 0) flags |= flag_requests;
    if ((notice.requests | notice.puts | notice.messages) != 0) flags |= flag_data;
    if (peers_->reach_windows) continue;
    notice.requests = out.requests.length();
    notice.puts = out.puts.length();
    notice.messages = out.messages.length();
  }
  for (std::size_t pid = 0; pid < count(); ++pid) {
    told_[pid].flags = flags | static_cast<std::uint64_t>(direct_[pid]) << direct_shift;
  }
}

bool Traffic::has_for(int pid) const {
  const auto index = static_cast<std::size_t>(pid);
  return direct_[index] > 0 || !outgoing_[turn_][index].empty();
}

bool Traffic::empty() const {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    if (has_for(static_cast<int>(pid))) return false;
  }
  return true;
}

std::uint64_t Traffic::items_from(int pid) const {
  const auto index = static_cast<std::size_t>(pid);
  const auto items_of = [](const StreamBlock* block) {
    return block == nullptr ? 0 : block->items;
  };
  const Arrived& arrived = arrived_[index];
  return items_of(arrived.puts) + items_of(arrived.messages) +
         (heard_[index].flags >> direct_shift);
}

void Traffic::exchange(std::uint64_t agreed) {
  tell(agreed);
  exchange_words(*peers_, told_.data(), heard_.data(),
                 sizeof(SuperstepNotice) / sizeof(std::uint64_t));
  flags_ = 0;
  for (const SuperstepNotice& notice : heard_) flags_ |= notice.flags;
  if (peers_->reach_windows) {
    find_arrived();
  } else if ((flags_ & flag_data) != 0) {
    send_blocks();
  } else {
    arrived_.assign(count(), {});
  }
}

void Traffic::hear_from_linked(std::uint64_t agreed, const Links& links) {
  constexpr std::int64_t words = sizeof(SuperstepNotice) / sizeof(std::uint64_t);
  linked_told_.clear();
  std::size_t from = 0;
  for (std::size_t pid = 0; pid < count(); ++pid) {
    if (links.to[pid]) linked_told_.push_back(told_[pid]);
    if (links.from[pid]) ++from;
    sent_counts_[pid] = links.to[pid] ? words : 0;
    received_counts_[pid] = links.from[pid] ? words : 0;
  }
  linked_heard_.resize(from);
  exchange_words(*peers_, linked_told_.data(), sent_counts_, linked_heard_.data(),
                 received_counts_);
  const SuperstepNotice* heard = linked_heard_.data();
  for (std::size_t pid = 0; pid < count(); ++pid)
    heard_[pid] = links.from[pid] ? *heard++ : SuperstepNotice{0, 0, 0, agreed, 0};
}

void Traffic::exchange_among(std::uint64_t agreed, const Links& links) {
  tell(agreed);
  hear_from_linked(agreed, links);
  flags_ = 0;
  if (peers_->reach_windows) {
    find_arrived();
  } else {
    send_blocks();
  }
}

void Traffic::find_arrived() {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const SuperstepNotice& notice = heard_[pid];
    const auto at = [&](std::uint64_t name) {
      return name == 0 ? nullptr : resolve(static_cast<int>(pid), name);
    };
    arrived_[pid] = {at(notice.requests), at(notice.puts), at(notice.messages)};
  }
}

void Traffic::send_blocks() {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const SuperstepNotice& to = told_[pid];
    const SuperstepNotice& from = heard_[pid];
    sent_counts_[pid] = static_cast<std::int64_t>(to.requests + to.puts + to.messages);
    received_counts_[pid] = static_cast<std::int64_t>(from.requests + from.puts + from.messages);
  }
  sent_blocks_.resize(
      static_cast<std::size_t>(std::accumulate(sent_counts_.begin(), sent_counts_.end(), 0L)));
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
    const AnswerTarget* wanted = wanted_[pid].data();
    const auto next = [&](std::uint64_t name) { return resolve(static_cast<int>(pid), name); };
    for_each_record(answers_delivery_.from(pid), next, [&](const std::byte* record) {
      copy_bytes(wanted->destination, record, wanted->bytes);
      return aligned((wanted++)->bytes);
    });
    wanted_[pid].clear();
  }
}

Volume Traffic::volume() const {
  const auto bytes_of = [](const StreamBlock* block) {
    return block == nullptr ? 0 : block->bytes;
  };
  const auto items_of = [](const StreamBlock* block) {
    return block == nullptr ? 0 : block->items;
  };
  Volume volume;
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const bool own = pid == static_cast<std::size_t>(peers_->pid);
    const Outgoing& out = outgoing_[turn_][pid];
    const Arrived& in = arrived_[pid];
    volume.add(TrafficKind::put,
               {out.puts.bytes(), bytes_of(in.puts), out.puts.items(), items_of(in.puts)}, own);
    volume.add(
        TrafficKind::get,
        {bytes_of(in.requests), out.requests.bytes(), out.requests.items(), items_of(in.requests)},
        own);
    volume.add(
        TrafficKind::send,
        {out.messages.bytes(), bytes_of(in.messages), out.messages.items(), items_of(in.messages)},
        own);
  }
  return volume;
}

void Traffic::Outgoing::clear() {
  requests.clear();
  puts.clear();
  messages.clear();
}

void Traffic::turn() {
  turn_ ^= 1;
  for (Outgoing& out : outgoing_[turn_]) out.clear();
  for (Parked& parked : parked_) parked.until = 0;
  direct_.assign(count(), 0);
}

// A process may read what was sent to it until its next superstep ends. If it has completed fewer
// supersteps than this process, it may still read the streams that this process would fill again
// now. These are set aside in parked_, and this process fills others.
void Traffic::turn_among(const std::vector<std::uint64_t>& left_behind, std::uint64_t own) {
  turn_ ^= 1;
  for (std::size_t pid = 0; pid < count(); ++pid) {
    Outgoing& out = outgoing_[turn_][pid];
    if (!out.empty() && left_behind[pid] < own) {
      Outgoing other = take_parked(left_behind);
      parked_.push_back({pid, own, std::exchange(out, std::move(other))});
    }
    out.clear();
  }
  direct_.assign(count(), 0);
}

Traffic::Outgoing Traffic::take_parked(const std::vector<std::uint64_t>& left_behind) {
  const auto free = std::find_if(parked_.begin(), parked_.end(), [&](const Parked& parked) {
    return left_behind[parked.reader] >= parked.until;
  });
  if (free == parked_.end()) return Outgoing(first_block());
  Outgoing streams = std::move(free->streams);
  parked_.erase(free);
  return streams;
}

}  // namespace tutti::bsp
