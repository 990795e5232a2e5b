// SPDX-License-Identifier: BSD-3-Clause
// The mailbox of a process: messages by sender and key, with locally blocking sends, and receives
// that may choose among what has arrived. It is one of the three things of tutti that are not
// collectives (docs/internals/engine.md). The message functions of api/ use it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fifo.hpp"
#include "services/under_way.hpp"
#include "transport/waiter.hpp"

namespace tutti::services {

class Mailbox final : public transport::Progressable {
 public:
  // `send_wait` is the time in seconds that a send waits for memory. `waiter` and `mail` must
  // outlive the mailbox.
  Mailbox(transport::Waiter& waiter, transport::Mail& mail, double send_wait)
      : waiter_(&waiter),
        mail_(&mail),
        send_wait_(send_wait),
        limits_(transport::CutLimits::of(waiter.tuning())) {}
  ~Mailbox() override { waiter_->progress().remove(*this); }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Sends a message to all endpoints in `to`, each listed once. `fill(std::byte* message,
  // data::Store, first, last)` writes the bytes [first, last) of the message to message + first; a
  // long message takes several calls, in order. Throws Error(out_of_memory) that names the
  // unreceived messages.
  template <class Fill>
  void send(std::span<const int> to, transport::Label key, std::uint64_t bytes, const Fill& fill) {
    if (!started_.empty()) [[unlikely]]
      return send_behind(to, key, bytes, fill);
    if (!bounded_.fits(key)) [[likely]]
      return send_now(to, key, bytes, fill);
    await_room(to);
    send_now(to, key, bytes, fill);
    await_room(to);
  }

  // Sends a contiguous message to one receiver.
  void send(int to, transport::Label key, const void* message, std::uint64_t bytes) {
    if (bytes <= transport::line_payload && started_.empty() && !bounded_.fits(key) &&
        mail_->inject(to, key, message, static_cast<std::uint32_t>(bytes))) [[likely]]
      return;
    send({&to, 1}, key, bytes,
         [&](std::byte* memory, data::Store store, std::uint64_t first, std::uint64_t last) {
           data::copy(memory + first, static_cast<const std::byte*>(message) + first, last - first,
                      store);
         });
  }

  // Receives a short message that is likely to come next from `source`: copies it to `to` if it
  // comes within a short spin. Returns false otherwise; then nothing was taken. A message that has
  // a bound is never taken here, because its sender must be told.
  [[nodiscard]] bool receive_now(int source, transport::Label key, void* to, std::uint64_t bytes) {
    return bytes <= transport::line_payload && unexpected_.empty() && !holds_ && posted_.empty() &&
           !bounded_.fits(key) && spin_for(source, {key, bytes, to});
  }

  // Returns the first message that fits, or nullptr. The message stays where it is, and the pointer
  // is valid until the next call. `match.accept` must not call the mailbox.
  [[nodiscard]] const transport::Arrival* look(const Match& match);
  // Waits for a message that fits.
  [[nodiscard]] const transport::Arrival& wait(const Match& match);
  // Waits for a message that fits. Returns nullptr if `end` comes before.
  [[nodiscard]] const transport::Arrival* wait_unless(const Match& match,
                                                      const transport::WaitEnd& end);
  // Returns how many bytes of the last message waited for can be read: more than `beyond`, which is
  // less than its length. Waits if the message is still being written. After an Error the message
  // is gone.
  [[nodiscard]] std::uint64_t readable(const transport::Arrival& arrival, std::uint64_t beyond) {
    return arrival.ready == nullptr ? arrival.bytes : readable_so_far(beyond);
  }
  // Takes the message of the last look() or wait() away.
  void take();

