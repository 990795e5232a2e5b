// SPDX-License-Identifier: BSD-3-Clause
// The bytes and calls that a process exchanged with others in a superstep, for the profile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tutti::bsp {

// The kinds of access. A direct access that had to be buffered counts as put or get.
enum class TrafficKind : std::uint8_t { put, hpput, get, hpget, send };
constexpr std::size_t kinds = 5;

struct Flow {
  std::uint64_t out = 0, in = 0;  // bytes
  std::uint64_t items = 0;        // calls of this process
  std::uint64_t served = 0;       // calls of others, which only buffered accesses tell
  void add(const Flow& other) {
    out += other.out;
    in += other.in;
    items += other.items;
    served += other.served;
  }
};

struct Volume {
  std::array<Flow, kinds> flows;  // exchanged with other processes
  std::array<Flow, kinds> own;    // exchanged with itself

  void add(TrafficKind kind, const Flow& flow, bool to_itself = false) {
    (to_itself ? own : flows)[static_cast<std::size_t>(kind)].add(flow);
  }
  void add(const Volume& other) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      flows[kind].add(other.flows[kind]);
      own[kind].add(other.own[kind]);
    }
  }
  // Returns the sum over all kinds, without what a process exchanges with itself.
  [[nodiscard]] Flow exchanged() const {
    Flow sum;
    for (const Flow& flow : flows) sum.add(flow);
    return sum;
  }
};

}  // namespace tutti::bsp
