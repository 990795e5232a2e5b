// SPDX-License-Identifier: BSD-3-Clause
// The one state object of a process (state.hpp).
#include "state.hpp"

namespace tutti::pvm {

PvmState::PvmState() : inbox(buffers) {
  option[PvmRoute] = PvmAllowDirect;
  option[PvmAutoErr] = 1;
  option[PvmTraceOptions] = PvmTraceFull;
  option[PvmSelfTraceOptions] = PvmTraceFull;
  option[PvmFragSize] = 4096;
  option[PvmShowTids] = 1;
  option[PvmPollType] = PvmPollConstant;
}

std::string setting(const char* name) {
  std::string text(tutti_setting_text(name, nullptr, 0) + 1, '\0');
  tutti_setting_text(name, text.data(), text.size());
  text.pop_back();
  return text;
}

// Never destroyed, because exit handlers of the program may still call PVM.
PvmState& state() {
  static PvmState& only = *new PvmState;
  return only;
}

}  // namespace tutti::pvm
