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

Requests::Requests(job::Job& job, record::RunRecorder* record) : job_(&job), record_(record) {}

Requests::Request& Requests::find(tutti_request handle) {
  if (Request* found = requests_.find(handle.id)) return *found;
  base::fail(base::Status::stale_handle,
             "argument 'request' names no request, or one that is over");
}

tutti_request Requests::add(ApiState& mine, tutti_group group, engine::Plan& plan,
                            const engine::Arguments& arguments, Kind kind) {
  engine::Group& members = mine.group(group);
  std::unique_ptr<engine::BoundCall> call = members.lend(plan);
  const bool may_fail = arguments.op != nullptr && arguments.op->may_fail();
  call->keep(arguments, may_fail ? &members.failure_plan(engine::Mode::overlapping) : nullptr);
  return {requests_.insert({group.id, kind, std::move(call), nullptr})};
}

void Requests::start(ApiState& mine, tutti_request handle) {
  Request& request = find(handle);
  if (request.call == nullptr) {
    base::fail(base::Status::invalid_argument,
               "argument 'request' is a message, which cannot be started again");
  }
  engine::BoundCall& call = *request.call;
  if (call.under_way()) {
    base::fail(base::Status::invalid_argument,
               "argument 'request' is under way: it must be waited for first");
  }
  const tutti_group group{request.group};
  engine::Group& members = mine.group(group);
  const std::uint32_t number = members.take_number();
  call.start(number, call.has_two_parts() ? members.take_number() : 0);
  if (mine.hook.function != nullptr) call_hook(mine, group, call.plan());
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
  const std::exception_ptr failure =
      request.call != nullptr ? request.call->take_failure() : request.message->take_failure();
  if (record_ != nullptr) [[unlikely]]
    request.call != nullptr ? request.call->record_wait(*record_)
                            : request.message->record_wait(*record_);
  if (request.kind == Kind::once) drop(handle);
  if (failure) std::rethrow_exception(failure);
}

// Other processes may need to know of a wait before it can end (timed/board.hpp).
bool Requests::settle(std::span<const tutti_request> requests, const transport::WaitEnd& end) {
  if (end.possible()) {
    std::vector<TimedAwaited> all;
    for (const tutti_request& handle : requests)
      if (handle.id != 0) add_recorded(find(handle), 0, all);
    if (!all.empty() && !first_of(all, end)) return false;
  }
  for (const tutti_request& handle : requests) {
    if (handle.id == 0) continue;
    const Request& request = find(handle);
    request.call != nullptr ? request.call->record_wait(*record_)
                            : request.message->settle(*record_);
  }
  return true;
}

bool Requests::wait(ApiState& mine, std::span<tutti_request> requests,
                    const transport::WaitEnd& end) {
  awaited_.set(Awaited::Enough::all);
  for (const tutti_request& handle : requests) {
    if (handle.id != 0) add_awaited(find(handle));
  }
  const bool in_virtual = in_virtual_time();
  if (in_virtual && !settle(requests, end)) return false;
  if (!awaited_.wait(mine.job.waiter(), in_virtual ? transport::WaitEnd() : end)) return false;
  for (tutti_request& handle : requests) {
    if (handle.id != 0) finish(handle);
  }
  return true;
}

std::optional<int> Requests::wait_for_any(ApiState& mine, std::span<tutti_request> requests,
                                          const transport::WaitEnd& end) {
  awaited_.set(Awaited::Enough::one);
  for (const tutti_request& handle : requests) {
    if (handle.id != 0) add_awaited(find(handle));
  }
  if (awaited_.nothing()) return -1;
  if (in_virtual_time()) [[unlikely]] {
    const auto first = first_in_virtual_time(requests, end);
    if (!first) return std::nullopt;
    return wait(mine, requests.subspan(*first, 1)) ? static_cast<int>(*first) : -1;
  }
  if (!awaited_.wait(mine.job.waiter(), end)) return std::nullopt;
  const auto done = std::ranges::find_if(requests, [this](const tutti_request& handle) {
    return handle.id != 0 && find(handle).over();
  });
  finish(*done);
  return static_cast<int>(done - requests.begin());
}

// Requests are done in the order of the machine. The data of one that is done there are sent, and
// may still come.
std::optional<std::size_t> Requests::first_in_virtual_time(std::span<const tutti_request> requests,
                                                           const transport::WaitEnd& end) {
  std::vector<TimedAwaited> all;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].id == 0) continue;
    const std::size_t known = all.size();
    add_recorded(find(requests[i]), i, all);
    if (all.size() == known) return i;  // it is over
  }
  return first_of(all, end);
}

void Requests::add_recorded(const Request& request, std::size_t place,
                            std::vector<TimedAwaited>& all) {
  for (const std::uint32_t one : request.recorded())
    all.push_back({one, static_cast<std::uint32_t>(place)});
}

std::optional<std::size_t> Requests::first_of(const std::vector<TimedAwaited>& all,
                                              const transport::WaitEnd& end) {
  const std::uint64_t limit = services::virtual_limit(end);
  const auto first = record_->stream()->first_of(all, limit);
  if (!first) record_->waited_in_vain(limit);
  return first;
}

bool Requests::is_done_in_virtual_time(const Request& request) {
  return std::ranges::all_of(request.recorded(),
                             [this](std::uint32_t one) { return record_->stream()->is_done(one); });
}

bool Requests::test(job::Job& job, tutti_request& handle) {
  if (handle.id == 0) return true;
  if (in_virtual_time()) [[unlikely]] {
    const bool is_done = is_done_in_virtual_time(find(handle));
    job.waiter().progress().look_around();
    if (!is_done) record_->looked_in_vain();
    return is_done && wait(state(), {&handle, 1});
  }
  if (!find(handle).over()) job.waiter().progress().look_around();
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

void Requests::require_unused(std::span<const std::byte> memory) {
  requests_.for_each([memory](const Request& request) {
    if (request.over()) return;
    const bool is_message = request.message != nullptr;
    if (is_message ? !engine::may_meet(request.message->data(), memory)
                   : !request.call->uses(memory))
      return;
    base::fail(
        base::Status::invalid_argument,
        "argument 'address' is memory that {} uses, which was started and is not over: wait "
        "for its request first",
        is_message ? "a message" : schedule::to_text(request.call->plan().caller().operation));
  });
}

void Requests::drop(tutti_request& handle) {
  Request& request = find(handle);
  if (request.call != nullptr) {
    if (engine::Group* const group = job_->groups().find(request.group))
      group->give_back(std::move(request.call));
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
    api::WaitLimit limit(mine.job.waiter().clock(), seconds);
    over = mine.requests.wait(mine, given.checked(), limit.end());
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
    api::WaitLimit limit(mine.job.waiter().clock(), seconds);
    const auto found = mine.requests.wait_for_any(mine, given.checked(), limit.end());
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
    if (is_look) mine.looks.end(is_done, mine.job.waiter().idler());
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
