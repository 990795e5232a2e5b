// SPDX-License-Identifier: BSD-3-Clause
// Starts messages with handlers and runs these (handlers.hpp).
#include "handlers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "failure.hpp"
#include "forced.hpp"
#include "nodes.hpp"
#include "selector.hpp"

namespace tutti::nx {

MessageHandlers& handlers() {
  // Never destroyed, because programs call NX from exit handlers.
  static MessageHandlers* const only = new MessageHandlers;
  return *only;
}

MessageHandlers::Place MessageHandlers::add(Action action) {
  waiting_.emplace_back().action = std::move(action);
  return std::prev(waiting_.end());
}

void MessageHandlers::on_send(const Outgoing& message, Action action) {
  const std::span<const int> to = checked_receivers(message);
  const std::uint64_t key = key_of(message.type, nodes().ptype());
  const Place handler = add(std::move(action));
  handler->space = message.count;
  handler->envelope = {to.empty() ? -1 : to.front(), key, message.count};
  begin_send(message, handler->request);
}

void MessageHandlers::on_receive(const Incoming& wanted, Action action) {
  const tutti_match match = checked_match(wanted);
  const Place handler = add(std::move(action));
  handler->space = wanted.count;
  check(
      tutti_mail_post(&match, wanted.buffer, wanted.count, &handler->envelope, &handler->request));
}

// The message that is sent has no handler of its own.
void MessageHandlers::on_both(const Outgoing& message, const Incoming& wanted, Action action) {
  static_cast<void>(checked_receivers(message));
  on_receive(wanted, std::move(action));
  on_send(message, [](const tutti_envelope&) {});
}

long MessageHandlers::mask(long state) {
  const long before = std::exchange(mask_, state == 0 ? 0 : 1);
  run();
  return before;
}

void MessageHandlers::call(Place handler, tutti_status status) {
  const Handler over = std::move(*handler);
  waiting_.erase(handler);
  check_received(status, over.envelope, over.space);
  running_ = true;
  over.action(over.envelope);
  running_ = false;
}

// A handler may post others, so the search begins anew after each.
void MessageHandlers::run_ready() {
  for (auto handler = waiting_.begin(); handler != waiting_.end();) {
    int done = 0;
    const tutti_status status = tutti_test(&handler->request, &done);
    if (status == TUTTI_OK && done == 0) {
      ++handler;
      continue;
    }
    call(handler, status);
    if (!may_run()) return;
    handler = waiting_.begin();
  }
}

tutti_status MessageHandlers::wait(tutti_request& request) {
  for (;;) {
    run();
    if (request.id == 0) return TUTTI_OK;
    if (!may_run()) return tutti_wait(&request);
    requests_.assign(1, request);
    for (const Handler& handler : waiting_) requests_.push_back(handler.request);
    int index = -1;
    const tutti_status status =
        tutti_waitany(static_cast<int>(requests_.size()), requests_.data(), &index);
    request = requests_.front();
    // After an error, too, the request that has ended has lost its number.
    const auto ended =
        std::ranges::find_if(requests_, [](tutti_request one) { return one.id == 0; });
    if (ended == requests_.begin() || ended == requests_.end()) return status;
    const auto handler = std::next(waiting_.begin(), ended - requests_.begin() - 1);
    handler->request = {0};
    call(handler, status);
  }
}

void begin_call() {
  find_forced_if_error();
  handlers().run();
}

}  // namespace tutti::nx
