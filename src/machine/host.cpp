// SPDX-License-Identifier: BSD-3-Clause
// Finding the profile of this machine.
#include "machine/host.hpp"

#include <filesystem>

#include "base/environment.hpp"

namespace tutti::machine {

std::string host_file() {
  const auto folder = base::settings_folder();
  return folder ? *folder + "/tutti/host.toml" : std::string();
}

std::optional<Profile> measured_profile() {
  if (const auto named = base::text(base::Variable::profile)) return load(*named);
  const std::string file = host_file();
  std::error_code ignored;
  if (file.empty() || !std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  return load(file);
}

}  // namespace tutti::machine
