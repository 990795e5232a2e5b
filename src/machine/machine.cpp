// SPDX-License-Identifier: BSD-3-Clause
// Builds machines from profiles: reads the file's numbers, derives others from them, and checks
// that the machine can be simulated.
#include "machine/machine.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.hpp"
#include "machine/builtin.hpp"
#include "machine/graph_file.hpp"
#include "machine/machine_words.hpp"
#include "machine/profile_reader.hpp"
#include "machine/suggestion.hpp"

namespace tutti::machine {
namespace {

constexpr double least_packet = 1;
// Tolerance for rounded numbers in files; a relative difference of 1e-9 is no contradiction.
constexpr double rounding = 1 + 1e-9;

class MachineBuilder {
 public:
  MachineBuilder(std::string_view text, const std::string& origin, const Size& size)
      : text_(text), origin_(origin), size_(size), profile_(parse(text, origin)) {}

  Machine build() {
    machine_.name = profile_.name;
    machine_.about = profile_.about;
    std::vector<std::string> faults;
    const auto collecting = [&](auto part) {
      try {
        part();
      } catch (const base::Error& fault) {
        faults.emplace_back(fault.what());
      }
    };
    collecting([&] { machine_.network.topology = topology(); });
    collecting([&] { node(); });
    collecting([&] { network(); });
    collecting([&] { protocol(); });
    if (faults.empty()) collecting([&] { check_network(); });
    if (!faults.empty()) base::fail(base::Status::invalid_argument, "{}", fmt::join(faults, "\n"));
    machine_.synchronisation = {given("synchronisation.barrier"),
                                given("synchronisation.barrier_dimension"),
                                given("synchronisation.pair"), given("synchronisation.pair_hop")};
    machine_.library = {given("library.call")};
    machine_.group_server = {given("group_server.queries"), given("group_server.service")};
    machine_.profile = std::move(profile_);
    return std::move(machine_);
  }

 private:
  void node() {
    Node& node = machine_.node;
    node.alpha = profile_.alpha.value;
    node.beta = profile_.beta.value;
    node.gamma = profile_.gamma.value;
    node.ports = word("node.ports", Ports::duplex);
    node.window = node.ports == Ports::windowed ? needed("node.window", "node.ports is windowed")
                                                : silent("node.window");
    node.send_alpha = number("node.send_alpha", node.alpha, "alpha");
    node.send_beta = number("node.send_beta", node.beta, "beta");
    node.receive_alpha = number("node.receive_alpha", node.alpha, "alpha");
    node.receive_beta = number("node.receive_beta", node.beta, "beta");
    node.gamma_alpha = silent("node.gamma_alpha");
    node.copy_alpha = silent("node.copy_alpha");
    node.copy = silent("node.copy");
    node.drift = silent("node.drift");
    node.noise = silent("node.noise");
  }

  void network() {
    Network& network = machine_.network;
    if (profile_.words.find("network.switching") == profile_.words.end())
      reject(origin_, 0,
             "network.switching is missing; in [network] write switching = \"circuit\" or another "
             "of tutti-machine(5)");
    network.switching = word("network.switching", Switching::circuit);
    network.hop = silent("network.hop");
    network.held = silent("network.held");
    network.gap = silent("network.gap");
    network.packet = otherwise("network.packet", machine_.network.packet, Provenance::assumed,
                               "the file is silent");
    network.link_beta = link_beta();
  }

  std::shared_ptr<const Topology> topology() {
    if (!size_.topology.empty()) {
      profile_.words["network.topology"] = {size_.topology, Provenance::assumed,
                                            "chosen for this machine by the caller"};
      return parse_topology(size_.topology);
    }
    const auto found = profile_.words.find("network.topology");
    if (found == profile_.words.end())
      reject(origin_, 0,
             "network.topology is missing, so this is no machine to simulate; in [network] write "
             "topology = \"mesh:4x8\", or choose a topology");
    const std::string& name = found->second.value;
    if (name == "graph:") return parse_graph(text_, origin_, "graph:" + origin_);
    if (!name.starts_with("graph:")) return topology_at(found->second, origin_);
    const std::filesystem::path file = name.substr(name.find(':') + 1);
    return load_graph((std::filesystem::path(origin_).parent_path() / file).string());
  }

  bool shares() const {
    const Switching switching = machine_.network.switching;
    return switching == Switching::share_equal || switching == Switching::share_max_min;
  }

