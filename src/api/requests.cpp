// SPDX-License-Identifier: BSD-3-Clause
// Implements requests, and the functions of the C interface on them.
#include "api/requests.hpp"

#include "api/plans.hpp"
#include "api/state.hpp"

namespace tutti::api {

// The executions end with their requests. They cannot be given back to their plans, which may be
// gone.
Requests::~Requests() = default;

Requests::Request& Requests::find(tutti_request handle) {
  if (Request* found = requests_.find(handle.id)) return *found;
  base::fail(base::Status::stale_handle,
             "argument 'request' names no request, or one that is over");
}

tutti_request Requests::add(tutti_group group, engine::Plan& plan,
                            const engine::Arguments& arguments, Kind kind) {
  std::unique_ptr<engine::Execution> execution = plan.lend();
  execution->bind(arguments);
  return {requests_.insert({group.id, kind, std::move(execution)})};
}

void Requests::start(ApiState& mine, tutti_request handle) {
  Request& request = find(handle);
  engine::Execution& execution = *request.execution;
  if (execution.under_way()) {
    base::fail(base::Status::invalid_argument,
               "argument 'request' is under way: it must be waited for first");
  }
  const tutti_group group{request.group};
  execution.start(mine.group(group).take_number());
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
  const std::exception_ptr failure = request.execution->take_failure();
  if (request.kind == Kind::once) drop(handle);
  if (failure) std::rethrow_exception(failure);
}

void Requests::wait(engine::Runtime& runtime, std::span<tutti_request> requests) {
  waiting_.clear();
  for (const tutti_request& handle : requests) {
    if (handle.id != 0) waiting_.push_back(find(handle).execution.get());
  }
  engine::wait_for(waiting_, runtime.in_flight(), runtime.transport());
  for (tutti_request& handle : requests) {
    if (handle.id != 0) finish(handle);
  }
}

bool Requests::test(engine::Runtime& runtime, tutti_request& handle) {
  if (handle.id == 0) return true;
  engine::Execution& execution = *find(handle).execution;
  if (execution.under_way()) runtime.in_flight().look_around();
  if (execution.under_way()) return false;
  finish(handle);
  return true;
}

void Requests::free(tutti_request& handle) {
  if (handle.id == 0) return;
  Request& request = find(handle);
  if (request.execution->under_way()) {
    base::fail(base::Status::invalid_argument,
               "argument 'request' is under way: it must be waited for first");
  }
  request.kind = Kind::once;
  finish(handle);
}

void Requests::drop(tutti_request& handle) {
  Request& request = find(handle);
  engine::Plan& plan = request.execution->plan();
  plan.give_back(std::move(request.execution));
  requests_.erase(handle.id);
  handle.id = 0;
}

}  // namespace tutti::api

using namespace tutti;
using api::guarded;
using api::state;

namespace {

tutti_request& required(tutti_request* request) {
  if (request == nullptr) base::fail(base::Status::invalid_argument, "argument 'request' is NULL");
  return *request;
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
  return guarded("tutti_wait", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_wait");
    const api::CallName name(mine, words);
    mine.requests.wait(mine.runtime, {&required(request), 1});
  });
}

tutti_status tutti_waitall(int count, tutti_request* requests) {
  return guarded("tutti_waitall", [&] {
    api::ApiState& mine = state();
    static constexpr api::CallWords words("tutti_waitall");
    const api::CallName name(mine, words);
    if (count < 0 || (count > 0 && requests == nullptr)) {
      base::fail(base::Status::invalid_argument, "argument 'count' is {}, or 'requests' is NULL",
                 count);
    }
    mine.requests.wait(mine.runtime, {requests, static_cast<std::size_t>(count)});
  });
}

tutti_status tutti_test(tutti_request* request, int* done) {
  return guarded("tutti_test", [&] {
    if (done == nullptr) base::fail(base::Status::invalid_argument, "argument 'done' is NULL");
    *done = 0;
    api::ApiState& mine = state();
    *done = mine.requests.test(mine.runtime, required(request)) ? 1 : 0;
  });
}

tutti_status tutti_request_free(tutti_request* request) {
  return guarded("tutti_request_free", [&] { state().requests.free(required(request)); });
}

}  // extern "C"
