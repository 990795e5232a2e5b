// SPDX-License-Identifier: BSD-3-Clause
// Finds profiles by name.
#include "machine/profile.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "machine/builtin.hpp"
#include "machine/profile_reader.hpp"
#include "machine/read_file.hpp"

namespace tutti::machine {
namespace {

constexpr const char* status_names[] = {"published", "derived", "fitted", "measured", "assumed"};

std::vector<std::string> aliases_of(const BuiltinMachine& builtin) {
  const toml::table file = parse_toml(builtin.text, std::string(builtin.name));
  std::vector<std::string> names;
  if (const toml::array* const aliases = file["aliases"].as_array()) {
    for (const toml::node& alias : *aliases) names.push_back(alias.value_or(std::string()));
  }
  return names;
}

// Returns the built-in machine with a name or an alias; nullptr if there is none. It compares all
// names before it looks for aliases, because these stand in texts that must be parsed.
const BuiltinMachine* builtin_called(const std::string& name) {
  for (const BuiltinMachine& builtin : builtins())
    if (builtin.name == name) return &builtin;
  for (const BuiltinMachine& builtin : builtins()) {
    const std::vector<std::string> aliases = aliases_of(builtin);
    if (std::find(aliases.begin(), aliases.end(), name) != aliases.end()) return &builtin;
  }
  return nullptr;
}

// Suggests the name that was probably meant, also if its alias is nearer.
std::string hint_for(const std::string& name) {
  std::vector<std::pair<std::string, std::string_view>> words;
  for (const BuiltinMachine& builtin : builtins()) {
    words.emplace_back(builtin.name, builtin.name);
    for (std::string& alias : aliases_of(builtin))
      words.emplace_back(std::move(alias), builtin.name);
  }
  std::vector<base::KnownWord> known;
  for (const auto& [word, shown] : words) known.push_back({word, shown});
  return base::did_you_mean(name, known);
}

}  // namespace

Profile parse(std::string_view text, const std::string& origin) {
  return ProfileReader(origin).read(parse_toml(text, origin));
}

std::vector<std::string> builtin_profiles() {
  std::vector<std::string> names;
  for (const BuiltinMachine& builtin : builtins()) names.emplace_back(builtin.name);
  std::sort(names.begin(), names.end());
  return names;
}

Document read_document(const std::string& path, const char* what) {
  return {path, read_file(path, what)};
}

Document document_of(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".toml")) return read_document(name);
  if (const BuiltinMachine* const builtin = builtin_called(name))
    return {std::string(builtin->name), std::string(builtin->text)};
  std::vector<std::string_view> known;
  for (const BuiltinMachine& builtin : builtins()) known.push_back(builtin.name);
  base::fail(base::Status::invalid_argument,
             "there is no machine profile '{}'{}; there are: {}, or the path of a file", name,
             hint_for(name), fmt::join(known, ", "));
}

Profile load(const std::string& name) {
  const Document document = document_of(name);
  return parse(document.text, document.origin);
}

const char* to_text(Provenance status) {
  return status_names[static_cast<std::size_t>(status)];
}

}  // namespace tutti::machine
