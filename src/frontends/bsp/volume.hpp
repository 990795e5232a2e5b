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
  std::uint64_t items = 0;        // calls
  void add(const Flow& other) {
    out += other.out;
    in += other.in;
    items += other.items;
  }
};

struct Volume {
  std::array<Flow, kinds> flows;  // including what a process exchanges with itself
  Flow own;                       // exchanged with itself, all kinds together

  [[nodiscard]] Flow& of(TrafficKind kind) { return flows[static_cast<std::size_t>(kind)]; }
  void add(TrafficKind kind, const Flow& flow) { of(kind).add(flow); }
  void add(TrafficKind kind, const Flow& flow, bool to_itself) {
    add(kind, flow);
    if (to_itself) own.add(flow);
  }
  // Returns the sum over all kinds, without what a process exchanges with itself.
  [[nodiscard]] Flow exchanged() const {
    Flow sum;
    for (const Flow& flow : flows) sum.add(flow);
    return {sum.out - own.out, sum.in - own.in, sum.items - own.items};
  }
};

}  // namespace tutti::bsp
