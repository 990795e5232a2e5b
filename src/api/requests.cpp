// SPDX-License-Identifier: BSD-3-Clause
// Implements requests, and the functions of the C interface on them.
#include "api/requests.hpp"

#include <algorithm>

#include "api/plans.hpp"
#include "api/state.hpp"
#include "api/wait_limit.hpp"

namespace tutti::api {

tutti_request& required(tutti_request* request) {
  if (request == nullptr) base::fail(base::Status::invalid_argument, "argument 'request' is NULL");
  return *request;
}

class Requests::Awaited final : public engine::Awaited {
 public:
  enum class Enough : std::uint8_t { all, one };

  void set(Enough enough, engine::InFlight& in_flight, bool in_time) {
    enough_ = enough;
    in_flight_ = &in_flight;
    in_time_ = in_time;
    waited_for_.clear();
  }
  // The objects behind a request stay where they are, the request may not.
  void add(const Request& request) {
    waited_for_.push_back({request.execution.get(), request.message.get()});
  }
  [[nodiscard]] bool nothing() const { return waited_for_.empty(); }

  [[nodiscard]] bool over() override {
    const auto is_over = [](const Operation& one) { return one.over(); };
    return enough_ == Enough::all ? std::ranges::all_of(waited_for_, is_over)
                                  : std::ranges::any_of(waited_for_, is_over);
  }
  void idle(transport::Wait& wait, int turn) override {
    if (enough_ == Enough::one && waited_for_.size() > 1) return idle_for_any(wait, turn);
    const auto next =
        std::ranges::find_if(waited_for_, [](const Operation& one) { return !one.over(); });
    idle_for(*next, wait, turn);
  }

 private:
  struct Operation {
    engine::Execution* execution;
    MessageUnderWay* message;
    [[nodiscard]] bool over() const {
      return execution != nullptr ? !execution->under_way() : message->over();
    }
  };

  void idle_for(const Operation& one, transport::Wait& wait, int turn, bool or_more = false) const {
    if (one.execution != nullptr)
      return one.execution->executor().idle(wait, turn, {or_more, in_time_});
    const std::span<const int> endpoints = one.message->endpoints();
    using For = transport::Waiting::For;
    idle_for_messages(wait, turn,
                      {.kind = endpoints.empty() ? For::any : For::all,
                       .operation = one.message->wait_kind(),
                       .endpoints = endpoints,
                       .until = until(),
                       .words = one.message->words(),
                       .or_more = or_more});
  }

  [[nodiscard]] transport::Waiting::Until until() const {
    return in_time_ ? transport::Waiting::Until::given_up : transport::Waiting::Until::it_comes;
  }
  void idle_for_messages(transport::Wait& wait, int turn, const transport::Waiting& waiting) const {
    if (in_flight_->vain()) {
      base::fail(base::Status::would_wait,
                 "this process has given up its wait for messages, which go on");
    }
    wait.idle(turn, waiting);
  }

  // Names the endpoints of all messages. If the processes that may end one of the operations are
  // not known, shows the wait for one, and that it is not all. If one may end by itself, shows that
  // one, because a standstill has only other waits.
  void idle_for_any(transport::Wait& wait, int turn) {
    constexpr bool or_more = true;
    const auto given_up = std::ranges::find_if(waited_for_, [](const Operation& one) {
      return one.execution != nullptr &&
             one.execution->executor().until() == transport::Waiting::Until::given_up;
    });
    if (given_up != waited_for_.end()) return idle_for(*given_up, wait, turn, or_more);
    endpoints_.clear();
    for (const Operation& one : waited_for_) {
      const auto more = one.message == nullptr ? std::span<const int>() : one.message->endpoints();
      if (more.empty()) return idle_for(waited_for_.front(), wait, turn, or_more);
      endpoints_.insert(endpoints_.end(), more.begin(), more.end());
    }
    idle_for_messages(wait, turn,
                      {.kind = transport::Waiting::For::any,
                       .endpoints = endpoints_,
                       .until = until(),
                       .words = waited_for_.front().message->words()});
  }

