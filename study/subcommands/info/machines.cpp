// SPDX-License-Identifier: BSD-3-Clause
// Prints machines as tables and as JSON.
#include "info/machines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "machine/keys.hpp"
#include "machine/machine.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

using machine::Machine;
using machine::Number;
using machine::Profile;
using machine::Provenance;

// One line of the description of a machine.
struct Fact {
  std::string key;
  std::string value;
  std::string unit;
  Provenance status;
  std::string source;
  std::string about;
};

// Loads a profile. If it describes a network, the profile includes the defaults that a simulation
// uses; otherwise only what the file has.
Profile complete(const std::string& name) {
  Profile profile = machine::load(name);
  if (profile.words.count("network.topology") == 0) return profile;
  return machine::load_machine(name).profile;
}

Fact fact_of(const std::string& key, const Number& number) {
  const machine::Key* const known = machine::find_key(key);
  return {key,
          fmt::format("{}", number.value),
          known == nullptr ? "" : machine::unit_of(known->kind),
          number.status,
          number.source,
          known == nullptr ? "" : std::string(known->about)};
}

std::vector<Fact> facts(const Profile& profile) {
  std::vector<Fact> all = {fact_of("alpha", profile.alpha), fact_of("beta", profile.beta),
                           fact_of("gamma", profile.gamma), fact_of("kappa", profile.kappa)};
  for (const machine::Key& key : machine::known_keys()) {
    const std::string name(key.name);
    if (const auto word = profile.words.find(name); word != profile.words.end())
      all.push_back({name, word->second.value, "", word->second.status, word->second.source,
                     std::string(key.about)});
    if (const auto number = profile.more.find(name); number != profile.more.end())
      all.push_back(fact_of(name, number->second));
  }
  for (const auto& [name, number] : profile.more) {
    const machine::Key* const known = machine::find_key(name);
    if (known == nullptr || known->name != name)
      all.push_back(fact_of(name, number));  // one number of a family
  }
  return all;
}

std::string with_status(const Number& number) {
  return fmt::format("{:.4g} {}", number.value, to_text(number.status));
}

// JSON has no infinity, so a text stands for it.
nlohmann::json number_json(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

nlohmann::json summary(const char* name, const Number& number) {
  return {{"value", number_json(number.value)},
          {"unit", machine::unit_of(machine::find_key(name)->kind)},
          {"status", to_text(number.status)}};
}

}  // namespace

void print_machines() {
  Table table(
      "machine<20; topology<24; switching<18; alpha us<16; beta us a byte<20; gamma us a byte<0");
  for (const std::string& name : machine::builtin_machines()) {
    const Machine machine = machine::load_machine(name);
    const Profile& profile = machine.profile;
    table.add({name, profile.words.at("network.topology").value, to_text(machine.network.switching),
               with_status(profile.alpha), with_status(profile.beta), with_status(profile.gamma)});
  }
  fmt::print("\n{}", table.text());
}

nlohmann::json machines_json() {
  nlohmann::json out = nlohmann::json::array();
  for (const std::string& name : machine::builtin_machines()) {
    const Machine machine = machine::load_machine(name);
    const Profile& profile = machine.profile;
    out.push_back({{"name", name},
                   {"aliases", profile.aliases},
                   {"about", machine.about},
                   {"nodes", machine.network.topology->nodes()},
                   {"topology", profile.words.at("network.topology").value},
                   {"switching", to_text(machine.network.switching)},
                   {"alpha", summary("alpha", profile.alpha)},
                   {"beta", summary("beta", profile.beta)},
                   {"gamma", summary("gamma", profile.gamma)},
                   {"kappa", summary("kappa", profile.kappa)}});
  }
  return out;
}

namespace {

// TOML escapes quotes and backslashes, and knows no control characters.
std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string section_of(const std::string& key) {
  const std::size_t dot = key.find('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

std::string line_of(const Fact& fact, const Profile& profile) {
  const std::string section = section_of(fact.key);
  const std::string key = section.empty() ? fact.key : fact.key.substr(section.size() + 1);
  const bool word = profile.words.count(fact.key) > 0;
  return fmt::format("# {}{}{}\n{} = {{value = {}, status = \"{}\", source = {}}}\n", fact.about,
                     fact.unit.empty() ? "" : ", ", fact.unit, key,
                     word ? quoted(fact.value) : fact.value, to_text(fact.status),
                     quoted(fact.source));
}

}  // namespace

std::string machine_toml(const std::string& name) {
  const Profile profile = complete(name);
  const auto network = profile.words.find("network.topology");
  if (network != profile.words.end() && network->second.value.starts_with("graph:"))
    base::fail(base::Status::invalid_argument,
               "the network of {} is a graph, which stands in its file only: copy the file", name);
  std::string text = fmt::format(
      "# A machine file: see tutti-machine(5). Times are in microseconds, sizes in bytes. A number "
      "may stand\n# alone, as in alpha = 40.0; its status is then \"assumed\". Give the machine a "
      "name of your own.\nname = {}\nabout = {}\n",
      quoted(profile.name), quoted(profile.about));
  if (!profile.mesh.empty() && profile.words.count("network.topology") == 0)
    text += fmt::format("mesh = [{}]\n", fmt::join(profile.mesh, ", "));
  std::vector<std::string> sections = {""};
  const std::vector<Fact> all = facts(profile);
  for (const Fact& fact : all)
    if (std::find(sections.begin(), sections.end(), section_of(fact.key)) == sections.end())
      sections.push_back(section_of(fact.key));
  for (const std::string& section : sections) {
    text += section.empty() ? "\n" : fmt::format("\n[{}]\n", section);
    for (const Fact& fact : all)
      if (section_of(fact.key) == section) text += line_of(fact, profile);
  }
  return text;
}

void print_machine(const std::string& name) {
  const Profile profile = complete(name);
  fmt::print("{}: {}\n", profile.name, profile.about);
  for (const Fact& fact : facts(profile)) {
    fmt::print("\n{} = {}{}{} ({})\n    {}\n    source: {}\n", fact.key, fact.value,
               fact.unit.empty() ? "" : " ", fact.unit, to_text(fact.status), fact.about,
               fact.source);
  }
}

nlohmann::json machine_json(const std::string& name) {
  const Profile profile = complete(name);
  nlohmann::json out = {
      {"name", profile.name}, {"aliases", profile.aliases}, {"about", profile.about}};
  for (const Fact& fact : facts(profile)) {
    const auto word = profile.words.find(fact.key);
    nlohmann::json entry = {{"name", fact.key},
                            {"unit", fact.unit},
                            {"status", to_text(fact.status)},
                            {"source", fact.source},
                            {"about", fact.about}};
    entry["value"] = word == profile.words.end() ? number_json(std::stod(fact.value))
                                                 : nlohmann::json(fact.value);
    out["parameters"].push_back(std::move(entry));
  }
  return out;
}

}  // namespace tutti::tools
