// SPDX-License-Identifier: BSD-3-Clause
#include "bsp_model/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/processors.hpp"
#include "bsp_model/machine_rates.hpp"
#include "bsp_model/thesis.hpp"
#include "machine/host.hpp"
#include "machine/machine.hpp"

namespace tutti::tools {
namespace {

std::optional<std::size_t> access_of(const std::string& name) {
  for (std::size_t i = 0; i < access_names.size(); ++i) {
    if (access_names[i] == name) return i;
  }
  return std::nullopt;
}

// The figures of each kind of access that a source has.
class Found {
 public:
  void add(const std::string& access, const Gap& gap, Surface surface = {}) {
    const auto i = access_of(access);
    if (!i) return;
    gaps_[*i] = gap;
    surfaces_[*i] = std::move(surface);
  }
  void add_own(const std::string& access, Surface surface) {
    if (const auto i = access_of(access)) own_[*i] = std::move(surface);
  }
  [[nodiscard]] bool empty() const {
    return std::ranges::none_of(gaps_, [](const auto& gap) { return gap.has_value(); });
  }
  // Gives the machine the figures of --access for all kinds, or of each kind its own. If a source
  // lacks the buffered or the direct variant of an access, the other variant serves, and messages
  // serve for an exchange.
  void choose(const MachineRequest& request, BspMachine& machine) const {
    const bool each = request.access == "each";
    ByAccess<Gap> gaps;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      const std::size_t from = !each ? access_of(request.access).value_or(0) : gaps_[i] ? i : i ^ 1;
      if (!gaps_[from])
        base::fail(base::Status::invalid_argument, "there are no figures for {}, {}, of '{}'",
                   access_names[each ? i : from], request.pattern, request.name);
      gaps[i] = *gaps_[from];
      machine.surfaces[i] = surfaces_[from];
      machine.own[i] = own_[from];
    }
    machine.gap = gaps[0];
    if (each) machine.gaps = gaps;
  }

 private:
  ByAccess<std::optional<Gap>> gaps_;
  ByAccess<Surface> surfaces_, own_;
};

Subject thesis_machine(const MachineRequest& request) {
  const std::vector<std::string> words = fields_of(request.name, '/');
  const ThesisRun run{words[0], words[1], words[2]};
  Subject subject;
  subject.processes = base::number_in<int>(run.processes).value_or(0);
  if (const auto latencies = thesis_latencies(run)) {
    subject.machine.l = (*latencies)[0];
    subject.machine.l_busy = (*latencies)[request.pattern == "random" ? 1 : 2];
  }
  Found found;
  for (const char* access : access_names) {
    const auto printed = thesis_gap(run, request.pattern, access);
    if (!printed) continue;
    Gap gap;
    static_cast<BSPWrapper::BSPGap&>(gap) = *printed;
    found.add(access, gap);
  }
  if (found.empty())
    base::fail(base::Status::invalid_argument, "the thesis has no figures of '{}', but of {}",
               request.name, fmt::join(thesis_names(run.machine), "; "));
  found.choose(request, subject.machine);
  return subject;
}

// Tells whether the name is that of a machine file rather than of one of tutti probe.
bool is_machine_file(const std::string& name) {
  const std::vector<std::string> known = machine::builtin_machines();
  return name.ends_with(".toml") || std::ranges::find(known, name) != known.end();
}

Subject described_machine(const MachineRequest& request) {
  if (request.processes == 0)
    base::fail(base::Status::invalid_argument, "--machine {} needs --processes", request.name);
  return {.machine = bsp_machine_of(machine::load_machine(request.name), request.processes),
          .processes = request.processes};
}

// The probe times whole supersteps, so its samples include the l that (2.4) adds to g(h) h. This
// function subtracts l.
Gap without_latency(Gap gap, double l) {
  gap.h_half = std::max(0.0, gap.h_half - l / gap.g_inf);
  return gap;
}

nlohmann::json read_machine(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) base::fail(base::Status::system_error, "cannot read '{}'", file);
  nlohmann::json json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_object() || !json.contains("l") || !json.contains("g")) {
    base::fail(base::Status::invalid_argument, "'{}' was not written by tutti probe --output",
               file);
  }
  return json;
}

