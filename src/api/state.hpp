// SPDX-License-Identifier: BSD-3-Clause
// What stands behind the C interface: the one runtime of this process, its services and its operators, and the rule
// that no exception leaves a C function.
#pragma once

#include <array>
#include <memory>
#include <new>
#include <string>

#include "base/error.hpp"
#include "engine/runtime.hpp"
#include "services/directory.hpp"
#include "services/mailbox.hpp"
#include "tutti/tutti.h"
#include "tutti/tutti_runtime.h"

namespace tutti::api {

struct Hook {
  tutti_run_hook function = nullptr;
  void* user = nullptr;
};

class State {
 public:
  State();

  engine::Runtime runtime;
  std::unique_ptr<services::Mailbox> mailbox;
  std::unique_ptr<services::Directory> directory;
  Hook hook;

  void connect_services();

  // The operator of a handle on elements of `type`. Throws Error.
  const data::Operator& op(tutti_op handle, tutti_type type);
  const data::Operator& located_op(tutti_op handle, tutti_type type);
  std::uint64_t add_op(const data::Operator& op) { return user_ops_.insert(op); }
  bool remove_op(tutti_op handle) { return user_ops_.erase(handle.id); }

  engine::Group& group(tutti_group handle);

 private:
  static constexpr std::uint32_t first_user_op = 64;
  using Table = std::array<std::array<std::unique_ptr<data::Operator>, data::element_kinds>, data::builtin_kinds>;

  engine::Handles<data::Operator> user_ops_{first_user_op};
  Table builtins_, located_;
};

// nullptr before tutti_init and after tutti_finalize.
State*& current_state();
// Throws Error(not_initialized).
State& state();

void set_error_text(std::string text);
const char* last_error_text();

// Runs `body`; an Error becomes its status and text, anything else a status too.
template <class Body>
tutti_status guarded(const char* routine, Body&& body) noexcept {
  try {
    body();
    return TUTTI_OK;
  } catch (const base::Error& error) {
    set_error_text(std::string(routine) + ": " + error.what());
    return static_cast<tutti_status>(error.status());
  } catch (const std::bad_alloc&) {
    set_error_text(std::string(routine) + ": out of memory in this process");
    return TUTTI_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    set_error_text(std::string(routine) + ": " + error.what());
    return TUTTI_SYSTEM_ERROR;
  }
}

// Names the call in progress for reports, unless a front end has named its own.
class CallName {
 public:
  CallName(State& state, const char* name);
  ~CallName();
  CallName(const CallName&) = delete;
  CallName& operator=(const CallName&) = delete;

 private:
  transport::shm::StateLine* line_ = nullptr;
};
void write_call(transport::shm::StateLine& line, const char* name);

[[nodiscard]] data::Element element_of(tutti_type type);
[[nodiscard]] engine::Operand operand_of(const tutti_data* data, const char* argument);

}  // namespace tutti::api