  Enough enough_ = Enough::all;
  engine::InFlight* in_flight_ = nullptr;
  bool in_time_ = false;  // the wait has a time limit
  std::vector<Operation> waited_for_;
  std::vector<int> endpoints_;
};

Requests::Requests() : awaited_(std::make_unique<Awaited>()) {}

// The executions end with their requests. They cannot be given back to their plans, which may be
// gone.
Requests::~Requests() = default;

Requests::Request& Requests::find(tutti_request handle) {
  if (Request* found = requests_.find(handle.id)) return *found;
  base::fail(base::Status::stale_handle,
             "argument 'request' names no request, or one that is over");
}

tutti_request Requests::add(ApiState& mine, tutti_group group, engine::Plan& plan,
                            const engine::Arguments& arguments, Kind kind) {
  std::unique_ptr<engine::Execution> execution = plan.lend();
  const bool may_fail = arguments.op != nullptr && arguments.op->may_fail();
  execution->bind(arguments,
                  may_fail ? &mine.group(group).failure_plan(engine::Mode::overlapping) : nullptr);
  return {requests_.insert({group.id, kind, std::move(execution), nullptr})};
}

void Requests::start(ApiState& mine, tutti_request handle) {
  Request& request = find(handle);
  if (request.execution == nullptr) {
    base::fail(base::Status::invalid_argument,
               "argument 'request' is a message, which cannot be started again");
  }
  engine::Execution& execution = *request.execution;
  if (execution.under_way()) {
    base::fail(base::Status::invalid_argument,
               "argument 'request' is under way: it must be waited for first");
  }
  const tutti_group group{request.group};
  engine::Group& members = mine.group(group);
  const std::uint32_t number = members.take_number();
  execution.start(number, execution.has_two_parts() ? members.take_number() : 0);
  if (mine.hook.function != nullptr) call_hook(mine, group, execution.plan());
}

tutti_request Requests::started(ApiState& mine, tutti_request request) {
  try {
    start(mine, request);
  } catch (...) {
    drop(request);
    throw;
  }
  return request;
}

void Requests::finish(tutti_request& handle) {
  Request& request = find(handle);
  const std::exception_ptr failure = request.execution != nullptr
                                         ? request.execution->take_failure()
                                         : request.message->take_failure();
  if (request.kind == Kind::once) drop(handle);
  if (failure) std::rethrow_exception(failure);
}

bool Requests::wait(ApiState& mine, std::span<tutti_request> requests, transport::GiveUp give_up) {
  awaited_->set(Awaited::Enough::all, mine.job.in_flight(), give_up.in_time);
  for (const tutti_request& handle : requests) {
    if (handle.id != 0) awaited_->add(find(handle));
  }
  if (!engine::wait_until_over(*awaited_, mine.job.in_flight(), mine.job.transport(), give_up))
    return false;
  for (tutti_request& handle : requests) {
    if (handle.id != 0) finish(handle);
  }
  return true;
}

std::optional<int> Requests::wait_for_any(ApiState& mine, std::span<tutti_request> requests,
                                          transport::GiveUp give_up) {
  awaited_->set(Awaited::Enough::one, mine.job.in_flight(), give_up.in_time);
  for (const tutti_request& handle : requests) {
    if (handle.id != 0) awaited_->add(find(handle));
  }
  if (awaited_->nothing()) return -1;
  if (!engine::wait_until_over(*awaited_, mine.job.in_flight(), mine.job.transport(), give_up))
    return std::nullopt;
  const auto done = std::ranges::find_if(requests, [this](const tutti_request& handle) {
    return handle.id != 0 && find(handle).over();
  });
  finish(*done);
  return static_cast<int>(done - requests.begin());
}

bool Requests::test(job::Job& job, tutti_request& handle) {
  if (handle.id == 0) return true;
  if (!find(handle).over()) job.in_flight().look_around();
  if (!find(handle).over()) return false;
  finish(handle);
  return true;
}

bool Requests::cancel(job::Job& job, tutti_request& handle) {
  if (handle.id == 0) return false;
  const Request& request = find(handle);
  if (request.message == nullptr) {
    base::fail(base::Status::invalid_argument,
               "argument 'request' is a collective, which cannot be taken back");
  }
  if (!request.message->cancel()) return static_cast<void>(test(job, handle)), false;
  drop(handle);
  return true;
}

void Requests::free(tutti_request& handle) {
  if (handle.id == 0) return;
  Request& request = find(handle);
  if (!request.over()) {
    base::fail(base::Status::invalid_argument,
               "argument 'request' is under way: it must be waited for first");
  }
  request.kind = Kind::once;
  finish(handle);
}

void Requests::drop(tutti_request& handle) {
  Request& request = find(handle);
  if (request.execution != nullptr) {
    engine::Plan& plan = request.execution->plan();
    plan.give_back(std::move(request.execution));
  }
  requests_.erase(handle.id);
  handle.id = 0;
}

}  // namespace tutti::api

