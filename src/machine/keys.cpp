// SPDX-License-Identifier: BSD-3-Clause
// The table of keys.
#include "machine/keys.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::machine {
namespace {

// Far beyond any machine, but small enough that sums of many do not overflow.
constexpr double most_time = 1e9, most_bytes = 1e15;

constexpr Key keys[] = {
    {"alpha", ValueKind::time, "start-up of a message"},
    {"beta", ValueKind::per_byte, "a byte of a message"},
    {"gamma", ValueKind::per_byte, "combining a byte"},
    {"kappa", ValueKind::ratio, "bandwidth of a link over that of a node"},
    {"wake", ValueKind::time, "waking a sleeping process"},
    {"network.topology", ValueKind::word, "which nodes are linked"},
    {"network.switching", ValueKind::word, "what a message does to the links of its path"},
    {"network.hop", ValueKind::time, "each link of the path"},
    {"network.link_beta", ValueKind::per_byte, "a byte on a link"},
    {"network.held", ValueKind::time, "part of alpha during which the path is taken already"},
    {"network.packet", ValueKind::bytes, "a packet"},
    {"network.gap", ValueKind::time, "between two messages on a bus"},
    {"node.ports", ValueKind::word, "how many messages a node moves at a time"},
    {"node.window", ValueKind::time,
     "the most between two beginnings that go on together, ports windowed"},
    {"node.send_alpha", ValueKind::time, "the sender's port, for a message"},
    {"node.send_beta", ValueKind::per_byte, "the sender's port, for a byte"},
    {"node.receive_alpha", ValueKind::time, "the receiver's port, for a message"},
    {"node.receive_beta", ValueKind::per_byte, "the receiver's port, for a byte"},
    {"node.gamma_alpha", ValueKind::time, "combining, for an operand"},
    {"node.copy_alpha", ValueKind::time, "a copy"},
    {"node.copy", ValueKind::per_byte, "copying a byte"},
    {"node.drift", ValueKind::time, "ranks begin at random up to so much later"},
    {"node.noise", ValueKind::time, "start-ups take at random up to so much longer"},
    {"protocol.handover", ValueKind::word, "what happens to a message before its path is taken"},
    {"protocol.threshold", ValueKind::bytes, "longer messages ask first"},
    {"protocol.request_alpha", ValueKind::time, "start-up of a request or an answer"},
    {"synchronisation.barrier", ValueKind::time, "a barrier of all ranks"},
    {"synchronisation.barrier_dimension", ValueKind::time, "and for each dimension of the network"},
    {"synchronisation.pair", ValueKind::time, "two ranks before an exchange"},
    {"synchronisation.pair_hop", ValueKind::time, "and for each link between them"},
    {"hosts.alpha", ValueKind::time,
     "start-up of a message to another host, where alpha is that of shared memory"},
    {"hosts.beta", ValueKind::per_byte, "a byte of such a message"},
    {"shared_memory.written", ValueKind::per_byte, "a byte copied into shared memory"},
    {"shared_memory.read", ValueKind::per_byte, "a byte copied out of it"},
    {"shared_memory.combined", ValueKind::per_byte, "combining a byte of one more operand there"},
    {"shared_memory.copied", ValueKind::per_byte, "copying a byte within a process"},
    {"shared_memory.message", ValueKind::time,
     "a message, for each rank that sends or receives it"},
    {"shared_memory.line", ValueKind::time, "a round, if each rank has a processor"},
    {"shared_memory.wait", ValueKind::time,
     "a rank's wait for a message, if ranks share processors"},
    {"shared_memory.round", ValueKind::time, "a round, if ranks share processors"},
    {"library.call", ValueKind::time, "a call of the library, before its first message"},
    {"group_server.queries", ValueKind::count,
     "questions of a member, for an operation on a dynamic group"},
    {"group_server.service", ValueKind::time,
     "the server, for a question; it answers one after the other"},
};

constexpr std::string_view families[] = {"alpha_",     "beta_",       "gamma_", "blacs_alpha",
                                         "blacs_beta", "blacs_gamma", "copy_",  "combine_"};
constexpr Key family_key{"", ValueKind::time,
                         "of a placement, a range of sizes or another library"};

constexpr std::string_view section_names[] = {"network",         "node",        "protocol",
                                              "synchronisation", "hosts",       "shared_memory",
                                              "library",         "group_server"};

}  // namespace

std::span<const Key> known_keys() {
  return keys;
}

const Key* find_key(std::string_view name) {
  const auto* const found = std::find_if(std::begin(keys), std::end(keys),
                                         [&](const Key& key) { return key.name == name; });
  if (found != std::end(keys)) return found;
  const bool related =
      std::any_of(std::begin(families), std::end(families),
                  [&](std::string_view family) { return name.starts_with(family); });
  return related ? &family_key : nullptr;
}

std::span<const std::string_view> sections() {
  return section_names;
}

std::optional<std::string> complaint(ValueKind kind, double value) {
  if (kind == ValueKind::ratio) {
    if (value > 0) return std::nullopt;
    return "a ratio of bandwidths is above 0, or inf";
  }
  const double most = kind == ValueKind::bytes || kind == ValueKind::count ? most_bytes : most_time;
  if (value >= 0 && value <= most && (kind != ValueKind::count || std::floor(value) == value))
    return std::nullopt;
  if (kind == ValueKind::count) return "a number of questions is whole and not negative";
  if (kind == ValueKind::bytes) return "a size in bytes is from 0 to 1e15";
  return "a cost in microseconds is from 0 to 1e9";
}

const char* unit_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::time:
      return "us";
    case ValueKind::per_byte:
      return "us a byte";
    case ValueKind::bytes:
      return "bytes";
    default:
      return "";
  }
}

}  // namespace tutti::machine
