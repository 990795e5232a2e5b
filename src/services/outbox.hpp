// SPDX-License-Identifier: BSD-3-Clause
// The messages that leave a process. A send returns when its data may be used again. It waits for
// memory, and for room at its receivers if the message is bounded. Sends that were started wait
// while their process does other things. The message functions of api/ use it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "services/mailbox.hpp"
#include "services/under_way.hpp"
#include "transport/waiter.hpp"

namespace tutti::services {

class Outbox final : public transport::Progressable {
 public:
  // `send_wait` is the time in seconds that a send waits for memory. All others must outlive the
  // outbox; `mailbox` has the messages that come while a send waits. `record` may be nullptr.
  Outbox(transport::Waiter& waiter, transport::Mail& mail, Mailbox& mailbox, double send_wait,
         record::RunRecorder* record = nullptr)
      : waiter_(&waiter),
        mail_(&mail),
        mailbox_(&mailbox),
        record_(record),
        send_wait_(send_wait),
        limits_(transport::CutLimits::of(waiter.tuning())) {}
  ~Outbox() override { waiter_->progress().remove(*this); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  // Sends a message to all endpoints in `to`, each listed once. `fill(std::byte* message,
  // data::Store, first, last)` writes it, see Letter. Throws Error(out_of_memory) that names the
  // unreceived messages.
  template <class Fill>
  void send(std::span<const int> to, transport::Label key, std::uint64_t bytes, const Fill& fill) {
    const auto filled = [](const void* user, std::byte* message, data::Store store,
                           std::uint64_t first, std::uint64_t last) {
      (*static_cast<const Fill*>(user))(message, store, first, last);
    };
    send({to, key, bytes, filled, &fill});
  }
  // Sends a contiguous message to one receiver.
  void send(int to, transport::Label key, const void* message, std::uint64_t bytes) {
    if (bytes <= transport::line_payload && goes_straight() && !mailbox_->room().bounds(key) &&
        mail_->inject(to, key, message, static_cast<std::uint32_t>(bytes))) [[likely]]
      return;
    send({&to, 1}, key, message, bytes);
  }
  // Sends a contiguous message to all endpoints in `to`, each listed once.
  void send(std::span<const int> to, transport::Label key, const void* message,
            std::uint64_t bytes) {
    const auto copy = [](const void* from, std::byte* memory, data::Store store,
                         std::uint64_t first, std::uint64_t last) {
      data::copy(memory + first, static_cast<const std::byte*>(from) + first, last - first, store);
    };
    send({to, key, bytes, copy, message, static_cast<const std::byte*>(message)});
  }
  void send(Letter message);

  // Starts a send. If it can leave now, it is done at once.
  void start(StartedSend& send);
  // Takes back a send, as long as no receiver has been told of it. Returns false if it goes on.
  bool cancel(StartedSend& send);
  // Returns true if messages wait to leave, so that later ones must not overtake them.
  [[nodiscard]] bool waits() const { return !started_.empty(); }
  // Returns true if a message may go to the Mail without this outbox: nothing waits, and nobody
  // records.
  [[nodiscard]] bool goes_straight() const { return started_.empty() && record_ == nullptr; }

  // Does what can be done now for sends that were started. It may be called while a call waits.
  // While there are any, all waits of the process do.
  transport::Look advance() override;
  [[nodiscard]] bool expects(transport::Label) const override { return false; }
  // A wait for it may end when any process takes a message, because memory is free then.
  void describe(transport::WaitInfo& info) const override {
    info.kind = transport::WaitInfo::For::any;
  }
  // Says how many messages of this process each receiver has not taken.
  [[nodiscard]] std::string unreceived_text();
  // Frees the idle memory kept for send buffers.
  void release() { ahead_ = mail_->reclaim(transport::Depth::idle); }
  // Waits until all messages of this process have been received, or cannot be any more.
  void drain();
  // Forgets the sends that were started. Called before this process leaves.
  void close();

 private:
  void deliver(Letter message);
  void begin(StartedSend& send);
  void forget_record(StartedSend& send);
  void hand_over(Letter& message);
  [[nodiscard]] bool tell(Letter& message);
  [[nodiscard]] bool fill(Letter& message);
  static void write(const Letter& message, std::uint64_t first, std::uint64_t last);
  void withdraw(const Letter& message);
  [[nodiscard]] transport::WaitInfo wait_of(const StartedSend& send);
  [[nodiscard]] transport::Cutting cut_of(const Letter& message) const;
  bool advance_sends();
  [[nodiscard]] bool may_leave(const StartedSend& send);
  [[nodiscard]] bool try_send(StartedSend& send);
  [[nodiscard]] bool is_blocked(const StartedSend& send) const;
  void end_in_failure(StartedSend& send);
  void check_patience(StartedSend& send);
  void require_memory(std::uint64_t bytes) const;
  void forget(const StartedSend& send);
  void note_started();

  transport::Waiter* waiter_;
  transport::Mail* mail_;
  Mailbox* mailbox_;
  record::RunRecorder* record_;
  double send_wait_;
  transport::CutLimits limits_;
  std::vector<StartedSend*> started_;  // in the order in which they were started
  std::vector<int> blocked_;           // receivers of those that have not left
  // Bytes of this process that receivers were not known to have read after its last message.
  std::uint64_t ahead_ = 0;
};

}  // namespace tutti::services
