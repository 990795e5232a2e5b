// SPDX-License-Identifier: BSD-3-Clause
// Reading of profiles. A table with a `value` is a number; alpha, beta, gamma and kappa must be there.
#include "machine/profile.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "machine/builtin.hpp"

namespace tutti::machine {
namespace {

constexpr const char* status_names[] = {"published", "derived", "fitted", "measured", "assumed"};

template <class... Args>
[[noreturn]] void reject(const std::string& origin, fmt::format_string<Args...> text, Args&&... args) {
  base::fail(base::Status::invalid_argument, "machine profile {}: {}", origin,
             fmt::format(text, std::forward<Args>(args)...));
}

Status status_named(const std::string& name, const std::string& key, const std::string& origin) {
  const auto* const found = std::find(std::begin(status_names), std::end(status_names), name);
  if (found == std::end(status_names)) {
    reject(origin, "status of {} is '{}' but must be published, derived, fitted, measured or assumed", key, name);
  }
  return static_cast<Status>(found - std::begin(status_names));
}

Number number_of(const toml::table& table, const std::string& key, const std::string& origin) {
  const auto value = table["value"].value<double>();
  const auto status = table["status"].value<std::string>();
  const auto source = table["source"].value<std::string>();
  if (!value || std::isnan(*value)) reject(origin, "{} needs a numeric value", key);
  if (!status || !source) reject(origin, "{} needs a status and a source", key);
  return {*value, status_named(*status, key, origin), *source};
}

std::vector<std::string> words_of(const toml::table& file, const char* key) {
  std::vector<std::string> words;
  if (const toml::array* array = file[key].as_array()) {
    for (const toml::node& node : *array) {
      if (const auto word = node.value<std::string>()) words.push_back(*word);
    }
  }
  return words;
}

std::vector<int> extents_of(const toml::table& file, const std::string& origin) {
  std::vector<int> extents;
  if (const toml::array* array = file["mesh"].as_array()) {
    for (const toml::node& node : *array) extents.push_back(node.value<int>().value_or(0));
  }
  for (const int extent : extents) {
    if (extent < 1) reject(origin, "mesh must list whole numbers, 1 or more");
  }
  return extents;
}

Number take(std::map<std::string, Number>& numbers, const char* key, bool positive, const std::string& origin) {
  const auto found = numbers.find(key);
  if (found == numbers.end()) reject(origin, "[{}] is missing", key);
  Number number = std::move(found->second);
  numbers.erase(found);
  if (number.value < 0 || (positive && number.value == 0)) reject(origin, "{} is {}", key, number.value);
  return number;
}

bool is_called(const Profile& profile, const std::string& name) {
  return profile.name == name ||
         std::find(profile.aliases.begin(), profile.aliases.end(), name) != profile.aliases.end();
}

}  // namespace

Profile parse(std::string_view text, const std::string& origin) {
  toml::table file;
  try {
    file = toml::parse(text, origin);
  } catch (const toml::parse_error& error) {
    reject(origin, "line {}: {}", error.source().begin.line, error.description());
  }
  Profile profile;
  profile.name = file["name"].value_or(std::string());
  profile.about = file["about"].value_or(std::string());
  if (profile.name.empty()) reject(origin, "name is missing");
  profile.aliases = words_of(file, "aliases");
  profile.mesh = extents_of(file, origin);
  for (const auto& [key, node] : file) {
    const std::string name(key.str());
    if (const toml::table* table = node.as_table()) profile.more[name] = number_of(*table, name, origin);
  }
  profile.alpha = take(profile.more, "alpha", false, origin);
  profile.beta = take(profile.more, "beta", false, origin);
  profile.gamma = take(profile.more, "gamma", false, origin);
  profile.kappa = take(profile.more, "kappa", true, origin);
  return profile;
}

std::vector<std::string> builtin_profiles() {
  std::vector<std::string> names;
  for (const Builtin& builtin : builtins()) names.emplace_back(builtin.name);
  std::sort(names.begin(), names.end());
  return names;
}

Document read_document(const std::string& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) base::fail(base::Status::invalid_argument, "the file '{}' cannot be read", path);
  return {path, std::move(text)};
}

Document document_of(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".toml")) return read_document(name);
  std::string known;
  for (const Builtin& builtin : builtins()) {
    const Profile profile = parse(builtin.text, std::string(builtin.name));
    if (is_called(profile, name)) return {std::string(builtin.name), std::string(builtin.text)};
    known += (known.empty() ? "" : ", ") + profile.name;
  }
  base::fail(base::Status::invalid_argument, "there is no machine profile '{}'; there are: {}, or the path of a file",
             name, known);
}

Profile load(const std::string& name) {
  const Document document = document_of(name);
  return parse(document.text, document.origin);
}

const char* to_text(Status status) {
  return status_names[static_cast<std::size_t>(status)];
}

}  // namespace tutti::machine
