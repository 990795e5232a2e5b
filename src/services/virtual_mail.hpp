// SPDX-License-Identifier: BSD-3-Clause
// The mailbox of a process in virtual time (tutti run --machine). Data come as soon as they are
// sent, and the timekeeper says when a message is there in virtual time, and which receive gets it.
// So messages that have come wait here, unseen, until it says so.
//
// A receive that names its sender and its key needs no question: it gets the first such message
// that is sent, however long that takes in virtual time. Everything else depends on which message
// comes first, and is asked. While any wait of the process lasts, messages that come are moved into
// memory of its own, so that no sender waits for room (timed/board.hpp).
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "services/under_way.hpp"
#include "transport/waiter.hpp"

namespace tutti::services {

// Returns after how many nanoseconds a wait ends in virtual time. The predicate is asked once.
[[nodiscard]] std::uint64_t virtual_limit(const transport::WaitEnd& end);

class VirtualMail final : public transport::Progressable {
 public:
  // All must outlive the object. `record` has a stream.
  VirtualMail(transport::Waiter& waiter, transport::Mail& mail, record::RunRecorder& record);
  ~VirtualMail() override { waiter_->progress().remove(*this); }
  VirtualMail(const VirtualMail&) = delete;
  VirtualMail& operator=(const VirtualMail&) = delete;

  // These do what those of the Mailbox do.
  [[nodiscard]] const transport::Arrival* look(const Match& match);
  [[nodiscard]] const transport::Arrival* wait_unless(const Match& match,
                                                      const transport::WaitEnd& end);
  void take();
  void post(PostedReceive& receive);
  [[nodiscard]] bool cancel(PostedReceive& receive);
  void discard_unposted(const Unposted& kind);
  void describe_by(DescribeMatch writer) { describe_ = writer; }

  // Waits until a posted receive is done, in virtual time, too.
  void settle(PostedReceive& receive);
  // The program does not take the message that was found, because of an error.
  void leave_found();
  // Forgets a receive that nobody waits for any more.
  void forget(PostedReceive& receive);
  void close();

  // Moves all messages that have come into memory of this process.
  transport::Look advance() override;
  [[nodiscard]] bool expects(transport::Label) const override { return false; }
  void describe(transport::WaitInfo& info) const override {
    info.kind = transport::WaitInfo::For::any;
  }

 private:
  struct Letter {
    transport::Arrival arrival;
    std::unique_ptr<std::byte[]> bytes;  // of one that does not fit in the Arrival
  };
  using Letters = std::list<Letter>;  // of one sender, in the order in which it sent them

  [[nodiscard]] const transport::Arrival* seek(const Match& match, std::uint64_t limit);
  [[nodiscard]] const transport::Arrival* receive(const Match& match);
  [[nodiscard]] bool is_named(const Match& match) const;
  void claim(const Match& match, const PostedReceive* last);
  void end_done();
  void end(PostedReceive& receive, Letters::iterator letter);
  void drop(Letters::iterator letter) { letters_[letter->arrival.source].erase(letter); }
  void note_left();
  void collect(int source);
  [[nodiscard]] Letters::iterator fetch(const timed::MessageName& name);
  [[nodiscard]] Letters::iterator fetch_first(const Match& match);
  template <class Find>
  [[nodiscard]] Letters::iterator wait_for(int source, const Match* match, const Find& find);
  [[nodiscard]] timed::TimedStream& stream() { return *record_->stream(); }

  transport::Waiter* waiter_;
  transport::Mail* mail_;
  record::RunRecorder* record_;
  std::map<int, Letters> letters_;      // by sender
  std::size_t collected_ = 0;           // letters
  Letters::iterator found_;             // by the last look or wait
  bool is_told_ = false;                // the timekeeper knows that a receive has got it
  std::vector<PostedReceive*> posted_;  // in the order in which they were posted
  Unposted unposted_;
  DescribeMatch describe_ = nullptr;
};

}  // namespace tutti::services