using namespace tutti;
using api::guarded;
using api::required;
using api::state;

namespace {

constexpr double forever = -1;

// The requests as a program gives them.
struct Given {
  const char* name;
  int count;
  tutti_request* requests;

  [[nodiscard]] std::span<tutti_request> checked() const {
    if (count < 0)
      base::fail(base::Status::invalid_argument, "argument 'count' is {}, a negative number",
                 count);
    if (count > 0 && requests == nullptr)
      base::fail(base::Status::invalid_argument, "argument '{}' is NULL", name);
    return {requests, static_cast<std::size_t>(count)};
  }
};

tutti_status wait_for_all(const char* call, const api::CallWords& words, const Given& given,
                          double seconds) {
  bool over = true;
  const tutti_status status = guarded(call, [&] {
    api::ApiState& mine = state();
    const api::CallName name(mine, words);
    api::WaitLimit limit(seconds);
    over = mine.requests.wait(mine, given.checked(), limit.question());
  });
  return status == TUTTI_OK && !over ? TUTTI_WOULD_WAIT : status;
}

tutti_status wait_for_one(const char* call, const api::CallWords& words, const Given& given,
                          double seconds, int* index) {
  bool over = true;
  const tutti_status status = guarded(call, [&] {
    api::ApiState& mine = state();
    const api::CallName name(mine, words);
    if (index == nullptr) base::fail(base::Status::invalid_argument, "argument 'index' is NULL");
    api::WaitLimit limit(seconds);
    const auto found = mine.requests.wait_for_any(mine, given.checked(), limit.question());
    over = found.has_value();
    if (over) *index = *found;
  });
  return status == TUTTI_OK && !over ? TUTTI_WOULD_WAIT : status;
}

}  // namespace

extern "C" {

tutti_status tutti_start(tutti_request request) {
  return guarded("tutti_start", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_start");
    const api::CallName name(mine, words);
    mine.requests.start(mine, request);
  });
}

tutti_status tutti_wait(tutti_request* request) {
  static constexpr api::CallWords words("tutti_wait");
  return wait_for_all("tutti_wait", words, {"request", 1, request}, forever);
}

tutti_status tutti_wait_for(tutti_request* request, double seconds) {
  static constexpr api::CallWords words("tutti_wait_for");
  return wait_for_all("tutti_wait_for", words, {"request", 1, request}, seconds);
}

tutti_status tutti_waitall(int count, tutti_request* requests) {
  static constexpr api::CallWords words("tutti_waitall");
  return wait_for_all("tutti_waitall", words, {"requests", count, requests}, forever);
}

tutti_status tutti_waitall_for(int count, tutti_request* requests, double seconds) {
  static constexpr api::CallWords words("tutti_waitall_for");
  return wait_for_all("tutti_waitall_for", words, {"requests", count, requests}, seconds);
}

tutti_status tutti_waitany(int count, tutti_request* requests, int* index) {
  static constexpr api::CallWords words("tutti_waitany");
  return wait_for_one("tutti_waitany", words, {"requests", count, requests}, forever, index);
}

tutti_status tutti_waitany_for(int count, tutti_request* requests, double seconds, int* index) {
  static constexpr api::CallWords words("tutti_waitany_for");
  return wait_for_one("tutti_waitany_for", words, {"requests", count, requests}, seconds, index);
}

tutti_status tutti_test(tutti_request* request, int* done) {
  return guarded("tutti_test", [&] {
    if (done == nullptr) base::fail(base::Status::invalid_argument, "argument 'done' is NULL");
    *done = 0;
    api::ApiState& mine = state();
    const bool is_look = required(request).id != 0;  // else it is known to be done
    const bool is_done = mine.requests.test(mine.job, *request);
    *done = is_done ? 1 : 0;
    if (is_look) mine.looks.end(is_done, mine.job.transport());
  });
}

tutti_status tutti_cancel(tutti_request* request, int* cancelled) {
  return guarded("tutti_cancel", [&] {
    if (cancelled == nullptr)
      base::fail(base::Status::invalid_argument, "argument 'cancelled' is NULL");
    *cancelled = 0;
    api::ApiState& mine = state();
    *cancelled = mine.requests.cancel(mine.job, required(request)) ? 1 : 0;
  });
}

tutti_status tutti_request_free(tutti_request* request) {
  return guarded("tutti_request_free", [&] { state().requests.free(required(request)); });
}

}  // extern "C"
