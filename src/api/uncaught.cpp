// SPDX-License-Identifier: BSD-3-Clause
// A handler of std::terminate. No call of a function of C can catch what a function of C++ throws.
#include "api/uncaught.hpp"

#include <cstdlib>
#include <exception>
#include <new>

#include "api/call_site.hpp"
#include "api/state.hpp"
#include "transport/shm/state_text.hpp"

namespace tutti::api {
namespace {

// Returns the name of the call that this process is in. The standard library keeps so short a text
// inside of the string, but not every name is so short.
const char* text_of_scarcity() {
  try {
    const std::string call =
        process.current == nullptr
            ? ""
            : transport::shm::text_in(process.current->job.endpoint().state.call);
    return set_out_of_memory_text(call.empty() ? "a call of tutti" : call.c_str());
  } catch (const std::bad_alloc&) {
    return set_out_of_memory_text("a call of tutti");
  }
}

[[noreturn]] void end_uncaught() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    if (passes_through_tutti()) tutti_abort(1, text_of_scarcity());
  } catch (...) {  // not this handler's business
  }
  if (process.terminate_before != nullptr) process.terminate_before();
  std::abort();
}

}  // namespace

void end_without_memory() {
  if (process.terminate_before == nullptr)
    process.terminate_before = std::set_terminate(end_uncaught);
}

}  // namespace tutti::api
