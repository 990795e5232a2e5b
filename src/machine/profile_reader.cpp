// SPDX-License-Identifier: BSD-3-Clause
// Checks keys and values of a profile.
#include "machine/profile_reader.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/error.hpp"

#include "machine/keys.hpp"
#include "machine/suggestion.hpp"
#include "machine/topology.hpp"

namespace tutti::machine {
namespace {

constexpr Provenance all_statuses[] = {Provenance::published, Provenance::derived,
                                       Provenance::fitted, Provenance::measured,
                                       Provenance::assumed};
constexpr const char* silent = "the file is silent";
constexpr int most_extent = 1 << 20;
constexpr int most_depth = 8;

// Keys that describe a file as a whole. tutti reads name, like, aliases, about and mesh. The others
// are notes for people, written by `tutti tune`, or belong to other readers.
constexpr std::string_view notes[] = {
    "name",    "like",      "aliases",    "about",      "mesh",
    "date",    "processor", "processors", "system",     "compiler",
    "version", "ranks",     "samples",    "placements", "placements_not_seen",
    "busy",    "points",    "graph",      "plan",       "tuning"};

template <class Range>
bool has(const Range& range, std::string_view word) {
  return std::find(std::begin(range), std::end(range), word) != std::end(range);
}

}  // namespace

std::unique_ptr<Topology> topology_at(const Word& word, const std::string& origin) {
  try {
    return parse_topology(word.value);
  } catch (const base::Error& error) {
    reject(origin, word.line, "network.topology: {}", error.what());
  }
}

Profile ProfileReader::read(const toml::table& file) {
  read_any(file);
  // Without kappa, messages do not slow each other down.
  profile_.more.try_emplace(
      "kappa", Number{std::numeric_limits<double>::infinity(), Provenance::assumed, silent});
  collecting([&] { profile_.alpha = take("alpha"); });
  collecting([&] { profile_.beta = take("beta"); });
  collecting([&] { profile_.gamma = take("gamma"); });
  collecting([&] { profile_.kappa = take("kappa"); });
  collecting([&] { take_mesh(); });
  raise_faults();
  return std::move(profile_);
}

void ProfileReader::raise_faults() const {
  if (!faults_.empty()) base::fail(base::Status::invalid_argument, "{}", fmt::join(faults_, "\n"));
}

void ProfileReader::read_any(const toml::table& file) {
  if (const toml::node* const other = file.get("like")) read_like(*other);
  collecting([&] { read_name(file); });
  for (const auto& entry : file)
    collecting([&] { read_entry(std::string(entry.first.str()), entry.second); });
  if (depth_ > 0) raise_faults();
}

void ProfileReader::read_name(const toml::table& file) {
  const toml::node* const name = file.get("name");
  if (name == nullptr)
    reject(origin_, 0, "name is missing; write name = \"...\" on the first line");
  profile_.name = text_of(*name, "name");
  if (profile_.name.empty()) fail(*name, "name is empty");
}

// Reads the other file first; values of this file replace its values. Lines refer to this file, so
// those of the other file are dropped.
void ProfileReader::read_like(const toml::node& node) {
  if (depth_ == most_depth)
    fail(node, "like: {} files, each like the next one; is it a circle?", most_depth);
  std::string name = text_of(node, "like");
  const bool is_path = name.find('/') != std::string::npos || name.ends_with(".toml");
  if (is_path) name = (std::filesystem::path(origin_).parent_path() / name).string();
  try {
    const Document found = document_of(name);
    ProfileReader other(found.origin, depth_ + 1);
    other.read_any(parse_toml(found.text, found.origin));
    profile_ = std::move(other.profile_);
  } catch (const base::Error& error) {
    fail(node, "like: {}", error.what());
  }
  profile_.aliases.clear();
  for (auto& [key, number] : profile_.more) number.line = 0;
  for (auto& [key, word] : profile_.words) word.line = 0;
}

// Takes the mesh from the topology. If `mesh` gives it too, both must agree.
void ProfileReader::take_mesh() {
  const auto topology = profile_.words.find("network.topology");
  if (topology == profile_.words.end() || !topology->second.value.starts_with("mesh:")) return;
  const std::vector<int> extents = topology_at(topology->second, origin_)->extents();
  if (!profile_.mesh.empty() && profile_.mesh != extents)
    reject(origin_, topology->second.line,
           "network.topology is {}, but mesh says otherwise; remove mesh", topology->second.value);
  if (extents.size() == 2) profile_.mesh = extents;
}

void ProfileReader::read_entry(const std::string& name, const toml::node& node) {
  if (name == "about") {
    profile_.about = text_of(node, name);
  } else if (name == "mesh") {
    read_mesh(node);
  } else if (name == "aliases") {
    for (const toml::node& alias : array_of(node, name))
      profile_.aliases.push_back(text_of(alias, name));
  } else if (has(sections(), name)) {
    read_section(name, node);
  } else if (!has(notes, name)) {
    read_key(name, node);
  }
}

void ProfileReader::read_section(const std::string& name, const toml::node& node) {
  if (!node.is_table())
    fail(node, "{} must be a table: write [{}] on a line of its own", name, name);
  for (const auto& entry : *node.as_table())
    collecting([&] { read_key(name + "." + std::string(entry.first.str()), entry.second); });
}

void ProfileReader::read_mesh(const toml::node& node) {
  for (const toml::node& extent : array_of(node, "mesh")) {
    const auto value = extent.value_exact<std::int64_t>();
    if (!value || *value < 1 || *value > most_extent)
      fail(extent, "mesh must list whole numbers from 1 to {}, such as [16, 32]", most_extent);
    profile_.mesh.push_back(static_cast<int>(*value));
  }
}

void ProfileReader::unknown(const std::string& name, const toml::node& node) const {
  const std::size_t dot = name.find('.');
  for (const Key& key : known_keys()) {
    const std::size_t behind = key.name.find('.') + 1;
    if (dot == std::string::npos && behind > 0 && key.name.substr(behind) == name)
      fail(node, "unknown key {}; it belongs into the table [{}]", name,
           key.name.substr(0, behind - 1));
  }
  std::vector<std::string_view> candidates;
  for (const Key& key : known_keys()) {
    const bool same = dot == std::string::npos
                          ? key.name.find('.') == std::string_view::npos
                          : key.name.starts_with(std::string_view(name).substr(0, dot + 1));
    if (same) candidates.push_back(key.name);
  }
  if (dot == std::string::npos) {
    candidates.insert(candidates.end(), sections().begin(), sections().end());
    candidates.insert(candidates.end(), std::begin(notes), std::end(notes));
  }
  fail(node, "unknown key {}{}", name, suggestion(name, candidates));
}

const toml::node& ProfileReader::member(const toml::table& table, const char* name,
                                        const std::string& key) const {
  const toml::node* const node = table.get(name);
  if (node == nullptr)
    fail(table, "{} needs a {}: a table has value, status and source, and a number may stand alone",
         key, name);
  return *node;
}

Provenance ProfileReader::status_of(const toml::table& table, const std::string& key) const {
  const toml::node& node = member(table, "status", key);
  const std::string name = text_of(node, key + ".status");
  const auto* const found =
      std::find_if(std::begin(all_statuses), std::end(all_statuses),
                   [&](Provenance status) { return to_text(status) == name; });
  if (found == std::end(all_statuses))
    fail(node, "status of {} is '{}' but must be published, derived, fitted, measured or assumed",
         key, name);
  return *found;
}

double ProfileReader::number_of(const toml::node& node, const std::string& key) const {
  const auto value = node.value<double>();
  if (!value || !node.is_number())
    fail(node, "{} needs a numeric value, not {}", key, type_of(node));
  if (const auto wrong = complaint(find_key(key)->kind, *value))
    fail(node, "{} is {}; {}", key, *value, *wrong);
  return *value;
}

void ProfileReader::read_key(const std::string& name, const toml::node& node) {
  given_.insert(name);
  const Key* const key = find_key(name);
  if (key == nullptr) unknown(name, node);
  node.is_table() ? read_table(name, *key, *node.as_table()) : read_plain(name, *key, node);
}

// The reader of a file without sources must not take its numbers for measured ones.
void ProfileReader::read_plain(const std::string& name, const Key& key, const toml::node& node) {
  const char* const source = "the file gives no source";
  if (key.kind == ValueKind::word)
    profile_.words[name] = {text_of(node, name), Provenance::assumed, source, line_of(node)};
  else
    profile_.more[name] = {number_of(node, name), Provenance::assumed, source, line_of(node)};
}

void ProfileReader::read_table(const std::string& name, const Key& key, const toml::table& table) {
  static constexpr std::string_view members[] = {"value", "status", "source"};
  for (const auto& [inner, ignored] : table) {
    if (!has(members, inner.str()))
      fail(ignored, "unknown key {}.{}{}", name, inner.str(), suggestion(inner.str(), members));
  }
  const toml::node& value = member(table, "value", name);
  const Provenance status = status_of(table, name);
  const std::string source = text_of(member(table, "source", name), name + ".source");
  if (key.kind == ValueKind::word) {
    profile_.words[name] = {text_of(value, name), status, source, line_of(value)};
  } else {
    profile_.more[name] = {number_of(value, name), status, source, line_of(value)};
  }
}

Number ProfileReader::take(const char* key) {
  const auto found = profile_.more.find(key);
  if (found == profile_.more.end() && given_.count(key) > 0) return {};  // reported already
  if (found == profile_.more.end())
    reject(origin_, 0, "{} is missing; every machine has alpha, beta and gamma, such as {} = 1.0",
           key, key);
  Number number = std::move(found->second);
  profile_.more.erase(found);
  return number;
}

}  // namespace tutti::machine