  // Posts a receive. If a message for it is here, it is done at once.
  void post(PostedReceive& receive);
  // Starts a send. If it can leave now, it is done at once.
  void start(StartedSend& send);
  // These take back what is not done, as long as no receiver has been told of it. They return false
  // if it goes on.
  bool cancel(PostedReceive& receive);
  bool cancel(StartedSend& send);
  // From now on, messages of this kind are given only to receives that were posted before the
  // message is found. Messages that wait in the queue stay.
  void discard_unposted(const Unposted& kind) { unposted_ = kind; }
  // From now on, a send of a message of this kind begins only when there is room at its receivers,
  // and is over only when there is room again. So one message may go beyond the bound. Receivers
  // must have set the bound before they take such a message.
  void bound(const Bounded& kind) { bounded_ = kind; }
  // From now on, reports of a wait for a message ask `writer` what the match waits for, see
  // transport::WaitInfo::Words.
  void describe_by(DescribeMatch writer) { describe_ = writer; }
  [[nodiscard]] transport::WaitInfo::Words words_for(const Match& match) const {
    return {describe_, &match};
  }
  [[nodiscard]] bool waits_for_room(transport::Label key) const { return bounded_.fits(key); }
  // Does what can be done now for receives that were posted and sends that were started. It may be
  // called while a call of the mailbox waits. While there are any, all waits of the process do.
  transport::Look advance() override;
  [[nodiscard]] bool busy() const { return busy_; }
  // Returns how many bytes of bounded messages lie at a receiver: 0 if nobody is there any more,
  // and less than 0 for a moment when the receiver was quicker than this process.
  [[nodiscard]] std::int64_t owed(int to);
  // Says how many messages of this process each receiver has not taken.
  [[nodiscard]] std::string unreceived_text();
  // Packets of collectives are none of its messages.
  [[nodiscard]] bool expects(transport::Label) const override { return false; }
  // Its messages may come from anybody, and leave when anybody has taken others.
  void describe(transport::WaitInfo& info) const override {
    info.kind = transport::WaitInfo::For::any;
  }
  // Returns true if messages wait for memory, so that later ones must not overtake them.
  [[nodiscard]] bool sends_wait() const { return !started_.empty(); }

  // Frees the idle memory kept for send buffers.
  void release();
  // Waits until all messages of this process have been received, or cannot be any more.
  void drain();
  // Frees what is shared with departed processes. Their messages stay here.
  void part();
  // Discards all messages that have come and were not received. Called before this process leaves.
  void close();

 private:
  template <class Fill>
  static void write(const transport::Lent& buffer, std::uint64_t first, std::uint64_t last,
                    const Fill& fill) {
    fill(buffer.data, buffer.non_temporal ? data::Store::non_temporal : data::Store::plain, first,
         last);
    if (buffer.non_temporal) data::store_fence();
  }

  // Sends a message whatever room there is.
  template <class Fill>
  void send_now(std::span<const int> to, transport::Label key, std::uint64_t bytes,
                const Fill& fill) {
    if (bytes <= transport::line_payload) {
      std::byte payload[transport::line_payload];
      fill(payload, data::Store::plain, std::uint64_t{0}, bytes);
      return send_inline(to, key, payload, static_cast<std::uint32_t>(bytes));
    }
    if (to.empty()) return;
    const transport::Cutting cut = cut_of(bytes, to.size());
    const transport::Lent buffer = acquire(bytes, to, cut.most_ahead);
    if (!cut.whole && announce(to[0], key, bytes, buffer)) {
      for (std::uint64_t first = 0, last = 0; first < bytes; first = last) {
        last = std::min(first + cut.told_after, bytes);
        write(buffer, first, last, fill);
        mail_->extend(to[0], buffer, last);
      }
    } else {
      write(buffer, 0, bytes, fill);
      send_buffer(to, key, bytes, buffer);
    }
    // After the send, so that the receivers do not wait for it.
    ahead_ = mail_->reclaim(transport::Depth::oldest);
  }

  // Sends a message after those that were started, and returns when it has left.
  template <class Fill>
  void send_behind(std::span<const int> to, transport::Label key, std::uint64_t bytes,
                   const Fill& fill) {
    StartedSend later;
    later.to.assign(to.begin(), to.end());
    later.key = key;
    later.bytes = bytes;
    later.user = const_cast<Fill*>(&fill);
    later.fill = [](void* user, std::byte* message, data::Store store, std::uint64_t first,
                    std::uint64_t last) {
      (*static_cast<const Fill*>(user))(message, store, first, last);
    };
    wait_behind(later);
  }
  void wait_behind(StartedSend& send);

