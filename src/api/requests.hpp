// SPDX-License-Identifier: BSD-3-Clause
// The handles of operations that are under way or can be started again.
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
  // Of an operation that runs once, or as often as it is started.
  enum class Kind : std::uint8_t { once, persistent };

  ~Requests();

  tutti_request add(tutti_group group, engine::Plan& plan, const engine::Arguments& arguments,
                    Kind kind);
  void start(ApiState& mine, tutti_request request);
  // The same request, or none if starting it fails.
  tutti_request started(ApiState& mine, tutti_request request);
  // Those of kind once are gone afterwards and their handles 0; so is a handle that was 0. Throws
  // what ended one early.
  void wait(engine::Runtime& runtime, std::span<tutti_request> requests);
  // One round of progress for everything; whether this one is done, and then as after wait().
  bool test(engine::Runtime& runtime, tutti_request& request);
  // Only while it is not under way.
  void free(tutti_request& request);
  // Whatever its state.
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
