// SPDX-License-Identifier: BSD-3-Clause
// Finds the table [tuning] of the machine file.
#include "machine/tuning.hpp"

#include <string>

#include "base/processor_tuning.hpp"
#include "machine/host.hpp"
#include "machine/toml_reader.hpp"

namespace tutti::machine {
namespace {

std::string text_of(const toml::node& node, std::string_view row, const std::string& origin) {
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const auto text = node.value_exact<std::string>()) return *text;
  reject(origin, line_of(node), "tuning.{} must be a whole number or a text such as \"50us\"", row);
}

void add_file(const toml::node& node, const std::string& origin, base::TuningSettings& settings) {
  if (!node.is_table()) reject(origin, line_of(node), "tuning must be a table");
  for (const auto& [key, value] : *node.as_table()) {
    const std::string text = text_of(value, key.str(), origin);
    try {
      settings.set(key.str(), text, base::TuningSource::machine_file);
    } catch (const base::Error& error) {
      reject(origin, line_of(value), "tuning: {}", error.what());
    }
  }
}

}  // namespace

// Most files have no such table, and a job starts sooner if they are not parsed.
base::TuningSettings job_tuning() {
  base::TuningSettings settings;
  base::suit(settings, base::this_processor());
  if (const auto document = measured_document();
      document && document->text.find("tuning") != std::string::npos &&
      other_processor(*document).empty()) {
    const toml::table file = parse_toml(document->text, document->origin);
    if (const toml::node* const node = file.get("tuning"))
      add_file(*node, document->origin, settings);
  }
  base::add_environment(settings);
  return settings;
}

}  // namespace tutti::machine
