// SPDX-License-Identifier: BSD-3-Clause
// Reads a parsed TOML file as a profile: every key must be known, and every value must have its
// type and lie in its range.
#pragma once

#include "machine/profile.hpp"
#include "machine/toml_reader.hpp"
#include "machine/topology.hpp"

namespace tutti::machine {

// Parses a topology and reports its errors with their place in the file.
[[nodiscard]] std::unique_ptr<Topology> topology_at(const Word& word, const std::string& origin);

class ProfileReader : TomlReader {
 public:
  explicit ProfileReader(const std::string& origin, int depth = 0)
      : TomlReader(origin), depth_(depth) {}

  Profile read(const toml::table& file);

 private:
  void read_any(const toml::table& file);
  void read_like(const toml::node& node);
  void read_entry(const std::string& name, const toml::node& node);
  void read_section(const std::string& name, const toml::node& node);
  void read_key(const std::string& name, const toml::node& node);
  void read_mesh(const toml::node& node);
  void take_mesh();
  [[noreturn]] void unknown(const std::string& name, const toml::node& node) const;
  // Reads value, status and source of a number or a word.
  const toml::node& member(const toml::table& table, const char* name,
                           const std::string& key) const;
  [[nodiscard]] Provenance status_of(const toml::table& table, const std::string& key) const;
  [[nodiscard]] double number_of(const toml::node& node, const std::string& key) const;
  Number take(const char* key);

  int depth_;  // number of files so far, each of which is `like` the next
  Profile profile_;
};

}  // namespace tutti::machine
