// SPDX-License-Identifier: BSD-3-Clause
// Messages of BSPlib.
#include "errors.hpp"

#include "state.hpp"

namespace tutti::bsp {

void end_all(const char* routine, const std::string& text) {
  const Machine* machine = running();
  const std::string whole = machine == nullptr ? fmt::format("{}: {}", routine, text)
                                               : fmt::format("{}: {}; process {} of {}, superstep {}", routine, text,
                                                             machine->pid, machine->count, machine->superstep);
  tutti_abort(1, whole.c_str());
  std::_Exit(1);
}

void fail_status(const char* routine) {
  end_all(routine, tutti_error_text());
}

}  // namespace tutti::bsp
