// SPDX-License-Identifier: BSD-3-Clause
// Implements the questions about plans: their text, their schedule as JSON, their request.
#include <algorithm>
#include <cstring>

#include "api/plans.hpp"
#include "api/state.hpp"
#include "formats/program_file.hpp"
#include "selection/settings.hpp"

using namespace tutti;
using api::guarded;
using api::state;

namespace {

std::string schedule_of(const engine::Plan& plan) {
  if (plan.native()) {
    base::fail(base::Status::no_such_plan,
               "{} is run by the MPI itself: there is no schedule to show", plan.describe());
  }
  const schedule::Generator& generator = *plan.request().generator;
  return formats::program_text(formats::schedule_of(
      generator, plan.shape(), selection::plan_name(generator, plan.request().settings)));
}

// Writes a text as snprintf does. Returns its length.
size_t give(const std::string& whole, char* text, size_t size) {
  if (size > 0 && text != nullptr) text[whole.copy(text, size - 1)] = '\0';
  return whole.size();
}

}  // namespace

tutti_plan_request api::request_of(const engine::Plan& plan) {
  const engine::Request& request = plan.request();
  const selection::Settings& settings = request.settings;
  return {sizeof(tutti_plan_request),
          static_cast<tutti_operation>(plan.operation()),
          request.generator->name,
          request.root,
          settings.branches,
          settings.rings,
          settings.segments,
          0,
          settings.factors.data(),
          static_cast<int>(settings.factors.size()),
          settings.cut,
          0};
}

extern "C" {

size_t tutti_plan_text(tutti_plan plan, char* text, size_t size) {
  std::string whole;
  const tutti_status status =
      guarded("tutti_plan_text", [&] { whole = api::plan_of(state(), plan).text(); });
  return status == TUTTI_OK ? give(whole, text, size) : 0;
}

size_t tutti_plan_json(tutti_plan plan, char* text, size_t size) {
  std::string whole;
  const tutti_status status =
      guarded("tutti_plan_json", [&] { whole = schedule_of(api::plan_of(state(), plan)); });
  return status == TUTTI_OK ? give(whole, text, size) : 0;
}

const char* tutti_plan_algorithm(tutti_plan plan) {
  const char* name = nullptr;
  (void)guarded("tutti_plan_algorithm",
                [&] { name = api::plan_of(state(), plan).request().generator->name; });
  return name;
}

tutti_status tutti_plan_describe(tutti_plan plan, tutti_plan_request* request) {
  return guarded("tutti_plan_describe", [&] {
    if (request == nullptr || request->struct_size < api::first_request_size) {
      base::fail(base::Status::invalid_argument,
                 "argument 'request' must be given with its struct_size set");
    }
    const size_t size = std::min(request->struct_size, sizeof *request);
    tutti_plan_request found = api::request_of(api::plan_of(state(), plan));
    found.struct_size = request->struct_size;
    std::memcpy(request, &found, size);
  });
}

}  // extern "C"
