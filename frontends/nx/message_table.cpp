// SPDX-License-Identifier: BSD-3-Clause
// Starts messages and ends them (message_table.hpp). The requests are those of tutti.
#include "message_table.hpp"

#include <algorithm>
#include <utility>

#include "failure.hpp"
#include "handlers.hpp"
#include "nodes.hpp"
#include "selector.hpp"

namespace tutti::nx {

MessageTable& messages() {
  // Never destroyed, because programs call NX from exit handlers.
  static MessageTable* const only = new MessageTable;
  return *only;
}

long MessageTable::add() {
  if (!ignored_.empty()) forget_ignored();
  if (free_.empty()) {
    if (all_.size() >> place_bits != 0) {
      fail(ENOMEM, "{} messages are started and not waited for, which are too many", all_.size());
    }
    free_.push_back(static_cast<std::uint32_t>(all_.size()));
    all_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  Entry& entry = all_[place];
  const std::uint32_t uses = entry.uses;
  entry = Entry();
  entry.uses = uses;
  entry.used = true;
  return static_cast<long>(entry.uses << place_bits | place);
}

bool MessageTable::knows(long id) const {
  const std::size_t place = place_of(id);
  return id >= 0 && place < all_.size() && all_[place].used &&
         static_cast<long>(all_[place].uses) == id >> place_bits;
}

MessageTable::Entry& MessageTable::find(long id) {
  if (!knows(id))
    fail(EINVAL, "argument 'id' is {}, which names no message, or one that is over", id);
  return all_[place_of(id)];
}

void MessageTable::remove(long id) {
  Entry& entry = find(id);
  entry.used = false;
  entry.uses = (entry.uses + 1) % most_uses;
  free_.push_back(static_cast<std::uint32_t>(place_of(id)));
}

template <class Step>
void MessageTable::or_forget(long id, const Step& step) {
  try {
    step();
  } catch (...) {
    if (knows(id)) {
      give_up(find(id).send);
      give_up(find(id).receive);
      remove(id);
    }
    throw;
  }
}

long MessageTable::start_send(const Outgoing& message) {
  static_cast<void>(checked_receivers(message));
  const long id = add();
  or_forget(id, [&] { begin_send(message, find(id).send); });
  return id;
}

long MessageTable::start_receive(const Incoming& wanted, const InfoPlace& info) {
  const tutti_match match = checked_match(wanted);
  const long id = add();
  or_forget(id, [&] {
    Entry& entry = find(id);
    entry.match = match;
    entry.receives = true;
    entry.space = wanted.count;
    entry.info = info;
    check(tutti_mail_post(&match, wanted.buffer, wanted.count, &entry.envelope, &entry.receive));
  });
  return id;
}

// The receive is posted first, so that it takes the message of a node that sends to itself.
long MessageTable::start_both(const Outgoing& message, const Incoming& wanted) {
  static_cast<void>(checked_receivers(message));
  const long id = start_receive(wanted, {});
  or_forget(id, [&] { begin_send(message, find(id).send); });
  return id;
}

long MessageTable::merge(long first, long second) {
  first = as_int(first);
  second = as_int(second);
  if (first == -1) return second;
  if (second == -1) return first;
  static_cast<void>(find(first));
  static_cast<void>(find(second));
  if (first == second) fail(EINVAL, "both arguments are {}", first);
  const long id = add();
  find(id).parts = {first, second};
  return id;
}

void MessageTable::end_receive(Entry& entry, tutti_status status) {
  entry.receives = false;
  check_received(status, entry.envelope, entry.space);
  tell(entry.envelope, entry.info);
}

bool MessageTable::test(Entry& entry) {
  auto& parts = entry.parts;
  while (!parts.empty() && done(parts.back())) parts.pop_back();
  int sent = 0, received = 0;
  check(tutti_test(&entry.send, &sent));
  if (entry.receives) {
    const tutti_status status = tutti_test(&entry.receive, &received);
    if (received != 0 || status != TUTTI_OK) end_receive(entry, status);
  }
  return parts.empty() && sent != 0 && !entry.receives;
}

// An id is used up by an error, too.
bool MessageTable::done(long id) {
  try {
    if (!test(find(id))) return false;
  } catch (const CallFailure&) {
    remove(id);
    throw;
  }
  remove(id);
  return true;
}

void give_up(tutti_request& request) {
  int cancelled = 0;
  // Failure is harmless: a request that is over needs no end.
  if (request.id != 0) static_cast<void>(tutti_cancel(&request, &cancelled));
}

// A part that has failed is over, too. One whose wait was left because a handler has failed is not.
void MessageTable::wait_for_parts(long id) {
  const auto drop_first = [&] { find(id).parts.erase(find(id).parts.begin()); };
  while (!find(id).parts.empty()) {
    const long part = find(id).parts.front();
    try {
      finish(part);
    } catch (...) {
      if (!knows(part)) drop_first();
      throw;
    }
    drop_first();
  }
}

void MessageTable::wait(long id) {
  const long before = std::exchange(awaited_, id);
  try {
    finish(id);
  } catch (...) {
    awaited_ = before;
    throw;
  }
  awaited_ = before;
}

void MessageTable::add_receives(long id, std::vector<long>& ids) const {
  if (at(id).receives) ids.push_back(id);
  for (const long part : at(id).parts) {
    if (knows(part)) add_receives(part, ids);
  }
}

std::string MessageTable::words_of_wait(std::string words) const {
  if (awaited_ < 0 || !knows(awaited_)) return words;
  std::vector<long> ids;
  add_receives(awaited_, ids);
  if (ids.empty()) return words;
  words += fmt::format(", id {}", ids.front());
  if (ids.front() != awaited_) words += fmt::format(" of the merged id {}", awaited_);
  for (const long id : std::span(ids).subspan(1)) {
    const tutti_match& match = at(id).match;
    words += "; then " + nx::words_of(match);
    if (match.source != TUTTI_ANY)
      words += fmt::format(" from node {}", nodes().node_of(match.source));
    words += fmt::format(", id {}", id);
  }
  return words;
}

void MessageTable::finish(long id) {
  wait_for_parts(id);
  const tutti_status sent = handlers().wait(find(id).send);
  const tutti_status received = handlers().wait(find(id).receive);
  Entry over = find(id);
  // After an error, such as the end of the other node, a message may still be under way.
  give_up(over.send);
  give_up(over.receive);
  remove(id);
  const tutti_status status = sent == TUTTI_OK ? received : sent;
  if (!over.receives) return check(status);
  end_receive(over, status);
}

void MessageTable::exchange(const Outgoing& message, const Incoming& wanted) {
  const long id = start_both(message, wanted);
  or_forget(id, [&] { finish(id); });
}

void MessageTable::ignore(long id) {
  static_cast<void>(find(id));
  ignored_.push_back(id);
  forget_ignored();
}

// The info calls tell nothing of a message that was ignored.
void MessageTable::forget_ignored() {
  long unread[info_numbers];
  std::erase_if(ignored_, [&](long id) {
    Entry& entry = find(id);
    if (!entry.info.is_given()) entry.info.of_c = unread;
    const bool over = test(entry);
    if (entry.info.of_c == unread) entry.info.of_c = nullptr;
    if (over) remove(id);
    return over;
  });
}

void MessageTable::cancel(long id) {
  Entry& entry = find(id);
  for (const long part : std::exchange(entry.parts, {})) cancel(part);
  for (tutti_request* request : {&entry.send, &entry.receive}) {
    int cancelled = 0;
    check(tutti_cancel(request, &cancelled));
    if (request->id != 0) check(tutti_wait(request));  // it has begun and cannot be taken back
  }
  remove(id);
}

void MessageTable::finish_sends() {
  for (Entry& entry : all_) {
    if (entry.used) check(tutti_wait(&entry.send));
  }
}

}  // namespace tutti::nx
