// SPDX-License-Identifier: BSD-3-Clause
// Links that divide their bandwidth among the messages on them. A message under transfer is a flow:
// its bytes move at a rate that changes when other flows begin or end. All changes of an instant
// take effect together.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/network.hpp"

namespace tutti::simulate {

class SharedNetwork : public SimulatedNetwork {
 public:
  explicit SharedNetwork(World& world);

  Ticks prepare(Slot slot) override;
  void request(Slot slot) override;
  void event(const Event& event) override;
  void ended(Slot slot, int flags) override;
  void settle() override;
  [[nodiscard]] bool frees_port(const SimulatedMessage&) const override { return false; }
  [[nodiscard]] bool keeps_port(Slot slot) override;

 private:
  // One link of a path, and the place of its flow in the list of flows on that link.
  struct Hop {
    int link;
    Slot message;
    std::uint32_t next, previous;
  };
  struct Link {
    std::uint32_t first = none;
    int flows = 0;
    int settled = 0;     // flows when rates were last set
    Ticks since = 0;     // time since which the link is in use
    bool dirty = false;  // flows have begun or ended since rates were last set
  };
  struct Flow {
    double left = 0;  // bytes, at `since`
    double cost = 0;  // ticks per byte now
    Ticks since = 0;
    Ticks due = 0;         // time at which it ends if nothing changes
    Ticks scheduled = -1;  // the earliest event still to come for it; -1: none
    Ticks slowed_at = 0;
    int most = 0;   // flows on its fullest link at the last check
    int link = 0;   // link that slowed it first
    Name blocking;  // a message on that link
    std::uint64_t stamp = 0;
    bool moving = false;
    bool slowed = false;
    bool holds_port = false;  // the send port is held until the flow ends
  };

  void join(Slot slot);
  void leave(Slot slot);
  void mark(int link);
  void finish(Slot slot);
  void share_equally();
  void share_fullest(Slot slot);
  void share_max_min();
  void gather_component();
  void fill();
  void set_cost(Slot slot, double cost, int link);
  void note_slowed(Slot slot, int link);

  Hop& hop(std::uint32_t at) { return *hops_.at(at); }
  Link& link(int index) { return links_[static_cast<std::size_t>(index)]; }
  Flow& flow(Slot slot) { return flows_[slot]; }

  static constexpr std::uint32_t none = ~std::uint32_t{0};

  bool max_min_;
  double alone_;      // ticks per byte of a message alone
  double link_cost_;  // ticks per byte of a link alone
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<int> dirty_;
  std::uint64_t stamp_ = 0;
  Paths<Hop> hops_;
  // A link of the component whose rates are being set: links that are connected by flows.
  struct Filled {
    int link;
    double room;  // bandwidth that is left, as a part of 1
    int open;     // flows without a rate
  };
  std::vector<Slot> touched_;
  std::vector<Filled> component_;
  std::vector<int> place_;  // place of each link in `component_`; -1: none
};

}  // namespace tutti::simulate