  double link_beta() {
    const double beta = machine_.node.beta, kappa = profile_.kappa.value;
    if (std::isfinite(kappa)) return number("network.link_beta", beta / kappa, "beta / kappa");
    if (shares()) return needed("network.link_beta", "messages share links and kappa is inf");
    return number("network.link_beta", beta, "beta");
  }

  void check_network() const {
    const Network& network = machine_.network;
    const double kappa = profile_.kappa.value;
    if (shares() && network.link_beta == 0)
      complain("network.link_beta",
               "is 0, but messages share links; give the reciprocal of a link's bandwidth");
    if (std::isfinite(kappa) &&
        std::abs(network.link_beta * kappa - machine_.node.beta) > .01 * machine_.node.beta)
      complain("network.link_beta",
               "contradicts kappa, which is beta / link_beta; give one of them, and kappa = inf if "
               "it is link_beta");
    if (network.link_beta > machine_.node.beta * rounding)
      complain("network.link_beta",
               "is more than beta, but a message is not faster than its links");
    if (network.held > machine_.node.alpha * rounding)
      complain("network.held", "is more than alpha, of which it is a part");
    if (network.packet < least_packet) complain("network.packet", "is less than one byte");
  }

  void protocol() {
    Protocol& protocol = machine_.protocol;
    protocol.handover = word("protocol.handover", Handover::eager);
    protocol.threshold = silent("protocol.threshold");
    protocol.request_alpha = number("protocol.request_alpha", machine_.node.alpha, "alpha");
  }

  [[noreturn]] void complain(const char* key, const char* what) const {
    const auto found = profile_.more.find(key);
    reject(origin_, found == profile_.more.end() ? 0 : found->second.line, "{} {}", key, what);
  }

  std::optional<double> given(const char* key) const {
    const auto found = profile_.more.find(key);
    if (found == profile_.more.end()) return std::nullopt;
    return found->second.value;
  }

  double otherwise(const char* key, double value, Provenance status, const char* source) {
    return profile_.more.try_emplace(key, Number{value, status, source}).first->second.value;
  }
  double number(const char* key, double value, const char* source) {
    return otherwise(key, value, Provenance::derived, source);
  }
  double silent(const char* key) {
    return otherwise(key, 0, Provenance::assumed, "the file is silent");
  }

  double needed(const char* key, const char* why) const {
    const auto value = given(key);
    if (!value)
      reject(origin_, 0, "{} is missing, but {}; write {} = 1.0 with the right number", key, why,
             std::string_view(key).substr(std::string_view(key).find('.') + 1));
    return *value;
  }

  template <class Enum>
  Enum word(const char* key, Enum fallback) {
    const auto names = words_of(fallback);
    const auto said = profile_.words.find(key);
    if (said == profile_.words.end()) {
      profile_.words[key] = {to_text(fallback), Provenance::assumed, "the file is silent"};
      return fallback;
    }
    const auto found = std::find(names.begin(), names.end(), said->second.value);
    if (found == names.end())
      reject(origin_, said->second.line, "{} is '{}'{}", key, said->second.value,
             suggestion(said->second.value, names));
    return static_cast<Enum>(found - names.begin());
  }

  std::string_view text_;
  const std::string& origin_;
  const Size& size_;
  Profile profile_;
  Machine machine_;
};

}  // namespace

Machine parse_machine(std::string_view toml, const std::string& origin, const Size& size) {
  return MachineBuilder(toml, origin, size).build();
}

Machine load_machine(const std::string& name, const Size& size) {
  const Document found = document_of(name);
  return parse_machine(found.text, found.origin, size);
}

std::vector<std::string> builtin_machines() {
  std::vector<std::string> names = builtin_profiles();
  std::erase_if(names, [](const std::string& name) {
    return load(name).words.count("network.topology") == 0;
  });
  return names;
}

double alone(const Machine& machine, double bytes, int links) {
  const Network& network = machine.network;
  const Protocol& protocol = machine.protocol;
  double time = machine.node.alpha + machine.node.beta * bytes + network.hop * links;
  if (network.switching == Switching::store_and_forward && links > 1)
    time += (links - 1) * network.link_beta * std::min(bytes, network.packet);
  if (protocol.handover == Handover::reserve && bytes > protocol.threshold)
    time += 2 * (protocol.request_alpha + network.hop * links);
  return time;
}

}  // namespace tutti::machine
