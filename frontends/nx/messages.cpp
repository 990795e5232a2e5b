// SPDX-License-Identifier: BSD-3-Clause
// Sends, receives and probes by the mailbox (messages.hpp).
#include "messages.hpp"

#include <tutti-nx/nx.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "failure.hpp"
#include "forced.hpp"
#include "handlers.hpp"
#include "message_table.hpp"
#include "nodes.hpp"
#include "selector.hpp"

namespace tutti::nx {

namespace {

void check_contents(const Outgoing& message) {
  check_type(message.type);
  if (message.count < 0) fail(EINVAL, "argument 'count' is {}", message.count);
  if (message.buffer == nullptr && message.count > 0)
    fail(EFAULT, "argument 'buf' is NULL with {} bytes", message.count);
}

std::span<const int> receivers(long node) {
  const Nodes& all = nodes();
  node = as_int(node);
  if (node == all_others) return all.others();
  static int one;
  one = all.endpoint(node);
  return {&one, 1};
}

}  // namespace

std::span<const int> checked_receivers(const Outgoing& message) {
  const std::span<const int> to = receivers(message.node);
  check_contents(message);
  return to;
}

tutti_match checked_match(const Incoming& wanted) {
  static_cast<void>(nodes());
  if (wanted.count < 0) fail(EINVAL, "argument 'count' is {}", wanted.count);
  if (wanted.buffer == nullptr && wanted.count > 0)
    fail(EFAULT, "argument 'buf' is NULL with {} bytes", wanted.count);
  return match_of(wanted.typesel, wanted.nodesel, wanted.ptypesel);
}

MessageInfo info_of(const tutti_envelope& envelope) {
  return {type_of(envelope.key), static_cast<long>(envelope.bytes),
          nodes().node_of(envelope.source), ptype_of(envelope.key)};
}

void tell(const tutti_envelope& envelope, const InfoPlace& info) {
  const MessageInfo numbers = info_of(envelope);
  const bool is_last = !info.is_given() || info.of_c == msginfo;
  long* const as_long = is_last ? msginfo : info.of_c;
  std::int32_t* const as_int32 = is_last ? msginfo_i : info.of_int32;
  if (as_long != nullptr) std::copy(std::begin(numbers), std::end(numbers), as_long);
  if (as_int32 == nullptr) return;
  std::transform(std::begin(numbers), std::end(numbers), as_int32,
                 [](long number) { return static_cast<std::int32_t>(number); });
}

void check_received(tutti_status status, const tutti_envelope& envelope, long space) {
  if (status == TUTTI_TRUNCATED) {
    fail(EMSGSIZE, "the message of type {} from node {} has {} bytes, but the buffer has {}",
         type_of(envelope.key), nodes().node_of(envelope.source), envelope.bytes, space);
  }
  check(status);
}

namespace {

// Waits for a request, and runs handlers meanwhile. If the wait or a handler fails, the request is
// given up, because it uses what belongs to the caller.
tutti_status wait_or_give_up(tutti_request& request) {
  tutti_status status = TUTTI_OK;
  try {
    status = handlers().wait(request);
  } catch (...) {
    give_up(request);
    throw;
  }
  give_up(request);
  return status;
}

void begin_send_to(std::span<const int> to, std::uint64_t key, const Outgoing& message,
                   tutti_request& request) {
  discard_for_those_who_left(to, key, message.count);
  check(tutti_mail_start(static_cast<int>(to.size()), to.data(), key, message.buffer, message.count,
                         &request));
}

// Sends a message, and returns when the system buffers of its receivers have room. Handlers run
// meanwhile, because they may be what takes messages out of the buffer of this node.
void send_to(std::span<const int> to, std::uint64_t key, const Outgoing& message) {
  if (!handlers().may_run()) {
    discard_for_those_who_left(to, key, message.count);
    return check(tutti_mail_multicast(static_cast<int>(to.size()), to.data(), key, message.buffer,
                                      message.count));
  }
  tutti_request request{0};
  begin_send_to(to, key, message, request);
  check(wait_or_give_up(request));
}

}  // namespace

void send(const Outgoing& message) {
  const std::span<const int> to = checked_receivers(message);
  send_to(to, key_of(message.type, nodes().ptype()), message);
}

void begin_send(const Outgoing& message, tutti_request& request) {
  begin_send_to(receivers(message.node), key_of(message.type, nodes().ptype()), message, request);
}

namespace {

// A multicast names each receiver once, so a node that is named again gets the message by itself.
// The list counts, and not the node of `message`.
template <class Integer>
void multicast(const Outgoing& message, const Integer* list, long n) {
  const Nodes& all = nodes();
  check_contents(message);
  if (n < 0 || (list == nullptr && n > 0))
    fail(EINVAL, "argument 'n' is {}, or 'nodes' is NULL", n);
  std::vector<int> once, again;
  for (const Integer node : std::span(list, static_cast<std::size_t>(n))) {
    const int endpoint = all.endpoint(node);
    const bool known = std::find(once.begin(), once.end(), endpoint) != once.end();
    (known ? again : once).push_back(endpoint);
  }
  const std::uint64_t key = key_of(message.type, all.ptype());
  send_to(once, key, message);
  for (const int& endpoint : again) send_to({&endpoint, 1}, key, message);
}

}  // namespace

void send_to_list(long type, const void* buffer, long count, const long* list, long n) {
  multicast({type, buffer, count, all_others}, list, n);
}

void send_to_list(long type, const void* buffer, long count, const int* list, long n) {
  multicast({type, buffer, count, all_others}, list, n);
}

namespace {

// A receive that waits is posted, too, so that it may take messages of forced types, and while
// handlers run.
tutti_status receive_posted(const tutti_match& match, const Incoming& wanted,
                            tutti_envelope& envelope) {
  tutti_request request{0};
  const tutti_status status =
      tutti_mail_post(&match, wanted.buffer, wanted.count, &envelope, &request);
  return status == TUTTI_OK ? wait_or_give_up(request) : status;
}

}  // namespace

long receive(const Incoming& wanted, const InfoPlace& info) {
  const tutti_match match = checked_match(wanted);
  tutti_envelope envelope{};
  const tutti_status status =
      may_be_forced(match) || handlers().may_run()
          ? receive_posted(match, wanted, envelope)
          : tutti_mail_receive(&match, wanted.buffer, wanted.count, &envelope);
  check_received(status, envelope, wanted.count);
  tell(envelope, info);
  return static_cast<long>(envelope.bytes);
}

bool probe(const Incoming& wanted, Patience patience, const InfoPlace& info) {
  const tutti_match match = checked_match(wanted);
  tutti_envelope envelope{};
  const auto look = [&](int wait) { return tutti_mail_probe(&match, wait, &envelope); };
  tutti_status status = TUTTI_WOULD_WAIT;
  // While handlers may run, the wait is a loop, because a probe is no request.
  while (status == TUTTI_WOULD_WAIT && patience == Patience::wait && handlers().may_run()) {
    handlers().run();
    status = look(0);
  }
  if (status == TUTTI_WOULD_WAIT) status = look(patience == Patience::wait ? 1 : 0);
  if (status == TUTTI_WOULD_WAIT) return false;
  check(status);
  tell(envelope, info);
  return true;
}

// The id is that of msgwait, and not that of a call which a handler makes meanwhile.
void describe_waits() {
  const tutti_describe_fn describe = [](void*, const tutti_match* match, char* text, size_t size) {
    std::string words = words_of(*match);
    if (!handlers().one_runs()) words = messages().words_of_wait(std::move(words));
    *fmt::format_to_n(text, size - 1, "{}", words).out = '\0';
  };
  check(tutti_mail_describe(key_space, space_bits, describe, nullptr));
}

// A search for a message that cannot be there looks at all that have arrived. One for any message
// would end at the first that nobody awaits.
void move_on() {
  static_cast<void>(nodes());
  constexpr long any = -1;
  tutti_match match = match_of(any, any, any);
  match.accept = tutti_accept_set;
  match.user = nullptr;  // the empty set
  tutti_envelope envelope{};
  const tutti_status status = tutti_mail_probe(&match, 0, &envelope);
  if (status != TUTTI_WOULD_WAIT) check(status);
}

void flush(const Incoming& wanted) {
  const tutti_match match = checked_match(wanted);
  std::vector<char> unwanted;
  tutti_envelope envelope{};
  while (tutti_mail_probe(&match, 0, &envelope) == TUTTI_OK) {
    unwanted.resize(static_cast<std::size_t>(envelope.bytes));
    check(tutti_mail_receive(&match, unwanted.data(), envelope.bytes, nullptr));
  }
}

}  // namespace tutti::nx
