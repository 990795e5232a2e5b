// SPDX-License-Identifier: BSD-3-Clause
// Finds the profile of this machine.
#include "machine/host.hpp"

#include <filesystem>

#include "base/environment.hpp"
#include "base/processors.hpp"
#include "machine/toml_text.hpp"

namespace tutti::machine {

std::string host_file() {
  const auto folder = base::settings_folder();
  return folder ? *folder + "/tutti/host.toml" : std::string();
}

std::optional<Document> measured_document() {
  if (const auto named = base::text(base::Variable::profile)) return document_of(*named);
  const std::string file = host_file();
  std::error_code ignored;
  if (file.empty() || !std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  return read_document(file);
}

std::optional<Profile> measured_profile() {
  const auto document = measured_document();
  if (!document) return std::nullopt;
  return parse(document->text, document->origin);
}

std::string other_processor(const Document& profile) {
  try {
    const toml::table file = read_toml(profile.text, profile.origin);
    const auto noted = file["processor"].value<std::string>();
    return noted && *noted != base::processor_name() ? *noted : std::string();
  } catch (const TomlProblem&) {  // whoever uses the profile says what is wrong
    return {};
  }
}

}  // namespace tutti::machine