  [[nodiscard]] bool has_room(int to) { return owed(to) <= bounded_.bytes; }
  [[nodiscard]] bool has_room(const StartedSend& send) {
    return !bounded_.fits(send.key) ||
           std::ranges::all_of(send.to, [this](int to) { return has_room(to); });
  }
  // A message that one receiver has been told of goes to the others, too, without a wait for room.
  [[nodiscard]] bool may_leave(const StartedSend& send) { return send.told > 0 || has_room(send); }
  void await_room(std::span<const int> to);
  // Charges a receiver that has just been told of a message. It may take the message at once,
  // whatever becomes of the send to the other receivers.
  void charge_if_bounded(int to, transport::Label key, std::uint64_t bytes) {
    if (bounded_.fits(key)) [[unlikely]]
      charged_[to] += bytes + Bounded::envelope_bytes;
  }
  void let_go(const transport::Arrival& arrival);
  // Says how a message that does not fit a line is written and told.
  [[nodiscard]] transport::Cutting cut_of(std::uint64_t bytes, std::size_t receivers) const;
  transport::Lent acquire(std::uint64_t bytes, std::span<const int> to,
                                std::uint64_t most_ahead);
  void send_inline(std::span<const int> to, transport::Label key, const std::byte* payload,
                   std::uint32_t bytes);
  void send_buffer(std::span<const int> to, transport::Label key, std::uint64_t bytes,
                   const transport::Lent& buffer);
  [[nodiscard]] bool announce(int to, transport::Label key, std::uint64_t bytes,
                              const transport::Lent& buffer);
  [[nodiscard]] std::uint64_t readable_so_far(std::uint64_t beyond);
  [[nodiscard]] bool spin_for(int source, const transport::Expected& expected);
  void collect(int source);
  bool collect_all();
  [[nodiscard]] bool claim(const transport::Arrival& arrival);
  [[nodiscard]] bool discard_if_unposted(const transport::Arrival& arrival);
  void deliver(PostedReceive& receive, const transport::Arrival& arrival);
  bool advance_sends();
  bool advance_receives();
  [[nodiscard]] bool try_send(StartedSend& send);
  [[nodiscard]] bool try_inline(StartedSend& send);
  [[nodiscard]] bool try_buffer(StartedSend& send);
  void withdraw_untold(const StartedSend& send);
  void take_back(StartedSend& send);
  void end_in_failure(StartedSend& send);
  void check_patience(StartedSend& send);
  [[nodiscard]] bool is_blocked(const StartedSend& send) const;
  // Throws Error(out_of_memory) if the job can never have memory for a message of so many bytes.
  void refuse_if_it_never_fits(std::uint64_t bytes) const;
  [[noreturn]] void fail_for_memory(std::uint64_t bytes);
  void note_busy();
  [[nodiscard]] const transport::Arrival* next_of(const Match& match);
  [[nodiscard]] const transport::Arrival* fresh(const Match& match);
  void put_aside();
  // Repeats `attempt` until it returns true. `shown` says what is waited for. Returns false if
  // `end` came before.
  template <class Attempt>
  bool until(const Attempt& attempt, const transport::WaitInfo& shown,
             const transport::WaitEnd& end = {});
  template <class Attempt>
  void until_memory(const Attempt& attempt, std::uint64_t bytes);

  transport::Waiter* waiter_;
  transport::Mail* mail_;
  double send_wait_;
  transport::CutLimits limits_;
  base::Fifo<transport::Arrival> unexpected_{128};  // per source in order of arrival
  base::Fifo<transport::Arrival>::iterator found_;
  // The message that was found last, if `holds_`. Most messages are the next one of their sender
  // while nothing else waits, so they need not go through the queue.
  transport::Arrival in_hand_;
  bool holds_ = false;
  // The queue has messages that the last look() has not seen and that will not be fetched again:
  // the last ones of a process that has departed, and those that came while others were posted.
  bool unseen_ = false;
  std::vector<PostedReceive*> posted_;  // in the order in which they were posted
  std::vector<StartedSend*> started_;   // in the order in which they were started
  Unposted unposted_;
  Bounded bounded_;
  std::unordered_map<int, std::uint64_t> charged_;  // bytes of bounded messages, by receiver
  DescribeMatch describe_ = nullptr;
  std::vector<int> blocked_;  // receivers of the messages in started_
  // Bytes of this process that receivers were not known to have read after its last message.
  std::uint64_t ahead_ = 0;
  bool busy_ = false;
};

}  // namespace tutti::services
