// SPDX-License-Identifier: BSD-3-Clause
// A machine to simulate: its network, its nodes, how messages are handed over, and what
// synchronising costs. The numbers come from a profile (profile.hpp), each with its source.
//
// A message of m bytes over h links, alone on the machine, arrives
//   alpha + beta * m + hop * h
// after its sender began. In this time its path is taken for held + link_beta * m + hop * h
// (circuits and wormholes), the send port of its sender for send_alpha + send_beta * m, and the
// receive port of its receiver for receive_alpha + receive_beta * m.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/profile.hpp"
#include "machine/topology.hpp"

namespace tutti::machine {

enum class Switching {
  circuit,   // a message takes all links of its path at once and holds them until it has arrived
  wormhole,  // it takes the links one after the other and keeps those it has while it waits for the
             // next
  share_equal,        // all messages move; a link divides its bandwidth equally among those on it
  share_max_min,      // the same, and what a message cannot use is left to the others
  store_and_forward,  // packet by packet, a link serves one packet at a time
  bus                 // one medium for all nodes
};

// How many messages a node moves at a time.
enum class Ports {
  unlimited,  // as many as it has links
  duplex,     // one out and one in
  half,       // one, out or in
  windowed    // one out and one in if both begin within `window` of each other, else one
};

// The way a message is handed over before its path is taken.
enum class Handover {
  eager,      // sent at once; waits in a system buffer if its receive is not posted
  forced,     // sent at once; lost if its receive is not posted, which is an error
  reserve,    // above `threshold` bytes asks for room and waits for the answer, two empty messages
              // over the network
  rendezvous  // above `threshold` bytes waits until its receive is posted
};

// Times in microseconds, sizes in bytes.
struct Network {
  std::shared_ptr<const Topology> topology;
  Switching switching = Switching::circuit;
  double hop = 0;  // per link of the path
  double link_beta =
      0;  // a byte on a link; share modes: the reciprocal of the bandwidth that messages share
  double held = 0;       // part of alpha during which the path is taken already
  double packet = 1024;  // bytes, store_and_forward and bus
  double gap = 0;        // between two messages on a bus
};

struct Node {
  Ports ports = Ports::duplex;
  double window = 0;
  double alpha = 0, beta = 0;
  double send_alpha = 0, send_beta = 0;
  double receive_alpha = 0, receive_beta = 0;
  double gamma_alpha = 0, gamma = 0;  // of combining: once per operand, per byte
  double copy_alpha = 0, copy = 0;    // of copying: once, per byte
  double drift = 0;                   // ranks begin at random times in [0, drift), seeded
  double noise = 0;  // every start-up takes a random part in [0, noise) longer, seeded
};

struct Protocol {
  Handover handover = Handover::eager;
  double threshold = 0;      // bytes
  double request_alpha = 0;  // start-up of a request or an answer (reserve)
};

// Empty where the machine has no such thing.
struct Synchronisation {
  std::optional<double> barrier;            // all ranks; once
  std::optional<double> barrier_dimension;  // and for each dimension of the network
  std::optional<double> pair;               // two ranks before an exchange; once
  std::optional<double> pair_hop;           // and for each link between them
};

// The process that knows the members of dynamic groups (paper 002): every member asks it `queries`
// times before an operation, and it answers one question after the other, each in `service`.
struct GroupServer {
  std::optional<double> queries;
  std::optional<double> service;
};

struct Machine {
  std::string name;
  std::string about;
  Network network;
  Node node;
  Protocol protocol;
  Synchronisation synchronisation;
  GroupServer group_server;
  // Every number above with its source and status: those of the file, and those that follow from
  // them (status derived) or are nothing because the file is silent (status assumed).
  Profile profile;
};

// A size that a caller chooses: the machine with another network.
struct Size {
  std::string topology;  // as parse_topology reads it; empty: that of the file
};

// `origin` is the path of the file; "graph:NAME" is looked for beside it, and "graph:" is its own
// table [graph]. Throws Error(invalid_argument) that names origin, line, key and what is wrong.
[[nodiscard]] Machine parse_machine(std::string_view toml, const std::string& origin,
                                    const Size& size = {});

// By name or alias, else by path. Throws Error(invalid_argument).
[[nodiscard]] Machine load_machine(const std::string& name_or_path, const Size& size = {});

// The profiles that describe a whole machine, sorted.
[[nodiscard]] std::vector<std::string> builtin_machines();

[[nodiscard]] const char* to_text(Switching switching);
[[nodiscard]] const char* to_text(Ports ports);
[[nodiscard]] const char* to_text(Handover handover);

// Returns the time of a message of `bytes` over `links` links, alone on the machine and with its
// receive posted. Switching in packets repeats a packet on every link, and a request that must be
// answered comes on top.
[[nodiscard]] double alone(const Machine& machine, double bytes, int links);

}  // namespace tutti::machine
