// SPDX-License-Identifier: BSD-3-Clause
// Reads the streams of ranks (live_source.hpp).
#include "timekeeper/live_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "simulate/simulate.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::tools {
namespace {

using record::ItemKind;
using record::RecordItem;

using timed::MessageAnswer;
using timed::MessageName;

MessageName name_of(const NodeMail::Message& message) {
  return {.from = message.from, .number = static_cast<std::uint32_t>(message.number)};
}

}  // namespace

LiveSource::LiveSource(const transport::shm::Mapping& mapping, timed::TimedBoard& board,
                       const machine::Machine& machine)
    : ItemSource(board.ranks, 0),
      reader_(mapping, board),
      board_(board),
      posting_(simulate::posting_on(machine)),
      advice_(machine),
      ranks_of_job_(board.ranks) {}

void LiveSource::read_on(int node) {
  if (at(node).question) return ask(node);
  RecordItem item;
  if (!reader_.next(node, item)) return end_now(node);
  switch (item.kind) {
    case ItemKind::name:
    case ItemKind::group:
    case ItemKind::bound:
    case ItemKind::counter:
    case ItemKind::place:
      return read_text(node, item);
    case ItemKind::clock:
    case ItemKind::test:
    case ItemKind::which:
    case ItemKind::seek:
    case ItemKind::news:
    case ItemKind::cancel:
      return begin_question(node, item);
    case ItemKind::first:
      if (read_content(node, item, at(node).awaited)) begin_question(node, item);
      return;
    case ItemKind::advise:
      return advise(node, item);
    case ItemKind::end:
      return end_now(node);
    default:
      break;
  }
  if (read_mail(node, item)) return;
  formats::RecordedItem done;
  if (!deed_of(item, done.what)) return;
  done.call = item.call - 1;
  at(node).call_of_item.push_back(item.call);
  translate(node, done);
}

// Items that are put from now on belong to the call of this one.
void LiveSource::note_call(int node, const RecordItem& item) {
  count_item(node);
  at(node).call_of_item.push_back(item.call);
}

bool LiveSource::read_mail(int node, const RecordItem& item) {
  Rank& rank = at(node);
  switch (item.kind) {
    case ItemKind::key:
      rank.key = {item.bytes, item.request};
      return true;
    case ItemKind::select: {
      std::vector<timed::Selection> selection(1);
      if (read_content(node, item, selection)) rank.selection = selection.front();
      return true;
    }
    case ItemKind::send:
      read_send(node, item);
      return true;
    case ItemKind::expect:
      if (item.peer != 0) rank.asks.insert(item.request);
      ranks()->open_receive(node, item.request, rank.selection.from);
      meet(node, rank.mail.post(item.request, rank.selection));
      return true;
    case ItemKind::receive:
      rank.mail.take(item.peer, static_cast<int>(item.bytes));
      return true;
    case ItemKind::stays:
      rank.mail.stays(item.peer, static_cast<int>(item.bytes), rank.key);
      return true;
    case ItemKind::discard:
      rank.mail.discard(item.peer != 0 ? std::optional(rank.selection) : std::nullopt);
      return true;
    default:
      return false;
  }
}

// A process that has ended by itself has done all that it has written. If the job ends early, its
// processes leave because of that. Messages that it has left are received, and nobody waits for
// them.
void LiveSource::end_now(int node) {
  if (board_.cut_short.check() != 0) return put(node, simulate::Stop{});
  for (const NodeMail::Message& left : at(node).mail.end())
    receive_unawaited(node, left.from, left.number);
  end(node);
}

void LiveSource::read_text(int node, const RecordItem& item) {
  const std::string text = reader_.text(node, item.bytes);
  if (text.size() < item.bytes) return;  // the process has ended
  if (item.kind == ItemKind::name) at(node).calls.push_back(text);
  if (item.kind == ItemKind::counter) at(node).counters.push_back(text);
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
  formats::JsonText json(text, fmt::format("the stream of rank {}", node));
  at(node).bound.push_back(operations_.read(json, node));
}

