// SPDX-License-Identifier: BSD-3-Clause
// The mailbox lane: locally blocking messages between endpoints, without bound on how many wait
// unreceived. It shares no credits with the collective lane, so a full mailbox never stops a
// collective.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "transport/transport.hpp"

namespace tutti::transport {

// Messages up to this size travel in one cache line.
constexpr std::uint32_t line_payload = 40;

// Memory for a message longer than line_payload, readable by the receivers.
struct SendBuffer {
  std::byte* data = nullptr;
  std::uint64_t handle = 0;
  bool non_temporal = false;  // better written so: its readers are far
};

// A message taken off its queue. Short ones are held here, longer ones stay in the sender's buffer
// until discarded.
struct Arrival {
  int source = -1;
  std::uint64_t key = 0;
  std::uint64_t bytes = 0;
  std::uint64_t handle = 0;  // 0: in `inline_payload`
  const std::byte* buffer = nullptr;
  std::byte inline_payload[line_payload];

  [[nodiscard]] const std::byte* payload() const { return handle == 0 ? inline_payload : buffer; }
};

// Tells whether receivers wake an endpoint whenever they take one of its messages.
enum class WakeUps { wanted, unwanted };

class Mail {
 public:
  virtual ~Mail() = default;

  // Memory for `bytes` > line_payload and `readers` receivers; data == nullptr when the job's
  // memory is used up now.
  virtual SendBuffer acquire(std::uint64_t bytes, std::uint32_t readers) = 0;
  // Never waits. False when there is no memory even for the envelope; nothing was sent then.
  [[nodiscard]] virtual bool send(int to, std::uint64_t key, std::uint64_t bytes,
                                  const SendBuffer& buffer) = 0;
  // Sends a buffer that is still to be written, so that it can be read meanwhile. The receiver
  // learns of its bytes by wrote(), and of the message itself at the latest when all `bytes` are
  // written. If it returns false, nothing was sent and the caller must use send().
  [[nodiscard]] virtual bool send_pipelined(int to, std::uint64_t key, std::uint64_t bytes,
                                            const SendBuffer& buffer) = 0;
  virtual void wrote(int to, const SendBuffer& buffer, std::uint64_t bytes) = 0;
  virtual void wrote_all(int to, const SendBuffer& buffer, std::uint64_t bytes) = 0;
  [[nodiscard]] virtual bool send_inline(int to, std::uint64_t key, const void* payload,
                                         std::uint32_t bytes) = 0;
  // `unsent` readers of a buffer will never be given it.
  virtual void withdraw(const SendBuffer& buffer, std::uint32_t unsent) = 0;
  // After sending: finds buffers that all receivers have discarded, and keeps or frees their
  // memory. reclaim() looks at the oldest only, reclaim_all() at every one.
  virtual void reclaim() = 0;
  virtual void reclaim_all() = 0;
  // Bytes of the buffers that were sent and not found discarded yet.
  [[nodiscard]] virtual std::uint64_t outstanding() const = 0;
  // Frees what was kept.
  virtual void release() = 0;

  // Takes the oldest message from `source` off the queue; none whose buffer is still being written.
  // An endpoint is named by its id: the next process in the same slot is another source.
  [[nodiscard]] virtual bool fetch(int source, Arrival& arrival) = 0;
  // Fetches a message that is still being written, if it has this key and length. Returns the
  // counter that tells how many of its bytes can be read, or nullptr if there is no such message.
  virtual const std::atomic<std::uint64_t>* fetch_pipelined(int source, std::uint64_t key,
                                                            std::uint64_t bytes,
                                                            Arrival& arrival) = 0;
  // Takes a short message: copies it to `to` if the oldest one from `source` has this key and this
  // length, at most line_payload. It returns `other` if that message is another one, or if such
  // messages do not come this way.
  enum class Taken : std::uint8_t { yes, not_yet, other };
  [[nodiscard]] virtual Taken take_inline(int source, std::uint64_t key, void* to,
                                          std::uint32_t bytes) = 0;
  // Endpoints that have ever sent here: calls visit(source) for each. Order: ascending.
  virtual void contacts(void (*visit)(void* user, int source), void* user) = 0;
  // The receiver has copied the buffer out.
  virtual void discard(const Arrival& arrival) = 0;

  // Throws Error that names the endpoint if nobody at `to` will ever receive a message.
  virtual void require_reachable(int to) const = 0;
  // Gives back what is shared with endpoints that have departed since the last call. Before that,
  // visit(source) for each that has sent here, so that nothing is lost: the receiver fetches what
  // is left. Costs a look when nobody has.
  virtual void part(void (*visit)(void* user, int source), void* user) = 0;
  // A message that was fetched but not discarded, when its sender parts.
  virtual void abandon(const Arrival& arrival) = 0;

  // From now on receivers wake this endpoint, or no longer do.
  virtual void ask_to_be_woken(WakeUps wake_ups) = 0;
  // Messages of this endpoint not yet taken by anybody; and the same as text, by receiver and
  // count.
  [[nodiscard]] virtual std::uint64_t unreceived() const = 0;
  [[nodiscard]] virtual std::string unreceived_text() const = 0;
};

}  // namespace tutti::transport
