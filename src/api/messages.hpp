// SPDX-License-Identifier: BSD-3-Clause
// How messages of groups and of tutti_runtime.h are named in the mailbox, and messages that are
// under way behind a tutti_request.
#pragma once

#include <exception>
#include <span>
#include <utility>

#include "engine/arguments.hpp"
#include "engine/group.hpp"
#include "job/job.hpp"
#include "tutti/tutti.h"
#include "tutti/tutti_runtime.h"

namespace tutti::api {

class ApiState;

// The key of a message of a group names the group and the tag, so that groups never see each
// other's messages. A message of tutti_runtime.h has the key that its sender gave, and a mark that
// no tag has, so that the two kinds never meet.
[[nodiscard]] inline transport::Label key_of(const engine::Group& group, int tag) {
  return {group.members().id(), static_cast<std::uint32_t>(tag)};
}
[[nodiscard]] constexpr transport::Label mail_key(std::uint64_t key) {
  return {key, 0x8000'0000U};
}

// Returns the endpoint of a rank. Throws Error.
[[nodiscard]] int checked_rank(const engine::Group& group, int rank, const char* argument);
void check_tag(int tag);
[[nodiscard]] services::Match match_of(const engine::Group& group, int source, int tag);
// The result refers to `match`.
[[nodiscard]] services::Match match_of(const tutti_match& match);
// Writes what a services::Match waits for, as the front end has it whose messages it matches.
void describe(const void* match, char* text, std::size_t size);
[[nodiscard]] const tutti_match& checked(const tutti_match* match);
[[nodiscard]] tutti_envelope envelope_of(const transport::Arrival& arrival);
[[noreturn]] void refuse_length(const engine::Group& group, std::uint64_t wanted,
                                const transport::Arrival& arrival);
[[noreturn]] void refuse_space(const transport::Arrival& arrival, std::int64_t space);

// Returns the length of the message that an operand makes.
[[nodiscard]] std::uint64_t bytes_in(const engine::CallOperand& operand);
// Packs the elements of an operand that begin in the bytes [first, last) of their message.
void pack_piece(std::byte* message, const engine::CallOperand& from, std::uint64_t first,
                std::uint64_t last, data::Store store);

// A message that is under way: a send that was started, or a receive that was posted.
class MessageUnderWay {
 public:
  explicit MessageUnderWay(job::Job& job) : job_(&job) {}
  virtual ~MessageUnderWay() = default;
  MessageUnderWay(const MessageUnderWay&) = delete;
  MessageUnderWay& operator=(const MessageUnderWay&) = delete;

  [[nodiscard]] virtual bool over() const = 0;
  // Takes the message back. Returns false if it is over or cannot be taken back any more.
  [[nodiscard]] virtual bool cancel() = 0;
  // Endpoints that this message waits for; none if it may be any.
  [[nodiscard]] virtual std::span<const int> endpoints() const = 0;
  // The elements that are sent or received.
  [[nodiscard]] virtual const engine::CallOperand& data() const = 0;
  // Says what the message waits for.
  virtual void describe(transport::WaitInfo& info) const = 0;
  [[nodiscard]] virtual bool has_failed() const = 0;
  // Returns the error in which the message has ended, and forgets it.
  [[nodiscard]] virtual std::exception_ptr take_failure() = 0;
  // Called when the program has waited for the message, if there is a record.
  virtual void record_wait(record::RunRecorder& record) = 0;
  // In virtual time: waits until the message is over there. It may still go on here.
  virtual void settle(record::RunRecorder& record) = 0;
  // The requests by which the record knows the message.
  [[nodiscard]] virtual std::span<const std::uint32_t> recorded() const = 0;

 protected:
  job::Job* job_;
};

class StartedMessage final : public MessageUnderWay {
 public:
  // The elements stay where they are until the message is over.
  StartedMessage(job::Job& job, std::vector<int> to, transport::Label key,
                 const engine::CallOperand& from);
  ~StartedMessage() override { static_cast<void>(cancel()); }

  // Called once, when the object is where it stays.
  void begin() { job_->outbox().start(send_); }
  [[nodiscard]] bool over() const override { return send_.done; }
  [[nodiscard]] bool cancel() override { return job_->outbox().cancel(send_); }
  [[nodiscard]] std::span<const int> endpoints() const override { return send_.receivers; }
  [[nodiscard]] const engine::CallOperand& data() const override { return from_; }
  void describe(transport::WaitInfo& info) const override;
  [[nodiscard]] bool has_failed() const override { return send_.failure != nullptr; }
  [[nodiscard]] std::exception_ptr take_failure() override {
    return std::exchange(send_.failure, nullptr);
  }
  void record_wait(record::RunRecorder& record) override {
    for (const std::uint32_t request : std::exchange(send_.recorded, {}))
      record.waited_for(request);
  }
  void settle(record::RunRecorder& record) override { record_wait(record); }
  [[nodiscard]] std::span<const std::uint32_t> recorded() const override { return send_.recorded; }

 private:
  services::StartedSend send_;
  engine::CallOperand from_;
};

// The results of a posted receive are written there when it is over; each may be nullptr.
struct ReceiveResults {
  int* from = nullptr;
  int* with = nullptr;
  tutti_envelope* envelope = nullptr;
};

class PostedMessage final : public MessageUnderWay {
 public:
  // Receives a message that has exactly the elements of `to`.
  PostedMessage(ApiState& mine, tutti_group group, int source, int tag,
                const engine::CallOperand& to, const ReceiveResults& results);
  // Receives a message of tutti_runtime.h of at most the bytes of `to`.
  PostedMessage(ApiState& mine, const tutti_match& match, const engine::CallOperand& to,
                const ReceiveResults& results);
  ~PostedMessage() override { give_up(); }

  // Called once, when the object is where it stays.
  void begin() { job_->mailbox().post(receive_); }
  [[nodiscard]] bool over() const override { return receive_.done; }
  [[nodiscard]] bool cancel() override {
    return !receive_.done && job_->mailbox().cancel(receive_);
  }
  [[nodiscard]] std::span<const int> endpoints() const override;
  [[nodiscard]] const engine::CallOperand& data() const override { return to_; }
  void describe(transport::WaitInfo& info) const override;
  [[nodiscard]] bool has_failed() const override { return failure_ != nullptr; }
  [[nodiscard]] std::exception_ptr take_failure() override {
    return std::exchange(failure_, nullptr);
  }
  void record_wait(record::RunRecorder& record) override {
    if (!std::exchange(receive_.waited, true)) record.waited_for(receive_.recorded);
  }
  void settle(record::RunRecorder&) override {
    job_->mailbox().in_virtual_time()->settle(receive_);
  }
  [[nodiscard]] std::span<const std::uint32_t> recorded() const override {
    return {&receive_.recorded, 1};
  }

 private:
  PostedMessage(ApiState& mine, const engine::CallOperand& to, const ReceiveResults& results);
  void give_up();
  void take(const transport::Arrival& arrival);
  void copy_out(const transport::Arrival& arrival);

  ApiState* mine_;
  tutti_group group_{0};  // 0: a message of tutti_runtime.h
  tutti_match asked_{};   // `receive_` refers to it
  engine::CallOperand to_;
  ReceiveResults results_;
  services::PostedReceive receive_;
  std::exception_ptr failure_;
};

}  // namespace tutti::api
