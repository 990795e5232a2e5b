// SPDX-License-Identifier: BSD-3-Clause
// Finds the machine information of this process, and packs it for the others.
#include "selection/machine_info.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/number.hpp"

namespace tutti::selection {
namespace {

template <class Read>
auto read_for(const char* variable, const std::string& value, const Read& read) {
  try {
    return read();
  } catch (const base::Error& error) {
    if (value.empty()) throw;
    base::fail(base::Status::bad_environment, "environment variable {} is '{}': {}", variable,
               value, error.what());
  }
}

// Appends a part behind its length: "5:hello".
void add(std::string& packed, std::string_view part) {
  packed += std::to_string(part.size()) + ":";
  packed += part;
}

std::string take(std::string_view& packed) {
  std::size_t size = 0;
  const auto [colon, code] = std::from_chars(packed.data(), packed.data() + packed.size(), size);
  const auto digits = static_cast<std::size_t>(colon - packed.data());
  if (code != std::errc{} || digits + 1 + size > packed.size()) {
    base::fail(base::Status::system_error, "what rank 0 has told of its machine cannot be read");
  }
  std::string part(packed.substr(digits + 1, size));
  packed.remove_prefix(digits + 1 + size);
  return part;
}

Table table_of(const Found& found, const char* variable) {
  const machine::Document& document = found.document;
  if (document.origin.empty()) return {};
  return read_for(variable, found.named,
                  [&] { return parse_table(document.text, document.origin); });
}

// Returns the profile `host` with the rates between hosts of the other one.
machine::Profile translated(const machine::Profile& other) {
  machine::Profile profile = machine::load("host");
  for (const auto& [name, number] : other.more)
    if (name.starts_with("hosts.")) profile.more[name] = number;
  return profile;
}

}  // namespace

MachineInfo machine_info_of_environment() {
  MachineInfo found;
  found.profile.named = base::text(base::Variable::profile).value_or("");
  found.table.named = base::text(base::Variable::table).value_or("");
  found.machine.named = base::text(base::Variable::machine).value_or("");
  found.topology = base::text(base::Variable::machine_topology).value_or("");
  found.profile.document = read_for("TUTTI_PROFILE", found.profile.named, [] {
                             return machine::measured_document();
                           }).value_or(machine::Document{});
  found.other_processor = machine::other_processor(found.profile.document);
  if (!found.table.named.empty()) {
    found.table.document = read_for("TUTTI_TABLE", found.table.named, [&] {
      return machine::read_document(found.table.named, "tuning table");
    });
  }
  if (!found.machine.named.empty())
    found.machine.document = read_for("TUTTI_MACHINE", found.machine.named,
                                      [&] { return machine::document_of(found.machine.named); });
  return found;
}

std::string warning_of(const MachineInfo& machine_info) {
  if (machine_info.other_processor.empty()) return {};
  return fmt::format(
      "{} was measured on another processor ({}), so plans are chosen as without it; run tutti "
      "tune on this machine",
      machine_info.profile.document.origin, machine_info.other_processor);
}

std::string pack(const MachineInfo& machine_info) {
  std::string packed;
  for (const Found* found : {&machine_info.profile, &machine_info.table, &machine_info.machine}) {
    add(packed, found->named);
    add(packed, found->document.origin);
    add(packed, found->document.text);
  }
  add(packed, std::to_string(machine_info.processors));
  add(packed, machine_info.other_processor);
  add(packed, machine_info.topology);
  return packed;
}

MachineInfo unpack_machine_info(std::string_view packed) {
  MachineInfo machine_info;
  for (Found* found : {&machine_info.profile, &machine_info.table, &machine_info.machine}) {
    found->named = take(packed);
    found->document.origin = take(packed);
    found->document.text = take(packed);
  }
  machine_info.processors = base::number_in<int>(take(packed)).value_or(0);
  machine_info.other_processor = take(packed);
  machine_info.topology = take(packed);
  return machine_info;
}

Chooser chooser_of(Policy policy, const MachineInfo& machine_info) {
  if (const Found& described = machine_info.machine; !described.document.origin.empty()) {
    const machine::Machine machine = read_for("TUTTI_MACHINE", described.named, [&] {
      return machine::parse_machine(described.document.text, described.document.origin,
                                    {machine_info.topology});
    });
    std::vector<Table> tables = {table_of(machine_info.table, "TUTTI_TABLE")};
    return Chooser(std::move(policy), machine, std::move(tables));
  }
  std::optional<machine::Profile> profile;
  const machine::Document& document = machine_info.profile.document;
  if (!document.origin.empty()) {
    profile = read_for("TUTTI_PROFILE", machine_info.profile.named,
                       [&] { return machine::parse(document.text, document.origin); });
  }
  std::vector<Table> tables = {table_of(machine_info.table, "TUTTI_TABLE"),
                               table_of(machine_info.profile, "TUTTI_PROFILE")};
  if (profile && !machine_info.other_processor.empty()) {
    profile = translated(*profile);
    tables.pop_back();
  }
  return Chooser(std::move(policy), std::move(profile), std::move(tables), machine_info.processors);
}

}  // namespace tutti::selection
