// SPDX-License-Identifier: BSD-3-Clause
// The handles of operations that are in flight or can be started again, and of messages that are
// under way. Non-blocking and persistent calls use them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "api/awaited.hpp"
#include "api/messages.hpp"
#include "engine/bound_call.hpp"
#include "job/job.hpp"
#include "tutti/tutti.h"

namespace tutti::api {

class ApiState;

// Returns what the argument points to. Throws Error if it is NULL.
[[nodiscard]] tutti_request& required(tutti_request* request);

class Requests {
 public:
  // Tells an operation that runs once from one that can be started again and again.
  enum class Kind : std::uint8_t { once, persistent };

  // `record` may be nullptr.
  Requests(job::Job& job, record::RunRecorder* record);

  tutti_request add(ApiState& mine, tutti_group group, engine::Plan& plan,
                    const engine::Arguments& arguments, Kind kind);
  void start(ApiState& mine, tutti_request request);
  // Starts the request and returns it. If the start fails, the request is dropped.
  tutti_request started(ApiState& mine, tutti_request request);
  // Starts a message and returns its request: 0 if it is over already, without an error. Where
  // messages are recorded, the wait for it belongs to the record.
  template <class SomeMessage>
  tutti_request start(std::unique_ptr<SomeMessage> message) {
    message->begin();
    if (message->over() && !message->has_failed() && record_ == nullptr) return {0};
    return {requests_.insert({0, Kind::once, nullptr, std::move(message)})};
  }
  // Waits for all requests. Those of kind once are gone afterwards and their handles are 0; a
  // handle that is 0 is skipped. Throws the error that has ended an operation early. Returns false
  // if `end` came before; the requests are then what they were.
  bool wait(ApiState& mine, std::span<tutti_request> requests, const transport::WaitEnd& end = {});
  // Waits for one of the requests and does with it as wait() does. Returns its index; -1 if all
  // handles are 0; nullopt if `end` came before.
  std::optional<int> wait_for_any(ApiState& mine, std::span<tutti_request> requests,
                                  const transport::WaitEnd& end = {});
  // Lets every operation make progress once. Returns whether this request is done; if so, its
  // handle is as after wait().
  bool test(job::Job& job, tutti_request& request);
  // Takes a message back that is under way. Otherwise returns false and does what test() does.
  bool cancel(job::Job& job, tutti_request& request);
  // Frees a request that is not in flight.
  void free(tutti_request& request);
  // Throws Error if an operation that was started and is not over uses this memory.
  void require_unused(std::span<const std::byte> memory);
  // Frees a request in whatever state it is.
  void drop(tutti_request& request);

 private:
  struct Request {
    std::uint64_t group = 0;
    Kind kind = Kind::once;
    std::unique_ptr<engine::BoundCall> call;
    std::unique_ptr<MessageUnderWay> message;  // there is either a call or a message

    [[nodiscard]] bool over() const {
      return call != nullptr ? !call->under_way() : message->over();
    }
    // Returns the requests by which the record knows what is under way.
    [[nodiscard]] std::span<const std::uint32_t> recorded() const {
      return call != nullptr ? call->recorded() : message->recorded();
    }
  };
  [[nodiscard]] bool in_virtual_time() const {
    return record_ != nullptr && record_->stream() != nullptr;
  }
  // Waits until one of the requests is done in virtual time, and returns its place; nothing if
  // `end` came before.
  [[nodiscard]] std::optional<std::size_t> first_in_virtual_time(
      std::span<const tutti_request> requests, const transport::WaitEnd& end);
  using TimedAwaited = timed::TimedStream::Awaited;
  static void add_recorded(const Request& request, std::size_t place,
                           std::vector<TimedAwaited>& all);
  [[nodiscard]] std::optional<std::size_t> first_of(const std::vector<TimedAwaited>& all,
                                                    const transport::WaitEnd& end);
  [[nodiscard]] bool is_done_in_virtual_time(const Request& request);
  // The objects behind a request stay where they are, the request may not.
  void add_awaited(const Request& request) {
    awaited_.add(request.call.get(), request.message.get());
  }
  Request& find(tutti_request handle);
  void finish(tutti_request& handle);
  // Waits for all of them in virtual time. Returns false if `end` came before.
  [[nodiscard]] bool settle(std::span<const tutti_request> requests, const transport::WaitEnd& end);

  job::Job* job_;
  record::RunRecorder* record_;
  job::Handles<Request> requests_;
  Awaited awaited_;  // by wait() and wait_for_any()
};

}  // namespace tutti::api
