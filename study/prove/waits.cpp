// SPDX-License-Identifier: BSD-3-Clause
// Obligations that keep ranks from waiting for each other in a circle. src/schedule/waits.cpp says
// who waits for whom. Three statements are tried, each of which is enough ("Circles of waiting
// ranks" in docs/internals/theorems.md).
#include "operations.hpp"

namespace tutti::prove {
namespace {

using schedule::Do;
using schedule::Op;

// Shows that the messages which the view shows come in the order of their ranks.
void require_rising_senders(const Op& op) {
  const std::vector<Int> senders = senders_of(op);
  for (std::size_t i = 1; i < senders.size(); ++i)
    path().require(senders[i - 1] < senders[i], "a combine takes messages in the order of ranks");
}

// Shows that a message which is written does not meet what the rank sends.
void require_apart_from_sends(const Step& step, const Op& op) {
  const Op& other = step.some_operation();
  if (other.what != Do::send || op.blocks.empty()) return;
  require_apart(step, cell_at(op.blocks, some_place(op.blocks)), other.blocks,
                "a message waits for no send");
}

}  // namespace

// Local work waits for the messages before it, and messages behind it would wait, too. That it does
// not wait for sends is shown where it meets them (messages.cpp).
void local_work_delays_nobody(const Subject& subject) {
  const Step step(subject, {Steps::any_two});
  bool message = false, waits = false;
  for (const Op& op : step.round.ops) {
    if (op.what == Do::send) continue;
    if (is_message(op)) {
      path().require(!waits, "local work that waits comes after all messages");
      message = true;
    } else {
      waits = waits || message;
    }
  }
}

void combines_wait_for_single_sends(const Subject& subject) {
  const Step step(subject, {Steps::any_two});
  const Op& op = step.some_operation();
  if (op.what != Do::receive_combine || senders_of(op).size() < 2) return;
  const RoundView theirs = step.round_of(some_sender(op), {Steps::any_two});
  path().require(number_of_sends(theirs) <= 1, "nobody waits in a circle");
  for (const Op& send : theirs.ops)
    if (send.what == Do::send) path().require(send.to.count == 1, "nobody waits in a circle");
}

void ranks_wait_for_lower_ones(const Subject& subject) {
  const Step step(subject, {Steps::any_two});
  const Op& op = step.some_operation();
  if (!is_message(op)) return;
  if (op.what == Do::receive_combine) require_rising_senders(op);
  require_apart_from_sends(step, op);
}

void ranks_wait_for_lower_ones_or_themselves(const Subject& subject) {
  const Step step(subject, {Steps::any_two});
  const Op& op = step.some_operation();
  if (op.what == Do::receive) return require_apart_from_sends(step, op);
  if (op.what != Do::receive_combine || senders_of(op).size() < 2) return;
  require_rising_senders(op);
  require_one_send(step, some_sender(op), "nobody waits in a circle");
}

}  // namespace tutti::prove
