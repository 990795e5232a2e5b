// SPDX-License-Identifier: BSD-3-Clause
// Reads the streams of ranks (live_source.hpp).
#include "timekeeper/live_source.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "selection/question_text.hpp"
#include "simulate/simulate.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::tools {
namespace {

using record::ItemKind;
using record::RecordItem;

// A look that finds nothing takes so long, in microseconds, and so does a look at the clock after
// so many at one instant. If they took no time, a program that looks in a loop would look for ever.
constexpr double time_of_vain_look = 1;
constexpr int looks_at_clock = 100;

}  // namespace

LiveSource::LiveSource(const transport::shm::Mapping& mapping, timed::TimedBoard& board,
                       const machine::Machine& machine)
    : ItemSource(board.ranks, 0),
      reader_(mapping, board),
      board_(board),
      posting_(simulate::posting_on(machine)),
      chooser_({}, machine, {}),
      ranks_of_job_(board.ranks) {}

void LiveSource::read_on(int node) {
  RecordItem item;
  if (!reader_.next(node, item)) return end_now(node);
  switch (item.kind) {
    case ItemKind::name:
    case ItemKind::group:
    case ItemKind::bound:
    case ItemKind::place:
      return read_text(node, item);
    case ItemKind::clock:
    case ItemKind::test:
      return answer(node, item);
    case ItemKind::advise:
      return advise(node, item);
    case ItemKind::first:
      return await_first(node, item);
    case ItemKind::end:
      return end_now(node);
    default:
      break;
  }
  formats::RecordedItem done;
  if (!deed_of(item, done.what)) return;
  done.call = item.call - 1;
  at(node).call_of_item.push_back(item.call);
  translate(node, done);
}

// A process that has ended by itself has done all that it has written. If the job ends early, its
// processes leave because of that.
void LiveSource::end_now(int node) {
  if (board_.cut_short.check() != 0)
    put(node, simulate::Stop{});
  else
    end(node);
}

void LiveSource::read_text(int node, const RecordItem& item) {
  const std::string text = reader_.text(node, item.bytes);
  if (text.size() < item.bytes) return;  // the process has ended
  if (item.kind == ItemKind::name) at(node).calls.push_back(text);
  if (item.kind == ItemKind::group) add_group(text);
  if (item.kind == ItemKind::bound) add_bound(node, text);
}

// Each member tells of its groups.
void LiveSource::add_group(const std::string& text) {
  const formats::RecordedGroup group = formats::group_in(text);
  if (!operations_.add_group(group.id, static_cast<int>(groups_.size()))) return;
  std::vector<int>& members = groups_.emplace_back();
  for (const int endpoint : group.endpoints) members.push_back(transport::shm::slot_of(endpoint));
}

void LiveSource::add_bound(int node, const std::string& text) {
  formats::JsonText json(text, "the timekeeper");
  at(node).bound.push_back(operations_.read(json, node));
}

void LiveSource::answer(int node, const RecordItem& question) {
  if (question.kind == ItemKind::clock) {
    const simulate::Ticks now = ranks_->now();
    reader_.answer(node, static_cast<std::uint64_t>(now / simulate::ticks_per_nanosecond));
    Rank& rank = at(node);
    if (std::exchange(rank.clocked, now) != now) rank.looks = 0;
    if (++rank.looks > looks_at_clock) put(node, simulate::Compute{time_of_vain_look});
    return;
  }
  const bool done = ranks_->is_done(node, question.request);
  reader_.answer(node, done ? 1 : 0);
  if (!done) put(node, simulate::Compute{time_of_vain_look});
}

// The first in the list counts if several are done.
void LiveSource::await_first(int node, const RecordItem& question) {
  const std::string text = reader_.text(node, question.bytes);
  if (text.size() < question.bytes) return;  // the process has ended
  std::vector<simulate::RequestNumber>& awaited = at(node).awaited;
  awaited.resize(text.size() / sizeof(simulate::RequestNumber));
  std::memcpy(awaited.data(), text.data(), text.size());
  const auto is_done = [&](simulate::RequestNumber one) { return ranks_->is_done(node, one); };
  const auto found = std::find_if(awaited.begin(), awaited.end(), is_done);
  if (found == awaited.end()) return put(node, simulate::Sleep{});
  reader_.answer(node, static_cast<std::uint64_t>(found - awaited.begin()));
  awaited.clear();
}

void LiveSource::done(int node, simulate::RequestNumber request) {
  std::vector<simulate::RequestNumber>& awaited = at(node).awaited;
  const auto found = std::find(awaited.begin(), awaited.end(), request);
  if (found == awaited.end()) return;
  reader_.answer(node, static_cast<std::uint64_t>(found - awaited.begin()));
  awaited.clear();
  ranks_->wake(node);
}

// All ranks ask the same questions, and the chooser keeps what it has counted.
void LiveSource::advise(int node, const RecordItem& question) {
  const std::string text = reader_.text(node, question.bytes);
  if (text.size() < question.bytes) return;  // the process has ended
  auto [place, is_new] = advice_.try_emplace(text);
  if (is_new) {
    const auto [asked, bytes] = selection::parse_question(text);
    place->second = selection::plan_name(asked.operation, chooser_.choose_by_model(asked, bytes));
  }
  reader_.answer(node, place->second);
}

bool LiveSource::deed_of(const RecordItem& item, formats::RecordedDeed& deed) {
  switch (item.kind) {
    case ItemKind::run:
      deed = formats::RecordedCall{item.peer, item.request};
      return true;
    case ItemKind::wait:
      deed = formats::RecordedWait{item.request};
      return true;
    case ItemKind::spend:
      deed = formats::RecordedSpending{static_cast<std::int64_t>(item.bytes)};
      return true;
    case ItemKind::until:
      deed = formats::RecordedSpending{.nanoseconds = static_cast<std::int64_t>(item.bytes),
                                       .until = true};
      return true;
    case ItemKind::share:
      deed = formats::RecordedShared{};
      return true;
    default:
      return false;
  }
}

simulate::RunOperation LiveSource::operation_of(int node, const formats::RecordedCall& call) {
  Rank& rank = at(node);
  const auto index = static_cast<std::size_t>(call.bound);
  if (index >= rank.bound.size())
    base::fail(base::Status::system_error, "the stream of rank {} is broken", node);
  const formats::RecordedOperation& part = rank.bound[index];
  const std::vector<int>& members = groups_[static_cast<std::size_t>(part.group)];
  replay::BoundPart& bound =
      rank.parts.try_emplace(call.bound, part, members, posting_).first->second;
  return {.operation = &bound,
          .member = part.member,
          .group = static_cast<std::uint64_t>(part.group),
          .number = static_cast<std::uint64_t>(rank.operations[part.group]++)};
}

const std::string& LiveSource::call_name(int node, int call) const {
  return ranks_of_job_[static_cast<std::size_t>(node)].calls[static_cast<std::size_t>(call)];
}

std::string LiveSource::call_of(int node, int item) const {
  const Rank& rank = ranks_of_job_[static_cast<std::size_t>(node)];
  const auto index = static_cast<std::size_t>(item - 1);
  if (index >= rank.call_of_item.size() || rank.call_of_item[index] == 0) return "";
  return call_name(node, rank.call_of_item[index] - 1);
}

}  // namespace tutti::tools
