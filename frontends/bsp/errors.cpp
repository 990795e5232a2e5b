// SPDX-License-Identifier: BSD-3-Clause
// Composes BSPlib's error messages and ends the job (errors.hpp).
#include "errors.hpp"

#include <tutti/tutti_runtime.h>

#include <array>
#include <cstdlib>

#include "state.hpp"

namespace tutti::bsp {

std::string place_text(std::uint64_t site) {
  std::array<char, 256> text{};
  tutti_call_site_text(site, text.data(), text.size());
  return text.data();
}

const std::string& site_text(std::uint64_t site) {
  auto& known = state().sites;
  const auto found = known.find(site);
  return found != known.end() ? found->second : known.emplace(site, place_text(site)).first->second;
}

std::string process_text() {
  const BspMachine& mine = *running();
  std::string text = fmt::format("process {} of {}", mine.pid, mine.count);
  if (mine.group != 0)
    text += fmt::format(" in group {} (process {} of all)", mine.group, state().machine->pid);
  return fmt::format("{}, superstep {}", text, mine.superstep);
}

void end_all(const char* routine, const std::string& text) {
  const std::string where = place_text(tutti_call_site());
  const std::string whole =
      running() == nullptr
          ? fmt::format("{}: {}; called at {}", routine, text, where)
          : fmt::format("{}: {}; {}, called at {}", routine, text, process_text(), where);
  tutti_abort(1, whole.c_str());
  std::_Exit(1);
}

void fail_status(const char* routine) {
  end_all(routine, tutti_error_text());
}

}  // namespace tutti::bsp