Surface surface_of(const nlohmann::json& entry, double l) {
  std::vector<GapSample> samples;
  for (const auto& sample : entry.value("samples", nlohmann::json::array()))
    samples.push_back({sample.at(0), sample.at(1), sample.at(2)});
  return {samples, l};
}

// The surface is over seconds of computation, in the place of words, and processes that compute.
Surface sharing_of(const nlohmann::json& entries, double l) {
  std::vector<GapSample> samples;
  for (const auto& entry : entries) {
    const double active = entry.at(0), seconds = entry.at(1), time = entry.at(2);
    samples.push_back({seconds, active, time / (seconds * active)});
  }
  return {samples, l};
}

// A complete exchange has no other pattern.
bool is_wanted(const nlohmann::json& entry, const MachineRequest& request) {
  return entry.value("pattern", "") == request.pattern || entry.value("access", "") == "exchange";
}

Subject probed_machine(const MachineRequest& request) {
  const nlohmann::json json = read_machine(request.name);
  Subject subject;
  subject.is_probed = true;
  BspMachine& machine = subject.machine;
  Found found;
  machine.l = json["l"].value("no communication", 0.0);
  machine.l_busy =
      json["l"].value(request.pattern == "random" ? "cyclic shift" : "all-to-all", 0.0);
  machine.processors = json.value("processors", 0);
  machine.sharing = sharing_of(json.value("w", nlohmann::json::array()), machine.l);
  subject.processes = json.value("processes", 0);
  for (const auto& entry : json["g"]) {
    const std::string access = entry.value("access", "");
    if (entry.value("pattern", "") == "own") found.add_own(access, surface_of(entry, machine.l));
    Gap gap;
    gap.g_inf = entry.value("g_inf", 0.0);
    gap.h_half = entry.value("h_half", 0.0);
    gap.overhead = entry.value("o", 0.0);
    if (is_wanted(entry, request) && gap.g_inf > 0)
      found.add(access, without_latency(gap, machine.l), surface_of(entry, machine.l));
  }
  found.choose(request, machine);
  for (const auto& doubt : json.value("not_usable", nlohmann::json::array()))
    subject.doubts.push_back(fmt::format("{}: {}", request.name, doubt.get<std::string>()));
  return subject;
}

// Replaces parameters by numbers from the command line, which apply to all kinds of access.
void replace_numbers(const MachineRequest& request, BspMachine& machine) {
  machine.speed = request.speed;
  if (request.g || request.h_half || request.overhead) {
    machine.gaps.reset();
    machine.surfaces = machine.own = {};
  }
  if (request.g) machine.gap.g_inf = *request.g * 1e-9;
  if (request.l) machine.l = machine.l_busy = *request.l * 1e-6;
  if (request.h_half) machine.gap.h_half = *request.h_half;
  if (request.overhead) machine.gap.overhead = *request.overhead;
}

}  // namespace

Subject subject_of(const MachineRequest& request) {
  const bool named = std::ranges::count(request.name, '/') == 2 &&
                     fields_of(request.name, '/').size() == 3 && !std::ifstream(request.name);
  Subject subject;
  if (named) {
    subject = thesis_machine(request);
  } else if (is_machine_file(request.name)) {
    subject = described_machine(request);
  } else if (!request.name.empty()) {
    subject = probed_machine(request);
  }
  replace_numbers(request, subject.machine);
  return subject;
}

Subject host_subject(int processes) {
  const std::optional<machine::Profile> measured = machine::measured_profile();
  const machine::Profile host = measured ? *measured : machine::load("host");
  Subject subject{.machine = bsp_machine_of(host.alpha.value, host.beta.value, processes),
                  .processes = processes};
  subject.machine.processors = static_cast<int>(base::usable_cpus());
  return subject;
}

}  // namespace tutti::tools