template <class Content>
bool LiveSource::read_content(int node, const RecordItem& item, Content& content) {
  const std::string text = reader_.text(node, item.bytes);
  if (text.size() < item.bytes) return false;  // the process has ended
  content.resize(text.size() / sizeof content.front());
  std::memcpy(content.data(), text.data(), text.size());
  return true;
}

// --- questions ---

void LiveSource::begin_question(int node, const RecordItem& question) {
  Rank& rank = at(node);
  note_call(node, question);
  rank.question = question;
  const bool goes_on = question.kind == ItemKind::seek && question.peer != 0;
  rank.until = goes_on ? rank.seeks_until : after(question.ticks);
  if (question.kind == ItemKind::seek && !goes_on) {
    rank.seeks_until = rank.until;
    rank.refused.clear();
  }
  // A wait that is over at once is a wait all the same, as in a replay (simulate::AwaitRequest).
  if (question.kind == ItemKind::which) return put(node, simulate::AwaitRequest{question.request});
  ask(node);
}

// Returns the time after so many nanoseconds; nothing if it never comes.
std::optional<simulate::Ticks> LiveSource::after(std::uint64_t nanoseconds) const {
  const std::uint64_t most = static_cast<std::uint64_t>(simulate::longest_time - ranks()->now()) /
                             static_cast<std::uint64_t>(simulate::ticks_per_nanosecond);
  if (nanoseconds > most) return std::nullopt;
  return ranks()->now() +
         static_cast<simulate::Ticks>(nanoseconds) * simulate::ticks_per_nanosecond;
}

void LiveSource::ask(int node) {
  Rank& rank = at(node);
  const RecordItem question = *rank.question;
  auto answer = answer_to(node, question);
  if (!answer && has_ready(node)) return;  // it is asked again when that is done
  if (!answer && rank.until && *rank.until <= ranks()->now()) answer = MessageAnswer::none;
  if (answer) {
    rank.question.reset();
    return reader_.answer(node, *answer);
  }
  put(node, simulate::Sleep{rank.until});
}

std::optional<std::uint64_t> LiveSource::answer_to(int node, const RecordItem& question) {
  switch (question.kind) {
    case ItemKind::clock:
      return static_cast<std::uint64_t>(ranks()->now() / simulate::ticks_per_nanosecond);
    case ItemKind::test:
      return ranks()->is_done(node, question.request) ? 1 : 0;
    case ItemKind::first:
      return first_done(node);
    case ItemKind::which:
      return message_of(node, question);
    case ItemKind::news:
      if (!std::exchange(at(node).has_news, false)) return std::nullopt;
      return 0;
    case ItemKind::cancel:
      return cancel(node, question.request) ? 1 : 0;
    default:
      return message_found(node);
  }
}

bool LiveSource::cancel(int node, simulate::RequestNumber request) {
  const auto meetings = at(node).mail.cancel(request);
  if (!meetings) return false;
  at(node).asks.erase(request);
  ranks()->close_receive(node, request);
  meet(node, *meetings);
  return true;
}

