// SPDX-License-Identifier: BSD-3-Clause
// Texts for messages, links and contentions (text.hpp).
#include "simulate/text.hpp"

#include <fmt/format.h>

namespace tutti::simulate {

std::string to_text(const Name& name, const JobHosts& hosts) {
  return fmt::format("{}->{} (phase {}, round {})", hosts.name_of(name.from),
                     hosts.name_of(name.to), name.phase, name.step);
}

std::string link_text(const machine::Machine& machine, int link) {
  if (machine.network.switching == machine::Switching::bus) return "the medium";
  const machine::Topology& topology = *machine.network.topology;
  if (link >= topology.links()) return "a port";
  return "link " + machine::to_text(topology, topology.link_at(link));
}

std::string to_text(const Contention& contention, const machine::Machine& machine) {
  const machine::Topology& topology = *machine.network.topology;
  const auto label = [&](const Name& name) {
    return fmt::format("{}->{}", topology.label(name.from), topology.label(name.to));
  };
  return fmt::format("step {}, {}: message {} waited {:.6g} us for {}", contention.blocked.step,
                     link_text(machine, contention.link), label(contention.blocked),
                     contention.wait, label(contention.blocking));
}

}  // namespace tutti::simulate
