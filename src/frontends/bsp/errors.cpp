// SPDX-License-Identifier: BSD-3-Clause
// Messages of BSPlib.
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

void end_all(const char* routine, const std::string& text) {
  const Machine* machine = running();
  const std::string where = place_text(tutti_call_site());
  const std::string whole = machine == nullptr
                                ? fmt::format("{}: {}; called at {}", routine, text, where)
                                : fmt::format("{}: {}; process {} of {}, superstep {}, called at {}", routine, text,
                                              machine->pid, machine->count, machine->superstep, where);
  tutti_abort(1, whole.c_str());
  std::_Exit(1);
}

void fail_status(const char* routine) {
  end_all(routine, tutti_error_text());
}

}  // namespace tutti::bsp