// The first in the list counts if several are done.
std::optional<std::uint64_t> LiveSource::first_done(int node) {
  const auto& awaited = at(node).awaited;
  for (auto first = awaited.begin(); first != awaited.end();) {
    const auto next = std::find_if(first, awaited.end(),
                                   [&](const auto& one) { return one.place != first->place; });
    const bool is_done = std::all_of(
        first, next, [&](const auto& one) { return ranks()->is_done(node, one.request); });
    if (is_done) return first->place;
    first = next;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> LiveSource::message_of(int node, const RecordItem& question) {
  if (!ranks()->is_done(node, question.request)) return std::nullopt;
  auto message = at(node).got.extract(question.request);
  if (message.empty())
    base::fail(base::Status::system_error, "the stream of rank {} is broken", node);
  return MessageAnswer::of(name_of(message.mapped()));
}

// A message that begins only when its receive is posted comes first.
std::optional<std::uint64_t> LiveSource::message_found(int node) {
  NodeMail& mail = at(node).mail;
  const timed::Selection& selection = at(node).selection;
  if (const auto lost = mail.next_lost(selection)) {
    MessageName name = name_of(*lost);
    name.lost = true;
    return MessageAnswer::of(name);
  }
  const auto found = mail.find(selection, at(node).refused);
  if (!found) return std::nullopt;
  if (found->state == NodeMail::State::seen) {
    at(node).refused.insert({found->from, found->number});  // if the program asks once more
    return MessageAnswer::of(name_of(*found));
  }
  mail.see(found->from, found->number);
  await(node, found->from, found->number);
  return std::nullopt;
}

void LiveSource::done(int node, simulate::RequestNumber request) {
  const auto& question = at(node).question;
  at(node).has_news = true;
  if (!question) return;
  const auto& awaited = at(node).awaited;
  const bool is_awaited = question->kind == ItemKind::first &&
                          std::any_of(awaited.begin(), awaited.end(),
                                      [&](const auto& one) { return one.request == request; });
  if (is_awaited || question->kind == ItemKind::news) ranks()->wake(node);
}

std::string LiveSource::sleeps_for(int node) const {
  const auto& question = ranks_of_job_[static_cast<std::size_t>(node)].question;
  const bool is_first = question && question->kind == ItemKind::first;
  return is_first ? "for one of its requests" : "for a message";
}

// --- messages ---

void LiveSource::read_send(int node, const RecordItem& item) {
  Rank& rank = at(node);
  const int to = item.peer;
  NodeMail& mail = at(to).mail;
  const bool to_itself = to == node;
  const auto meetings =
      mail.sent(node, rank.key, to_itself ? NodeMail::State::seen : NodeMail::State::sent);
  meet(to, meetings);
  if (to_itself) return;
  note_call(node, item);
  if (mail.has_ended()) receive_unawaited(to, node, rank.sent[to]);
  ++rank.sent[to];
  simulate::SendMessage message{.to = to, .bytes = static_cast<std::int64_t>(item.bytes)};
  if (item.request != 0) message.request = item.request;
  put(node, message);
}

void LiveSource::arrived(int node, int from, int number) {
  Rank& rank = at(node);
  meet(node, rank.mail.there(from, number));
  receive_lost(node);
  rank.has_news = true;
  if (!rank.question) return;
  const bool is_sought =
      rank.question->kind == ItemKind::seek && rank.mail.find(rank.selection, rank.refused);
  if (is_sought || rank.question->kind == ItemKind::news) ranks()->wake(node);
}

void LiveSource::meet(int node, const NodeMail::Meetings& meetings) {
  Rank& rank = at(node);
  for (const auto& [request, message] : meetings) {
    if (rank.asks.erase(request) > 0) rank.got[request] = message;
    if (message.state == NodeMail::State::seen)
      ranks()->close_receive(node, request);
    else
      ranks()->meet(node, request, message.from, message.number);
  }
}

// A message that is lost leaves its sender and comes, and nobody waits for it.
void LiveSource::receive_lost(int node) {
  for (const NodeMail::Message& lost : at(node).mail.lost())
    if (lost.state != NodeMail::State::seen) receive_unawaited(node, lost.from, lost.number);
}

void LiveSource::receive_unawaited(int node, int from, int number) {
  const simulate::RequestNumber request = own_request(node);
  ranks()->open_receive(node, request, from);
  ranks()->meet(node, request, from, number);
}

void LiveSource::advise(int node, const RecordItem& question) {
  const std::string text = reader_.text(node, question.bytes);
  if (text.size() == question.bytes) reader_.answer(node, advice_.on(text));
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
    case ItemKind::arrive:
      deed = formats::RecordedArrival{item.peer, static_cast<std::int64_t>(item.bytes)};
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

const std::string& LiveSource::counter_name(int node, int counter) const {
  return ranks_of_job_[static_cast<std::size_t>(node)].counters[static_cast<std::size_t>(counter)];
}

std::string LiveSource::call_of(int node, int item) const {
  const Rank& rank = ranks_of_job_[static_cast<std::size_t>(node)];
  const auto index = static_cast<std::size_t>(item - 1);
  if (index >= rank.call_of_item.size() || rank.call_of_item[index] == 0) return "";
  return call_name(node, rank.call_of_item[index] - 1);
}

}  // namespace tutti::tools
