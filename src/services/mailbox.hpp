// SPDX-License-Identifier: BSD-3-Clause
// The mailbox of a process: the messages that have come, by sender and key. A receive may choose
// among what has arrived. The message functions of api/ use it.
//
// Services are what is no collective. An unread message lies in transport::Mail, in a line between
// the two processes or in a buffer of its sender, until somebody here looks for it. A look takes
// all that one sender has sent, in order, and keeps what does not fit in a queue. So the oldest
// message that fits is found, and none overtakes another of the same sender. The bytes of a long
// message stay in the sender's buffer until the program takes the message.
//
// Messages that come go through the Mailbox, and those that leave through the Outbox. The Room says
// how much of bounded messages may lie at a receiver. Receives that were posted and sends that were
// started (under_way.hpp) go on in every wait of the process. Records and arrival counters lie in a
// Directory, and memory that a program shares in Windows. All of them wait by the Waiter of their
// job, and so they see what else goes on, deadlines and the ends of other processes. A send waits
// only for memory, for room, or for older sends; a receive waits only for its message.
//
// When a process is killed, what it had sent completely can still be received, and then part()
// frees what it shared. The receiver of a message that it was still writing gets an Error.
//
// A message is in one place: in Mail, in the hand, or in the queue. A receive that was posted, and
// a message in the queue, come before messages that are still in Mail. While the message in the
// hand is still being written, nothing else is collected. Room that a message uses at its receiver
// is given back once, when the program there takes it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/fifo.hpp"
#include "services/room.hpp"
#include "services/under_way.hpp"
#include "services/virtual_mail.hpp"
#include "transport/waiter.hpp"

namespace tutti::services {

class Mailbox final : public transport::Progressable {
 public:
  // `waiter` and `mail` must outlive the mailbox, and so must the record of this process, which may
  // be nullptr.
  Mailbox(transport::Waiter& waiter, transport::Mail& mail, record::RunRecorder* record = nullptr)
      : waiter_(&waiter), mail_(&mail), record_(record), room_(mail) {
    if (record != nullptr && record->stream() != nullptr)
      virtual_ = std::make_unique<VirtualMail>(waiter, mail, *record);
  }
  ~Mailbox() override { waiter_->progress().remove(*this); }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Receives a short message that is likely to come next from `source`: copies it to `to` if it
  // comes within a short spin. Returns false otherwise; then nothing was taken. A message that has
  // a bound is never taken here, because its sender must be told.
  [[nodiscard]] bool receive_now(int source, transport::Label key, void* to, std::uint64_t bytes) {
    return bytes <= transport::line_payload && unexpected_.empty() && !holds_ && posted_.empty() &&
           !room_.bounds(key) && record_ == nullptr && spin_for(source, {key, bytes, to});
  }

  // Returns the first message that fits, or nullptr. The message stays where it is, and the pointer
  // is valid until the next call. `match.accept` must not call the mailbox.
  [[nodiscard]] const transport::Arrival* look(const Match& match);
  // These wait for a message that fits. The second returns nullptr if `end` comes before. The
  // message may lie at match.to already; Arrival::payload() says it.
  [[nodiscard]] const transport::Arrival& wait(const Match& match);
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
  // Takes back a receive. Returns false if it is done.
  bool cancel(PostedReceive& receive);
  // From now on, messages of this kind are given only to receives that were posted before the
  // message is found. Messages that wait in the queue stay.
  void discard_unposted(const Unposted& kind) {
    virtual_ ? virtual_->discard_unposted(kind) : static_cast<void>(unposted_ = kind);
  }
  // From now on, reports of a wait for a message ask `writer` what the match waits for, see
  // transport::WaitInfo::Words.
  void describe_by(DescribeMatch writer) {
    describe_ = writer;
    if (virtual_) virtual_->describe_by(writer);
  }
  [[nodiscard]] transport::WaitInfo::Words words_for(const Match& match) const {
    return {describe_, &match};
  }
  // The room of bounded messages, in both directions.
  [[nodiscard]] Room& room() { return room_; }
  // Returns nullptr if the job has the time of this machine.
  [[nodiscard]] VirtualMail* in_virtual_time() { return virtual_.get(); }

