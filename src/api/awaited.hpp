// SPDX-License-Identifier: BSD-3-Clause
// The operations and messages for which one wait of the program waits: all of them, or one
// (requests.hpp).
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "api/messages.hpp"
#include "engine/bound_call.hpp"
#include "transport/waiter.hpp"

namespace tutti::api {

class Awaited {
 public:
  enum class Enough : std::uint8_t { all, one };

  void set(Enough enough) {
    enough_ = enough;
    waited_for_.clear();
  }
  // Adds an operation, or a message. The other one is nullptr.
  void add(engine::BoundCall* call, MessageUnderWay* message) {
    waited_for_.push_back({call, message});
  }
  [[nodiscard]] bool nothing() const { return waited_for_.empty(); }

  // Returns false if `end` came before.
  bool wait(transport::Waiter& waiter, const transport::WaitEnd& end) {
    return waiter.wait_for_others([this] { return over(); },
                                  [this](transport::WaitInfo& info) { describe(info); }, end);
  }

 private:
  using WaitInfo = transport::WaitInfo;
  struct Operation {
    engine::BoundCall* call;
    MessageUnderWay* message;
    [[nodiscard]] bool over() const {
      return call != nullptr ? !call->under_way() : message->over();
    }
    void describe(WaitInfo& info) const {
      if (call != nullptr) return call->describe(info);
      message->describe(info);
      info.refusal = {refusal, nullptr};
    }
  };

  static std::string refusal(const void*) {
    return "this process has given up its wait for messages, which go on";
  }
  [[nodiscard]] bool over() const {
    const auto is_over = [](const Operation& one) { return one.over(); };
    return enough_ == Enough::all ? std::ranges::all_of(waited_for_, is_over)
                                  : std::ranges::any_of(waited_for_, is_over);
  }
  void describe(WaitInfo& info) {
    if (enough_ == Enough::one && waited_for_.size() > 1) return describe_any(info);
    std::ranges::find_if(waited_for_, [](const Operation& one) {
      return !one.over();
    })->describe(info);
  }
  static bool may_end_by_itself(const Operation& one) {
    WaitInfo info;
    one.describe(info);
    return info.until == WaitInfo::Until::given_up;
  }

  // Names the endpoints of all messages. If the processes that may end one of the operations are
  // not known, shows the wait for one, and that it is not all. If one may end by itself, shows that
  // one, because a standstill has only other waits.
  void describe_any(WaitInfo& info) {
    const auto by_itself = std::ranges::find_if(waited_for_, may_end_by_itself);
    endpoints_.clear();
    const bool all_known = by_itself == waited_for_.end() &&
                           std::ranges::all_of(waited_for_, [this](const Operation& one) {
                             const auto more = one.message == nullptr ? std::span<const int>()
                                                                      : one.message->endpoints();
                             endpoints_.insert(endpoints_.end(), more.begin(), more.end());
                             return !more.empty();
                           });
    (by_itself == waited_for_.end() ? waited_for_.front() : *by_itself).describe(info);
    if (!all_known) {
      info.or_more = true;
      return;
    }
    info.kind = WaitInfo::For::any;
    info.operation = 0;
    info.endpoints = endpoints_;
  }

  Enough enough_ = Enough::all;
  std::vector<Operation> waited_for_;
  std::vector<int> endpoints_;
};

}  // namespace tutti::api
