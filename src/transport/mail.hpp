// SPDX-License-Identifier: BSD-3-Clause
// The interface of the mailbox lane: locally blocking messages between endpoints. Any number of
// them may wait unreceived. The lane shares no credits with the collective lane, so a full mailbox
// never stops a collective. services/mailbox.hpp uses it; shm/mail.hpp and wire/mail.hpp implement
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/tuning.hpp"
#include "transport/handover.hpp"
#include "transport/shared.hpp"
#include "transport/shortage.hpp"
#include "transport/transport.hpp"

namespace tutti::transport {

// Messages up to this size travel in one cache line.
constexpr std::uint32_t line_payload = base::fixed::line_payload;

// A message taken off its queue. The payload of a short message is held here; that of a longer one
// stays in the sender's buffer until release().
struct Arrival {
  int source = -1;
  std::uint32_t number = 0;  // among all that have come from the source, if that is recorded
  Label key;
  std::uint64_t bytes = 0;
  std::uint64_t handle = 0;  // 0: payload is in `inline_payload`; `placed`: where it was offered
  const std::byte* buffer = nullptr;
  Shared<std::uint64_t>* record = nullptr;  // shows that this process holds the buffer
  // Counts the bytes that can be read while the sender still writes the message. nullptr: all can.
  const Shared<std::uint64_t>* ready = nullptr;
  std::byte inline_payload[line_payload];

  static constexpr std::uint64_t placed = 1;
  [[nodiscard]] const std::byte* payload() const { return handle == 0 ? inline_payload : buffer; }
};

// The message that a receiver waits for: the next one of its source, with this key and length.
struct Expected {
  Label key;
  std::uint64_t bytes = 0;
  // A message of at most line_payload bytes is copied to this address at once. If it is nullptr,
  // the message goes into the Arrival, as all longer ones do.
  void* to = nullptr;
};

// Tells the outcome of poll().
enum class Got : std::uint8_t {
  nothing,  // no message, or one that is still being written and is not the expected one
  taken,    // a message, all of which can be read
  begun,    // the expected message, which its sender still writes
  other     // a message that is not the one for which Expected has a place; it was not taken
};

// How far reclaim() looks. `idle` also frees the memory that is kept for later buffers.
enum class Depth : std::uint8_t { oldest, all, idle };

// The messages from an endpoint to another that nobody has taken yet.
struct Unreceived {
  std::string receiver;  // its name
  std::uint64_t messages = 0;
  bool at_most = false;  // some of them may have been taken, and this process has not been told
};

class Mail {
 public:
  virtual ~Mail() = default;

  // Returns memory for `bytes` > line_payload and `readers` receivers, of which `first` is the
  // first. `data` is nullptr when the job's memory is used up now.
  virtual Lent acquire(std::uint64_t bytes, std::uint32_t readers, int first) = 0;
  // Says why acquire() has no memory for `bytes`.
  [[nodiscard]] virtual Shortage shortage(std::uint64_t bytes) const = 0;
  // These two send to one receiver and never wait. They return false, and have sent nothing, when
  // there is no memory even for the envelope. inject() sends at most line_payload bytes, which it
  // copies.
  [[nodiscard]] virtual bool inject(int to, Label key, const void* payload,
                                    std::uint32_t bytes) = 0;
  // Announces a buffer of which the first `ready` bytes are written. If these are not all, the
  // receiver may copy them while the sender writes the rest; that goes only to some receivers, and
  // to the others nothing is sent before all is ready.
  [[nodiscard]] virtual bool send(int to, Label key, std::uint64_t bytes, const Lent& buffer,
                                  std::uint64_t ready) = 0;
  // Says that more of an announced buffer is written: the first `ready` bytes.
  virtual void extend(int to, const Lent& buffer, std::uint64_t ready) = 0;
  // Takes back `unsent` readers of the buffer that will never be told of it.
  virtual void withdraw(const Lent& buffer, std::uint32_t unsent) = 0;
  // Finds buffers that all receivers have released, and keeps or frees their memory. Called after
  // sending, to look at the oldest. Returns the bytes of those that are not known to be released.
  virtual std::uint64_t reclaim(Depth depth) = 0;

  // Takes the oldest message from `source` off the queue. `source` is an endpoint id: the next
  // process in the same slot is another source. A message that is still being written stays there,
  // unless it is the expected one. `expected` may be nullptr.
  [[nodiscard]] virtual Got poll(int source, const Expected* expected, Arrival& arrival) = 0;
  // Offers to take a message, unless the offer stands, and copies a piece if a sender has accepted
  // it. Returns `done` when all are copied; then the message lies at offer.to. All that this
  // endpoint was sent before must have been taken.
  [[nodiscard]] virtual Look take_offered(const MailOffer& offer, Arrival& arrival) = 0;
  // Takes the offer back. Returns true if a message has come by it.
  [[nodiscard]] virtual bool finish_offered(Arrival& arrival) = 0;
  // Hands over a message to a receiver that has offered to take it. The sender must not change it
  // before help() has returned `done`, which copies a piece. Answers `soon` if an offer may come.
  [[nodiscard]] virtual HandedOver hand_over(int to, Label key, const std::byte* message,
                                             std::uint64_t bytes) = 0;
  [[nodiscard]] virtual Look help() = 0;
  // Ends a message that was handed over. Returns true if the receiver has not got it.
  [[nodiscard]] virtual bool take_back() = 0;
  // Calls visit(source) at least for each endpoint from which a message may be waiting.
  virtual void for_each_sender(void (*visit)(void* user, int source), void* user) = 0;
  // Tells the sender that this receiver needs the buffer of the message no more.
  virtual void release(const Arrival& arrival) = 0;

  // Tells the sender `from` that the program here has taken so many more bytes of its messages.
  virtual void credit(int from, std::uint64_t bytes) = 0;
  // Returns how many bytes `to` has credited to this sender since the two have met; nothing if they
  // have not, or if nobody is at `to` any more.
  [[nodiscard]] virtual std::optional<std::uint64_t> credited(int to) const = 0;

  // Throws Error that names the endpoint if nobody at `to` will ever receive a message.
  virtual void require_reachable(int to) const = 0;
  // Gives back the queues shared with endpoints that have departed since the last call. Calls
  // visit(source) first for each of them that has sent here, so that the receiver can fetch what is
  // left. Costs one load when no endpoint has departed.
  virtual void part(void (*visit)(void* user, int source), void* user) = 0;

  // Lists the messages of this endpoint that no receiver has taken yet. A receiver that tells only
  // from time to time what it has taken is asked to tell when it has taken all. A wait for that
  // sets WaitInfo::drains.
  [[nodiscard]] virtual std::vector<Unreceived> unreceived() = 0;
};

}  // namespace tutti::transport
