// SPDX-License-Identifier: BSD-3-Clause
// Implements the memory of tutti_message.h, and the windows and texts of tutti_runtime.h.
#include "api/call_site.hpp"
#include "api/state.hpp"
#include "base/environment.hpp"

using namespace tutti;
using api::answered;
using api::guarded;
using api::state;

namespace {

// Copies a text as snprintf does, or nothing if `text` is NULL. It copies an empty text if the text
// cannot be made.
template <class Make>
std::size_t write_text(char* text, std::size_t size, const Make& make) {
  std::string made;
  try {
    made = make();
  } catch (...) {
    made.clear();
  }
  if (text != nullptr && size > 0) text[made.copy(text, size - 1)] = '\0';
  return made.size();
}

}  // namespace

extern "C" {

tutti_status tutti_alloc(int64_t bytes, void** address) {
  return guarded("tutti_alloc", [&] {
    if (address == nullptr)
      base::fail(base::Status::invalid_argument, "argument 'address' is NULL");
    *address = nullptr;
    *address = state().job.windows().allocate(bytes);
  });
}

tutti_status tutti_alloc_if_room(int64_t bytes, void** address) {
  return answered("tutti_alloc_if_room", [&] {
    if (address == nullptr)
      base::fail(base::Status::invalid_argument, "argument 'address' is NULL");
    *address = nullptr;
    *address = state().job.windows().allocate_if_room(bytes);
  });
}

tutti_status tutti_free(void* address) {
  return guarded("tutti_free", [&] {
    api::ApiState& mine = state();
    if (address == nullptr) return;
    services::Windows& windows = mine.job.windows();
    mine.requests.require_unused(windows.at(address));
    windows.free(address);
  });
}

tutti_status tutti_window_in_turn(int64_t bytes, void** address) {
  return answered("tutti_window_in_turn", [&] {
    if (address == nullptr)
      base::fail(base::Status::invalid_argument, "argument 'address' is NULL");
    *address = state().job.windows().in_turn(bytes);
  });
}

tutti_status tutti_window_write(void* to, const void* from, int64_t bytes) {
  return answered("tutti_window_write", [&] {
    state().job.windows().write(to, from, bytes);
    api::note_sharing(state());
  });
}

uint64_t tutti_window_name(const void* address) {
  api::ApiState* const current = api::process.current;
  return current == nullptr ? 0 : current->job.windows().name_of(address);
}

void* tutti_window_address(int endpoint, uint64_t name) {
  api::ApiState* const current = api::process.current;
  if (current == nullptr || endpoint < 0) return nullptr;
  if (!current->job.shares_memory_with(endpoint)) return nullptr;
  api::note_sharing(*current);
  return current->job.windows().address_of(name);
}

uint64_t tutti_call_site(void) {
  return api::calling_site();
}

void tutti_call_comes_from(uint64_t site) {
  api::ApiState* const current = api::process.current;
  if (current != nullptr && current->explainer != nullptr) current->explainer->set_site(site);
}

size_t tutti_call_site_text(uint64_t site, char* text, size_t size) {
  return write_text(text, size, [site] { return api::site_text(site); });
}

size_t tutti_setting_text(const char* name, char* text, size_t size) {
  return write_text(text, size, [name] {
    for (const base::VariableInfo& info : base::variables()) {
      if (name == nullptr || std::string_view(info.name) != name) continue;
      return base::text(static_cast<base::Variable>(&info - base::variables().data())).value_or("");
    }
    return std::string();
  });
}

double tutti_profile_rate(const char* name) {
  double rate = -1;
  static_cast<void>(answered("tutti_profile_rate", [&] {
    const machine::Profile& machine = state().job.machine();
    const std::string_view wanted = name == nullptr ? "" : name;
    if (wanted == "alpha") rate = machine.alpha.value;
    if (wanted == "beta") rate = machine.beta.value;
    if (wanted == "gamma") rate = machine.gamma.value;
  }));
  return rate;
}

}  // extern "C"
