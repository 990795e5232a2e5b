// SPDX-License-Identifier: BSD-3-Clause
// The table of keys.
#include "machine/keys.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::machine {
namespace {

// Far beyond any machine, and small enough that sums of many do not overflow.
constexpr double most_time = 1e9, most_bytes = 1e15;

constexpr Key keys[] = {
    {"alpha", Kind::time, "start-up of a message"},
    {"beta", Kind::per_byte, "a byte of a message"},
    {"gamma", Kind::per_byte, "combining a byte"},
    {"kappa", Kind::ratio, "bandwidth of a link over that of a node"},
    {"wake", Kind::time, "waking a sleeping process"},
    {"network.topology", Kind::word, "which nodes are linked"},
    {"network.switching", Kind::word, "what a message does to the links of its path"},
    {"network.hop", Kind::time, "each link of the path"},
    {"network.link_beta", Kind::per_byte, "a byte on a link"},
    {"network.held", Kind::time, "part of alpha during which the path is taken already"},
    {"network.packet", Kind::bytes, "a packet"},
    {"network.gap", Kind::time, "between two messages on a bus"},
    {"node.ports", Kind::word, "how many messages a node moves at a time"},
    {"node.window", Kind::time,
     "the most between two beginnings that go on together, ports windowed"},
    {"node.send_alpha", Kind::time, "the sender's port, for a message"},
    {"node.send_beta", Kind::per_byte, "the sender's port, for a byte"},
    {"node.receive_alpha", Kind::time, "the receiver's port, for a message"},
    {"node.receive_beta", Kind::per_byte, "the receiver's port, for a byte"},
    {"node.gamma_alpha", Kind::time, "combining, for an operand"},
    {"node.copy_alpha", Kind::time, "a copy"},
    {"node.copy", Kind::per_byte, "copying a byte"},
    {"node.drift", Kind::time, "ranks begin at random up to so much later"},
    {"node.noise", Kind::time, "start-ups take at random up to so much longer"},
    {"protocol.handover", Kind::word, "what happens to a message before its path is taken"},
    {"protocol.threshold", Kind::bytes, "longer messages ask first"},
    {"protocol.request_alpha", Kind::time, "start-up of a request or an answer"},
    {"synchronisation.barrier", Kind::time, "a barrier of all ranks"},
    {"synchronisation.barrier_dimension", Kind::time, "and for each dimension of the network"},
    {"synchronisation.pair", Kind::time, "two ranks before an exchange"},
    {"synchronisation.pair_hop", Kind::time, "and for each link between them"},
    {"hosts.alpha", Kind::time,
     "start-up of a message to another host, where alpha is that of shared memory"},
    {"hosts.beta", Kind::per_byte, "a byte of such a message"},
    {"group_server.queries", Kind::count,
     "questions of a member, for an operation on a dynamic group"},
    {"group_server.service", Kind::time,
     "the server, for a question; it answers one after the other"},
};

constexpr std::string_view families[] = {"alpha_",     "beta_",       "gamma_", "blacs_alpha",
                                         "blacs_beta", "blacs_gamma", "copy_",  "combine_"};
constexpr Key family_key{"", Kind::time, "of a placement, a range of sizes or another library"};

constexpr std::string_view section_names[] = {"network",         "node",  "protocol",
                                              "synchronisation", "hosts", "group_server"};

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

std::optional<std::string> complaint(Kind kind, double value) {
  if (kind == Kind::ratio) {
    if (value > 0) return std::nullopt;
    return "a ratio of bandwidths is above 0, or inf";
  }
  const double most = kind == Kind::bytes || kind == Kind::count ? most_bytes : most_time;
  if (value >= 0 && value <= most && (kind != Kind::count || std::floor(value) == value))
    return std::nullopt;
  if (kind == Kind::count) return "a number of questions is whole and not negative";
  if (kind == Kind::bytes) return "a size in bytes is from 0 to 1e15";
  return "a cost in microseconds is from 0 to 1e9";
}

const char* unit_of(Kind kind) {
  switch (kind) {
    case Kind::time:
      return "us";
    case Kind::per_byte:
      return "us a byte";
    case Kind::bytes:
      return "bytes";
    default:
      return "";
  }
}

}  // namespace tutti::machine
