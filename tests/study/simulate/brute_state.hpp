// SPDX-License-Identifier: BSD-3-Clause
// The state of the second simulator at an instant.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "brute.hpp"

namespace tutti::simulate::brute {

using machine::Handover;
using machine::Ports;
using machine::Switching;

constexpr double tiny = 1e-7;

enum class Until { path, arrival, port };

struct Packet {
  double bytes, before;
  double wants;     // its next link
  std::size_t hop;  // which
};

struct Transit {
  enum class Kind { data, request, answer } kind = Kind::data;
  enum class Stage { held_back, unposted, asks, through } stage = Stage::held_back;
  Name name, blocking;
  double bytes = 0, held = 0, wanted = 0, granted = 0;
  double beyond = 0;  // how long the send port is taken after the path is wanted
  int sequence = 0, about = 0;
  std::vector<int> path;
  std::optional<double> path_end, arrival, port_end, taken;
  bool arrived = false, met = false;
  // The next members belong to circuits and wormholes.
  struct Resource {
    int id = 0;
    bool take = true;
    Until until = Until::path;
  };
  std::optional<Resource> waits_for;
  double blocked_since = 0;
  std::size_t has = 0;  // links of a worm
  // The next members belong to shared links.
  double left = 0, rate = 0, slowed_at = 0;
  int link = 0;
  bool moving = false, slowed = false, port_later = false;
  // This member belongs to packets.
  std::vector<Packet> packets;
};

struct Expected {
  int from, round;
  bool combine, come;
};

// A message in `asks_for_port` waits until the node has received what it receives.
struct RankState {
  struct Send {
    int to;
    double bytes;
  };
  std::optional<double> go_at;
  std::vector<Send> to_send;
  std::vector<Expected> expected;
  int round = 0, posted = 0, sending = 0, partner = -1;
  bool begun = false, exchanging = false, drains = false, paired = false, waits_for_partner = false;
  std::vector<int> arrived;  // messages that wait to be taken
  Transit* asks_for_port = nullptr;
  bool holds_port = false;  // a message is being sent
  double sends_since = 0, sent_at = 0, receives_since = 0;
  double local = 0, combining_until = 0, taken_until = 0, end = -1;
};

struct State {
  State(const machine::Machine& of, const JobOperation& what, double block);
  void run();

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] int count() const { return static_cast<int>(ranks.size()); }
  [[nodiscard]] bool exclusive() const;
  [[nodiscard]] bool shared() const;

  [[nodiscard]] bool posted(int rank, int round) const;
  [[nodiscard]] int open_receives(int rank) const;
  [[nodiscard]] bool forwards(const schedule::Round& round) const;
  [[nodiscard]] double bytes(const schedule::Blocks& blocks) const;
  void go(int me);
  void meet_partner(int me);
  void read(int me, const schedule::Round& round);
  void start_sends(int me);
  void send_next(int me);
  void control(int about, int from, int to, Transit::Kind kind);
  void launch(Transit& m);
  void begin(Transit& m);
  bool arrive(Transit& m);
  [[nodiscard]] bool shares_port() const;
  [[nodiscard]] double window() const;
  [[nodiscard]] bool may_send(const RankState& rank) const;
  bool take(Transit& m);
  void take_arrived(RankState& rank);
  bool meet(int me);
  bool end_round(int me);

  bool some_end();
  void end_of(Transit& m);
  bool some_rank();
  bool some_request();
  [[nodiscard]] double next_time() const;

  // ---- brute_network.cpp ----
  void request(Transit& m);
  [[nodiscard]] std::vector<Transit::Resource> ports_of(const Transit& m) const;
  [[nodiscard]] bool passable(const Transit::Resource& resource) const;
  void block(Transit& m, const Transit::Resource& on);
  void take(Transit& m, const Transit::Resource& resource);
  bool take_all(Transit& m, const std::vector<Transit::Resource>& resources);
  void transfer(Transit& m);
  bool some_packet();
  void pass(Transit& m, std::size_t packet);
  void set_rates();
  [[nodiscard]] int port(int node, int which) const;
  [[nodiscard]] const Transit& with(int wanted_sequence) const;

  const machine::Machine& machine;
  const JobOperation& operation;
  double unit;
  double now = 0;
  std::vector<RankState> ranks;
  std::deque<Transit> transits;
  struct Holder {
    int message = 0;  // its sequence; 0: free
    Until until = Until::path;
  };
  std::map<int, Holder> holders;
  struct Medium {
    double free = 0;
    Name name;
    int sequence = 0;
  };
  std::map<int, Medium> media;
  std::vector<Contention> contentions;
  int port_waits = 0, sequence = 0, sent = 0;
  std::string failure;
};

}  // namespace tutti::simulate::brute
