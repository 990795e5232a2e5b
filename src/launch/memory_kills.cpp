// SPDX-License-Identifier: BSD-3-Clause
// Reads oom_kill in memory.events (control groups of version 2) or memory.oom_control (version 1).
#include "launch/memory_kills.hpp"

#include <fmt/format.h>

#include <csignal>

#include "base/control_group.hpp"

namespace tutti::launch {
namespace {

constexpr const char* counter = "oom_kill";

}  // namespace

MemoryKills::MemoryKills() {
  for (const auto& group : base::control_groups("memory")) {
    const bool second = group.version == base::ControlGroup::Version::two;
    for (const std::string& folder : base::folders(group)) {
      const std::string file = folder + (second ? "/memory.events" : "/memory.oom_control");
      const double count = base::number_behind(counter, file);
      if (count == base::no_limit) continue;
      folder_ = folder;
      file_ = file;
      before_ = count;
      return;
    }
  }
}

std::string MemoryKills::reason_of(const Ending& ending) {
  const bool killed = ending.kind == EndingKind::signalled && ending.value == SIGKILL;
  if (!killed || file_.empty()) return {};
  const double now = base::number_behind(counter, file_);
  if (now == base::no_limit || now - before_ <= explained_) return {};
  ++explained_;
  return fmt::format(", because memory had run out (the kernel has killed {:.0f} in {})",
                     now - before_, folder_);
}

}  // namespace tutti::launch
