// SPDX-License-Identifier: BSD-3-Clause
// Composes the messages of NX calls and ends the job (failure.hpp).
#include "failure.hpp"

#include <array>
#include <cstdlib>

#include "nodes.hpp"

namespace tutti::nx {
namespace {

int error_of(tutti_status status) {
  switch (status) {
    case TUTTI_TRUNCATED:
    case TUTTI_MISMATCH:
      return EMSGSIZE;
    case TUTTI_OUT_OF_MEMORY:
    case TUTTI_NO_SLOT:
      return ENOMEM;
    case TUTTI_PEER_LEFT:
    case TUTTI_JOB_ENDED:
      return EPIPE;
    default:
      return EINVAL;
  }
}

}  // namespace

void fail_status(tutti_status status) {
  throw CallFailure(error_of(status), tutti_error_text());
}

void end_job(const char* call, const char* text) {
  std::array<char, 256> place{};
  tutti_call_site_text(tutti_call_site(), place.data(), place.size());
  const std::string who =
      tutti_initialized() != 0
          ? fmt::format("node {} of {}, ", tutti_rank(tutti_world()), tutti_size(tutti_world()))
          : "";
  const std::string line = fmt::format("{}: {}; {}called at {}", call, text, who, place.data());
  tutti_abort(1, line.c_str());
  std::_Exit(1);
}

void NxCall::refuse_thread(const char* name) {
  const std::string line = fmt::format("{}: {}", name, tutti_error_text());
  tutti_abort(1, line.c_str());
  std::_Exit(1);
}

}  // namespace tutti::nx
