// SPDX-License-Identifier: BSD-3-Clause
// Reads a parsed TOML file as a profile: every key must be known, and every value must have its
// type and lie in its range.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "machine/keys.hpp"
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

  [[nodiscard]] Profile read(const toml::table& file);

 private:
  // Goes on after a fault, so that the user hears of all faults at once.
  template <class F>
  void collecting(F part) {
    try {
      part();
    } catch (const base::Error& fault) {
      faults_.emplace_back(fault.what());
    }
  }
  // Throws Error(invalid_argument) with all faults, if there are some.
  void raise_faults() const;
  void read_any(const toml::table& file);
  void read_name(const toml::table& file);
  void read_like(const toml::node& node);
  void read_entry(const std::string& name, const toml::node& node);
  void read_section(const std::string& name, const toml::node& node);
  void read_key(const std::string& name, const toml::node& node);
  void read_mesh(const toml::node& node);
  void take_mesh();
  [[noreturn]] void unknown(const std::string& name, const toml::node& node) const;
  // Reads a number or a word: alone, or in a table with status and source.
  void read_plain(const std::string& name, const Key& key, const toml::node& node);
  void read_table(const std::string& name, const Key& key, const toml::table& table);
  const toml::node& member(const toml::table& table, const char* name,
                           const std::string& key) const;
  [[nodiscard]] Provenance status_of(const toml::table& table, const std::string& key) const;
  [[nodiscard]] double number_of(const toml::node& node, const std::string& key) const;
  Number take(const char* key);

  int depth_;  // number of files so far, each of which is `like` the next
  Profile profile_;
  std::set<std::string> given_;  // keys that the file has, right or wrong
  std::vector<std::string> faults_;
};

}  // namespace tutti::machine
