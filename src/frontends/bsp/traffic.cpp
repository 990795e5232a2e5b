// SPDX-License-Identifier: BSD-3-Clause
// The exchanges at the end of a superstep. Processes of one machine tell each other where their blocks are; where that is
// not possible the blocks themselves travel. Both are complete exchanges of the engine.
#include "traffic.hpp"

#include <tutti/tutti_runtime.h>

#include <cstring>

#include "errors.hpp"

namespace tutti::bsp {
namespace {

constexpr const char* routine = "bsp_sync";

// One row of `words` words for each process, to each process.
void exchange_words(tutti_group group, void* from, void* to, std::size_t words) {
  const tutti_data input = tutti_array(from, static_cast<std::int64_t>(words), TUTTI_INT64);
  const tutti_data output = tutti_array(to, static_cast<std::int64_t>(words), TUTTI_INT64);
  check(routine, tutti_alltoall(group, &input, &output));
}

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  std::int64_t total = 0;
  for (const std::int64_t count : counts) total += count;
  return total;
}

const Block* take(std::byte*& at, std::uint64_t length) {
  const Block* const block = length == 0 ? nullptr : reinterpret_cast<const Block*>(at);
  at += length;
  return block;
}

}  // namespace

void Traffic::begin(tutti_group group, std::vector<int> endpoints, bool reach_windows) {
  group_ = group;
  endpoints_ = std::move(endpoints);
  reach_windows_ = reach_windows;
  for (auto& streams : outgoing_) streams.resize(count());
  wanted_.resize(count());
  answers_.resize(count());
  answer_names_.resize(count());
  found_names_.resize(count());
  found_.resize(count());
  told_.resize(count());
  heard_.resize(count());
  arrived_.resize(count());
  sent_counts_.resize(count());
  received_counts_.resize(count());
}

void Traffic::request(int pid, const Access& access, std::byte* destination) {
  std::memcpy(outgoing(pid).requests.append(sizeof access), &access, sizeof access);
  wanted_[static_cast<std::size_t>(pid)].push_back({destination, access.bytes});
}

const Block* Traffic::resolve(int pid, std::uint64_t name) const {
  return static_cast<const Block*>(tutti_window_address(endpoints_[static_cast<std::size_t>(pid)], name));
}

void Traffic::tell(std::uint64_t agreed) {
  std::uint64_t flags = 0;
  for (std::size_t pid = 0; pid < count(); ++pid) {
    Outgoing& out = outgoing_[turn_][pid];
    Notice& notice = told_[pid];
    notice = {out.requests.seal(), out.puts.seal(), out.messages.seal(), agreed, 0};
    if (notice.requests != 0) flags |= flag_requests;
    if ((notice.requests | notice.puts | notice.messages) != 0) flags |= flag_data;
    if (reach_windows_) continue;
    notice.requests = out.requests.length();
    notice.puts = out.puts.length();
    notice.messages = out.messages.length();
  }
  for (Notice& notice : told_) notice.flags = flags;
}

void Traffic::exchange(std::uint64_t agreed) {
  tell(agreed);
  exchange_words(group_, told_.data(), heard_.data(), told_.size() * sizeof(Notice) / sizeof(std::uint64_t));
  flags_ = 0;
  for (const Notice& notice : heard_) flags_ |= notice.flags;
  if (reach_windows_) {
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
  sent_blocks_.resize(static_cast<std::size_t>(sum(sent_counts_)));
  received_blocks_.resize(static_cast<std::size_t>(sum(received_counts_)));
  std::byte* at = sent_blocks_.data();
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const Outgoing& out = outgoing_[turn_][pid];
    out.requests.flatten(at);
    out.puts.flatten(at + told_[pid].requests);
    out.messages.flatten(at + told_[pid].requests + told_[pid].puts);
    at += sent_counts_[pid];
  }
  const tutti_data input = tutti_array(sent_blocks_.data(), sum(sent_counts_), TUTTI_BYTE);
  const tutti_data output = tutti_array(received_blocks_.data(), sum(received_counts_), TUTTI_BYTE);
  check(routine, tutti_alltoallv(group_, &input, &output, sent_counts_.data(), received_counts_.data()));
  at = received_blocks_.data();
  for (std::size_t pid = 0; pid < count(); ++pid) {
    Arrived& arrived = arrived_[pid];
    arrived.requests = take(at, heard_[pid].requests);
    arrived.puts = take(at, heard_[pid].puts);
    arrived.messages = take(at, heard_[pid].messages);
  }
}

void Traffic::exchange_answers() {
  if (!reach_windows_) return send_answers();
  for (std::size_t pid = 0; pid < count(); ++pid) answer_names_[pid] = answers_[pid].seal();
  exchange_words(group_, answer_names_.data(), found_names_.data(), count());
  for (std::size_t pid = 0; pid < count(); ++pid) {
    found_[pid] = found_names_[pid] == 0 ? nullptr : resolve(static_cast<int>(pid), found_names_[pid]);
  }
}

// Who asked knows how long the answer is.
void Traffic::send_answers() {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    answers_[pid].seal();
    sent_counts_[pid] = static_cast<std::int64_t>(answers_[pid].length());
    received_counts_[pid] = wanted_[pid].empty() ? 0 : static_cast<std::int64_t>(sizeof(Block));
    for (const Wanted& wanted : wanted_[pid]) received_counts_[pid] += static_cast<std::int64_t>(aligned(wanted.bytes));
  }
  sent_blocks_.resize(static_cast<std::size_t>(sum(sent_counts_)));
  received_answers_.resize(static_cast<std::size_t>(sum(received_counts_)));
  std::byte* at = sent_blocks_.data();
  for (std::size_t pid = 0; pid < count(); ++pid) {
    answers_[pid].flatten(at);
    at += sent_counts_[pid];
  }
  const tutti_data input = tutti_array(sent_blocks_.data(), sum(sent_counts_), TUTTI_BYTE);
  const tutti_data output = tutti_array(received_answers_.data(), sum(received_counts_), TUTTI_BYTE);
  check(routine, tutti_alltoallv(group_, &input, &output, sent_counts_.data(), received_counts_.data()));
  at = received_answers_.data();
  for (std::size_t pid = 0; pid < count(); ++pid) {
    found_[pid] = take(at, static_cast<std::uint64_t>(received_counts_[pid]));
  }
}

void Traffic::deliver_answers() {
  for (std::size_t pid = 0; pid < count(); ++pid) {
    const Wanted* wanted = wanted_[pid].data();
    const auto next = [&](std::uint64_t name) { return resolve(static_cast<int>(pid), name); };
    for_each_record(found_[pid], next, [&](const std::byte* record) {
      std::memcpy(wanted->destination, record, wanted->bytes);
      return aligned((wanted++)->bytes);
    });
    wanted_[pid].clear();
  }
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