  // Moves all messages that have come into the queue, or to receives that were posted. Returns true
  // if there are more in the queue.
  bool collect_all();
  // Does what can be done now for receives that were posted. It may be called while a call of the
  // mailbox waits. While there are any, all waits of the process do.
  transport::Look advance() override;
  [[nodiscard]] bool busy() const { return !posted_.empty(); }
  [[nodiscard]] bool expects(transport::Label) const override { return false; }
  // A wait for it may end by a message of any process.
  void describe(transport::WaitInfo& info) const override {
    info.kind = transport::WaitInfo::For::any;
  }

  // Repeats `attempt` until it returns true. `shown` says what is waited for. Returns false if
  // `end` came before. Before a look that may be the last one before this process sleeps, it frees
  // what it shares with departed processes, so that their last messages are found.
  template <class Attempt>
  bool until(const Attempt& attempt, const transport::WaitInfo& shown,
             const transport::WaitEnd& end = {}) {
    using transport::WaitInfo;
    return waiter_->wait_until(
        [&] {
          if (waiter_->looks_thoroughly()) part();
          return attempt() ? transport::Look::done : transport::Look::nothing;
        },
        [&](WaitInfo& info) {
          const bool in_time = info.until == WaitInfo::Until::given_up;
          info = shown;
          if (in_time) info.until = WaitInfo::Until::given_up;
        },
        end);
  }
  // Frees what is shared with departed processes. Their messages stay here.
  void part();
  // Discards all messages that have come and were not received. Called before this process leaves.
  void close();

 private:
  [[nodiscard]] transport::Got poll(int source, const transport::Expected* expected,
                                    transport::Arrival& arrival);
  void drop_found();
  void let_go(const transport::Arrival& arrival);
  [[nodiscard]] std::uint64_t readable_so_far(std::uint64_t beyond);
  [[nodiscard]] bool spin_for(int source, const transport::Expected& expected);
  void collect(int source);
  [[nodiscard]] bool claim(const transport::Arrival& arrival);
  [[nodiscard]] bool discard_if_unposted(const transport::Arrival& arrival);
  [[nodiscard]] const transport::Arrival* next_of(const Match& match);
  [[nodiscard]] const transport::Arrival* fresh(const Match& match);
  [[nodiscard]] bool may_offer(const Match& match) const;
  [[nodiscard]] const transport::Arrival* wait_with_offer(const Match& match,
                                                          const transport::WaitInfo& shown,
                                                          const transport::WaitEnd& end);
  const transport::Arrival* take_in_hand(const transport::Arrival& arrival);
  void put_aside();
  void note_posted();

  transport::Waiter* waiter_;
  transport::Mail* mail_;
  record::RunRecorder* record_;
  Room room_;
  std::unique_ptr<VirtualMail> virtual_;            // has all messages of a job in virtual time
  base::Fifo<transport::Arrival> unexpected_{128};  // per source in order of arrival
  base::Fifo<transport::Arrival>::iterator found_;
  // The message that was found last, if `holds_`. Most messages are the next one of their sender
  // while nothing else waits, so they need not go through the queue.
  transport::Arrival in_hand_;
  bool holds_ = false;
  bool offers_ = false;          // a wait that has offered to take its message goes on
  bool waits_for_rest_ = false;  // a wait for the rest of the message in the hand goes on
  // The queue has messages that the last look() has not seen and that will not be fetched again:
  // the last ones of a process that has departed, and those that came while others were posted.
  bool unseen_ = false;
  std::vector<PostedReceive*> posted_;  // in the order in which they were posted
  Unposted unposted_;
  DescribeMatch describe_ = nullptr;
};

}  // namespace tutti::services
