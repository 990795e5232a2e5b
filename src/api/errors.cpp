// SPDX-License-Identifier: BSD-3-Clause
// Makes the text of a failed call, and decides whether the program gets a status or the job ends.
#include "api/errors.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <new>
#include <optional>

#include "api/state.hpp"
#include "base/environment.hpp"
#include "engine/unequal_sizes.hpp"
#include "transport/departed.hpp"

namespace tutti::api {
namespace {

constexpr int exit_code = 1;

struct Subject {
  int departed = -1;
  std::optional<engine::TwoSizes> unequal_sizes;
};
// The last failure of this thread.
struct LastError {
  std::string text;
  // The text if there was no memory to make one; empty if `text` is the text.
  std::array<char, 120> scarce_text{};
  Subject subject;
};
thread_local LastError last_error;

Subject subject_of(const base::Error& error) {
  const auto* departed = dynamic_cast<const transport::DepartedError*>(&error);
  const auto* unequal = dynamic_cast<const engine::UnequalSizes*>(&error);
  return {departed == nullptr ? -1 : departed->endpoint(),
          unequal == nullptr ? std::nullopt : std::optional(unequal->sizes())};
}

// Returns a text such as "tutti_bcast: argument ... (world rank 3)".
std::string sentence(const char* routine, const char* what) {
  std::string text = std::string(routine) + ": " + what;
  if (process.current == nullptr) return text;
  job::Job& job = process.current->job;
  const engine::Group* world = job.groups().find(job.groups().world());
  if (world != nullptr && world->size() > 1)
    text += " (world rank " + std::to_string(world->rank()) + ")";
  return text;
}

bool environment_gives_statuses() {
  return base::one_of(base::Variable::errors, {"end", "return"}) == "return";
}

// Returns true if the status is no error: the program's cancel predicate has ended the call, or a
// process has died in a job that continues without it.
bool is_answer(tutti_status status) {
  if (status == TUTTI_WOULD_WAIT) return true;
  return status == TUTTI_PEER_LEFT && process.current != nullptr &&
         process.current->job.membership().tolerates_deaths();
}

// Called inside a catch. Keeps the text of any exception but std::bad_alloc, which it throws on, as
// it does where there is no memory for the text.
tutti_status told_status(const char* routine) {
  try {
    throw;
  } catch (const base::Error& error) {
    set_error_text(sentence(routine, error.what()));
    last_error.subject = subject_of(error);
    return static_cast<tutti_status>(error.status());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    set_error_text(sentence(routine, error.what()));
  } catch (...) {
    set_error_text(std::string(routine) +
                   ": a function of the program threw something that is no std::exception");
  }
  return TUTTI_SYSTEM_ERROR;
}

}  // namespace

void set_error_text(std::string text) {
  last_error.text = std::move(text);
  last_error.scarce_text.front() = '\0';
  last_error.subject = {};
}

const char* set_out_of_memory_text(const char* routine) noexcept {
  std::snprintf(last_error.scarce_text.data(), last_error.scarce_text.size(),
                "%s: out of memory in this process", routine);
  last_error.subject = {};
  return last_error.scarce_text.data();
}

const char* last_error_text() {
  return last_error.scarce_text.front() != '\0' ? last_error.scarce_text.data()
                                                : last_error.text.c_str();
}

tutti_status status_of_exception(const char* routine) noexcept {
  try {
    return told_status(routine);
  } catch (const std::bad_alloc&) {
    set_out_of_memory_text(routine);
    return TUTTI_OUT_OF_MEMORY;
  }
}

tutti_status status_or_end(const char* routine) noexcept {
  const tutti_status status = status_of_exception(routine);
  if (interfaces > 0 || is_answer(status) || program_wants_statuses()) return status;
  // Failure is harmless: the program ends with an error in any case.
  std::fflush(stdout);  // the output that came before the failure
  tutti_abort(exit_code, last_error_text());
  return status;
}

void check_errors_variable() {
  static_cast<void>(environment_gives_statuses());
}

bool program_wants_statuses() noexcept {
  if (interfaces > 0) return false;
  if (process.errors != Errors::as_environment_says) return process.errors == Errors::give;
  try {
    return environment_gives_statuses();
  } catch (const base::Error&) {
    return false;  // check_errors_variable reports this
  }
}

}  // namespace tutti::api

using namespace tutti;

extern "C" {

void tutti_errors_return(void) {
  api::process.errors = api::Errors::give;
}

void tutti_errors_end(void) {
  api::process.errors = api::Errors::end;
}

void tutti_errors_push_return(void) {
  ++api::interfaces;
}

void tutti_errors_pop(void) {
  if (api::interfaces > 0) --api::interfaces;
}

void tutti_error_about(tutti_error_subject* about) {
  if (about == nullptr || about->struct_size < offsetof(tutti_error_subject, sender)) return;
  about->departed = api::last_error.subject.departed;
  about->unequal_sizes = api::last_error.subject.unequal_sizes ? 1 : 0;
  if (about->struct_size < sizeof *about) return;
  const engine::TwoSizes sizes = api::last_error.subject.unequal_sizes.value_or(engine::TwoSizes{});
  about->sender = sizes.sender;
  about->of_part = sizes.of_part ? 1 : 0;
  about->expected_bytes = sizes.expected;
  about->sent_bytes = sizes.sent;
}

const char* tutti_error_text(void) {
  return api::last_error_text();
}

const char* tutti_strerror(tutti_status status) {
  return base::text_of(static_cast<base::Status>(status));
}

}  // extern "C"
