// SPDX-License-Identifier: BSD-3-Clause
// Messages by sender and key: locally blocking sends, receives that may choose among what has
// arrived. One of the three things of tutti that are not collectives
// (docs/design.md, "Outside the schedule").
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "base/fifo.hpp"
#include "data/pack.hpp"
#include "transport/give_up.hpp"
#include "transport/mail.hpp"

namespace tutti::services {

constexpr int any_source = -1;

struct Match {
  int source = any_source;
  std::uint64_t wanted = 0;
  std::uint64_t mask = 0;
  bool (*accept)(void* user, const transport::Arrival& arrival) = nullptr;  // nullptr: all
  void* user = nullptr;
  // With one source and one key: a long message of just so many bytes may be given while its sender
  // still writes it.
  std::uint64_t unwritten_bytes = 0;

  [[nodiscard]] bool fits(const transport::Arrival& arrival) const {
    return (source == any_source || arrival.source == source) && (arrival.key & mask) == wanted &&
           (accept == nullptr || accept(user, arrival));
  }
};

class Mailbox {
 public:
  // `send_wait`: seconds a send waits for memory. Transport and post must outlive the mailbox.
  Mailbox(transport::Transport& transport, transport::Mail& post, double send_wait)
      : transport_(&transport), mail_(&post), send_wait_(send_wait) {}

  // `fill(std::byte* message, data::Store, first, last)` writes the bytes [first, last) of the
  // message to message + first; a long message is sent in several calls, in order. `to` may list an
  // endpoint once only. Throws Error(out_of_memory) that names the unreceived messages.
  template <class Fill>
  void send(std::span<const int> to, std::uint64_t key, std::uint64_t bytes, const Fill& fill) {
    if (bytes <= transport::line_payload) {
      std::byte payload[transport::line_payload];
      fill(payload, data::Store::plain, std::uint64_t{0}, bytes);
      return send_inline(to, key, payload, static_cast<std::uint32_t>(bytes));
    }
    if (to.empty()) return;
    const transport::SendBuffer buffer = acquire(bytes, static_cast<std::uint32_t>(to.size()));
    if (bytes >= read_while_written && to.size() == 1 &&
        send_pipelined(to[0], key, bytes, buffer)) {
      for (std::uint64_t first = 0, last = 0; first < bytes; first = last) {
        last = std::min(first + piece_bytes, bytes);
        write(buffer, first, last, fill);
        wrote(to[0], buffer, last, bytes);
      }
      return;
    }
    write(buffer, 0, bytes, fill);
    send_buffer(to, key, bytes, buffer);
  }

  // One receiver, and the message lies in one piece.
  void send(int to, std::uint64_t key, const void* message, std::uint64_t bytes) {
    if (bytes <= transport::line_payload &&
        mail_->send_inline(to, key, message, static_cast<std::uint32_t>(bytes))) [[likely]]
      return;
    send({&to, 1}, key, bytes,
         [&](std::byte* memory, data::Store store, std::uint64_t first, std::uint64_t last) {
           data::copy(memory + first, static_cast<const std::byte*>(message) + first, last - first,
                      store);
         });
  }

  // The quick way to a short message that is likely to come next from `source`: copies it to `to`
  // if it comes within a short spin. False otherwise; then nothing was taken.
  [[nodiscard]] bool receive_now(int source, std::uint64_t key, void* to, std::uint64_t bytes) {
    return bytes <= transport::line_payload && unexpected_.empty() && !holds_ &&
           spin_for(source, key, to, static_cast<std::uint32_t>(bytes));
  }

  // The first message that fits, or nullptr. `match.accept` must not call the mailbox. It stays
  // where it is; the pointer is valid until the next call.
  [[nodiscard]] const transport::Arrival* look(const Match& match);
  // Waits for one.
  [[nodiscard]] const transport::Arrival& wait(const Match& match);
  // Waits for one until give_up(user), asked after each look in vain, returns true; nullptr then.
  [[nodiscard]] const transport::Arrival* wait_unless(const Match& match,
                                                      transport::GiveUp give_up);
  // How many bytes of the message of the last wait can be read: more than `beyond`, which is less
  // than its length. Waits if it is still being written. An Error takes the message away.
  [[nodiscard]] std::uint64_t readable(const transport::Arrival& arrival, std::uint64_t beyond) {
    return being_written_ == nullptr ? arrival.bytes : readable_so_far(beyond);
  }
  // Takes the message of the last look or wait away.
  void take();

  // Frees the idle send buffer.
  void release();
  // Waits until all messages of this process have been received, or cannot be any more.
  void drain();
  // Gives back what is shared with processes that are gone; their messages stay here.
  void part();
  // Before this process leaves: lets go of what has come and was not received.
  void close();

 private:
  // A message this long is read while it is written, and its sender says after so many bytes how
  // far it has come: few enough to lie in a first-level cache, and enough that telling takes little
  // of the time.
  static constexpr std::uint64_t read_while_written = 32 << 10;
  static constexpr std::uint64_t piece_bytes = 16 << 10;

  template <class Fill>
  static void write(const transport::SendBuffer& buffer, std::uint64_t first, std::uint64_t last,
                    const Fill& fill) {
    fill(buffer.data, buffer.non_temporal ? data::Store::non_temporal : data::Store::plain, first,
         last);
    if (buffer.non_temporal) data::store_fence();
  }

  void let_receivers_run();
  transport::SendBuffer acquire(std::uint64_t bytes, std::uint32_t readers);
  void send_inline(std::span<const int> to, std::uint64_t key, const std::byte* payload,
                   std::uint32_t bytes);
  void send_buffer(std::span<const int> to, std::uint64_t key, std::uint64_t bytes,
                   const transport::SendBuffer& buffer);
  [[nodiscard]] bool send_pipelined(int to, std::uint64_t key, std::uint64_t bytes,
                                    const transport::SendBuffer& buffer);
  void wrote(int to, const transport::SendBuffer& buffer, std::uint64_t last, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t readable_so_far(std::uint64_t beyond);
  [[nodiscard]] bool spin_for(int source, std::uint64_t key, void* to, std::uint32_t bytes);
  void collect(int source);
  [[nodiscard]] const transport::Arrival* next_of(const Match& match);
  [[nodiscard]] const transport::Arrival* fresh(const Match& match);
  [[nodiscard]] const transport::Arrival* next_unwritten(const Match& match);
  void put_aside();
  template <class Attempt>
  void until(const Attempt& attempt, std::span<const int> endpoints);
  template <class Attempt>
  void until_memory(const Attempt& attempt, std::uint64_t bytes);

  transport::Transport* transport_;
  transport::Mail* mail_;
  double send_wait_;
  base::Fifo<transport::Arrival> unexpected_{128};  // in order of arrival per source
  base::Fifo<transport::Arrival>::iterator found_;
  // The usual message is the next one of its sender while nothing else waits: it need not go
  // through the queue.
  transport::Arrival in_hand_;
  bool holds_ = false;
  const std::atomic<std::uint64_t>* being_written_ =
      nullptr;           // the message in hand; how far its sender has come
  bool parted_ = false;  // since the last look; what was left then is in the queue
};

}  // namespace tutti::services
