// SPDX-License-Identifier: BSD-3-Clause
// A machine to simulate: its network, its nodes, how messages are handed over, and the cost of
// synchronisation. The numbers come from a profile (profile.hpp), each with its source.
//
// A message of m bytes over h links, alone on the machine, arrives
//   alpha + beta * m + hop * h
// after its sender began. It occupies its path for
//   held + link_beta * m + hop * h (circuits and wormholes).
// It occupies the send port of its sender for send_alpha + send_beta * m, and the receive port of
// its receiver for receive_alpha + receive_beta * m.
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
  circuit,  // a message takes all links of its path at once and holds them until it has arrived
  // Like circuit, but a message takes its links one after the other and keeps them while it waits
  // for the next.
  circuit_by_links,
  // Like circuit_by_links, but bytes follow the head at once, so the sender is done sooner.
  wormhole,
  share_equal,  // all messages move; a link divides its bandwidth equally among those on it
  // Like share_equal, but bandwidth that a message cannot use goes to the others.
  share_max_min,
  store_and_forward,  // packet by packet; a link serves one packet at a time
  bus                 // all nodes share one medium
};

// A message has links of its own, all of them from the beginning or one after the other.
[[nodiscard]] constexpr bool takes_links(Switching switching) {
  return switching == Switching::circuit || switching == Switching::circuit_by_links ||
         switching == Switching::wormhole;
}
[[nodiscard]] constexpr bool takes_link_by_link(Switching switching) {
  return switching == Switching::circuit_by_links || switching == Switching::wormhole;
}
// Bytes move only when the whole path is set up, so the sender is busy for as long as that takes.
[[nodiscard]] constexpr bool sets_up_path(Switching switching) {
  return switching == Switching::circuit || switching == Switching::circuit_by_links;
}

// How many messages a node sends or receives at a time.
enum class Ports {
  unlimited,  // one for each link
  duplex,     // one out and one in
  half,       // one, out or in
  windowed    // one out and one in if both begin within `window`, else only one
};

// The way a message is handed over before its path is taken.
enum class Handover {
  eager,   // sent at once; stored in a system buffer if its receive is not posted
  forced,  // sent at once; lost if its receive is not posted, which is an error
  // Above `threshold` bytes, the sender asks for room and waits for the answer: two empty messages
  // over the network.
  reserve,
  rendezvous  // above `threshold` bytes, waits until its receive is posted
};

// The properties of the network. Times are in microseconds, sizes in bytes.
struct Network {
  std::shared_ptr<const Topology> topology;
  Switching switching = Switching::circuit;
  double hop = 0;  // time per link of the path
  // Time per byte on a link. In the share modes, it is the reciprocal of the bandwidth that
  // messages share.
  double link_beta = 0;
  double held = 0;       // part of alpha during which the path is already taken
  double packet = 1024;  // bytes; for store_and_forward and bus
  double gap = 0;        // time between two messages on a bus
};

struct Node {
  Ports ports = Ports::duplex;
  double window = 0;
  double alpha = 0, beta = 0;
  double send_alpha = 0, send_beta = 0;
  double receive_alpha = 0, receive_beta = 0;
  double gamma_alpha = 0, gamma = 0;  // combining: once per operand, and per byte
  double copy_alpha = 0, copy = 0;    // copying: once, and per byte
  double drift = 0;                   // ranks begin at random times in [0, drift), seeded
  double noise = 0;  // a start-up is longer by a random fraction in [0, noise), seeded
};

struct Protocol {
  Handover handover = Handover::eager;
  double threshold = 0;      // bytes
  double request_alpha = 0;  // start-up of a request or of an answer (reserve)
};

// The times of synchronisation. A time is empty if the machine has no such operation.
struct Synchronisation {
  std::optional<double> barrier;            // all ranks, constant part
  std::optional<double> barrier_dimension;  // all ranks, part for each dimension of the network
  std::optional<double> pair;               // two ranks before an exchange, constant part
  std::optional<double> pair_hop;           // two ranks, part for each link between them
};

// The library whose calls are timed.
struct LibraryCosts {
  std::optional<double> call;  // us of a call, before its first message
};

// The process that knows the members of dynamic groups (paper 002). Every member sends it `queries`
// questions before an operation. It answers them one after the other, in `service` each.
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
  LibraryCosts library;
  GroupServer group_server;
  // Every number above with its source and status. Numbers that follow from those of the file have
  // the status derived; numbers that are 0 because the file has none have the status assumed.
  Profile profile;
};

// The network that a caller chooses in place of the machine's own.
struct Size {
  std::string topology;  // text that parse_topology reads; empty for the file's network
};

// `origin` is the path of the file. "graph:NAME" is searched beside it, and "graph:" is its own
// table [graph]. Throws Error(invalid_argument) that names origin, line, key and the error.
[[nodiscard]] Machine parse_machine(std::string_view toml, const std::string& origin,
                                    const Size& size = {});

// Loads a machine by name or alias, else by path. Throws Error(invalid_argument).
[[nodiscard]] Machine load_machine(const std::string& name_or_path, const Size& size = {});

// Returns the names of the profiles that describe a whole machine, sorted.
[[nodiscard]] std::vector<std::string> builtin_machines();

[[nodiscard]] const char* to_text(Switching switching);
[[nodiscard]] const char* to_text(Ports ports);
[[nodiscard]] const char* to_text(Handover handover);

// Returns the time of a message of `bytes` over `links` links, alone on the machine and with its
// receive posted. With store and forward, every link repeats the packet. The time includes a
// request that must be answered.
[[nodiscard]] double alone(const Machine& machine, double bytes, int links);

}  // namespace tutti::machine
