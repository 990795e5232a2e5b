// SPDX-License-Identifier: BSD-3-Clause
// Defines the collectives of the C interface: three functions for each line of collectives.def.
#include "api/call.hpp"

using namespace tutti;
using api::GivenCounts;
using schedule::Operation;

namespace {

// Names the call while `body` runs, and turns what it throws into a status.
template <class Body>
inline tutti_status collective(const char* routine, const api::CallWords& words,
                               const Body& body) noexcept {
  return api::guarded(routine, [&] {
    api::ApiState& mine = api::state();
    const api::CallName name(mine, words, trace::Tracer::Begin::with_wait);
    body(mine);
  });
}

}  // namespace

// `call` and `run` are lists in parentheses, which TUTTI_OPEN removes.
#define TUTTI_OPEN(...) __VA_ARGS__
#define TUTTI_FUNCTION(name, parameters, call, run)                                \
  tutti_status name(TUTTI_OPEN parameters) {                                       \
    static constexpr api::CallWords words(#name);                                  \
    const auto describe = [&] { return api::Call TUTTI_OPEN call; };               \
    return collective(#name, words, [&](api::ApiState& mine) { TUTTI_OPEN run; }); \
  }
#define TUTTI_COLLECTIVE(name, parameters, call)                                              \
  TUTTI_FUNCTION(tutti_##name, parameters, call, (api::run_call(mine, group, describe)))      \
  TUTTI_FUNCTION(tutti_i##name, (TUTTI_OPEN parameters, tutti_request * request), call,       \
                 (api::start_call(mine, group, describe(), request)))                         \
  TUTTI_FUNCTION(tutti_##name##_init, (TUTTI_OPEN parameters, tutti_request * request), call, \
                 (api::init_call(mine, group, describe(), request)))

extern "C" {
#include "api/collectives.def"
}
