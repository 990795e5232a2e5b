// SPDX-License-Identifier: BSD-3-Clause
// The handles of operations that are in flight or can be started again. Non-blocking and persistent
// calls use them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/execution.hpp"
#include "engine/runtime.hpp"
#include "tutti/tutti.h"

namespace tutti::api {

class ApiState;

class Requests {
 public:
  // Tells an operation that runs once from one that can be started again and again.
  enum class Kind : std::uint8_t { once, persistent };

  ~Requests();

  tutti_request add(tutti_group group, engine::Plan& plan, const engine::Arguments& arguments,
                    Kind kind);
  void start(ApiState& mine, tutti_request request);
  // Starts the request and returns it. If the start fails, the request is dropped.
  tutti_request started(ApiState& mine, tutti_request request);
  // Waits for all requests. Those of kind once are gone afterwards and their handles are 0; a
  // handle that is 0 is skipped. Throws the error that has ended an operation early.
  void wait(engine::Runtime& runtime, std::span<tutti_request> requests);
  // Lets every operation make progress once. Returns whether this request is done; if so, its
  // handle is as after wait().
  bool test(engine::Runtime& runtime, tutti_request& request);
  // Frees a request that is not in flight.
  void free(tutti_request& request);
  // Frees a request in whatever state it is.
  void drop(tutti_request& request);

 private:
  struct Request {
    std::uint64_t group = 0;
    Kind kind = Kind::once;
    std::unique_ptr<engine::Execution> execution;
  };
  Request& find(tutti_request handle);
  void finish(tutti_request& handle);

  engine::Handles<Request> requests_;
  std::vector<engine::Execution*> waiting_;
};

}  // namespace tutti::api
