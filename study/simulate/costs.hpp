// SPDX-License-Identifier: BSD-3-Clause
// Converts the costs of a machine into ticks, for all parts of the simulation.
#pragma once

#include <cstdint>

#include "machine/machine.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

class Costs {
 public:
  // Throws Error(invalid_argument) for times that make no sense.
  explicit Costs(const machine::Machine& machine);

  // Time from the beginning of a message until it asks for its path.
  [[nodiscard]] Ticks before() const { return before_; }
  [[nodiscard]] Ticks start_up() const { return alpha_; }
  [[nodiscard]] Ticks hops(std::uint32_t count) const { return hop_ * count; }
  // Time from asking for the path until arrival, on an idle network. It is at least one tick, so
  // that no cycle of messages takes zero time.
  [[nodiscard]] Ticks transfer(std::int64_t bytes, std::uint32_t links) const {
    return at_least_one(held_ + per_byte(beta_, bytes) + hops(links));
  }
  // Time from asking for the path until the message leaves it, on an idle network.
  [[nodiscard]] Ticks path(std::int64_t bytes, std::uint32_t links) const {
    return at_least_one(held_ + per_byte(link_beta_, bytes) + hops(links));
  }
  // Time of the bytes alone: through a node, and over a link.
  [[nodiscard]] Ticks through_node(std::int64_t bytes) const { return per_byte(beta_, bytes); }
  [[nodiscard]] Ticks over_link(std::int64_t bytes) const { return per_byte(link_beta_, bytes); }
  // Time of the send port, from the beginning of a message.
  [[nodiscard]] Ticks send(std::int64_t bytes, std::uint32_t links) const {
    return send_alpha_ + per_byte(send_beta_, bytes) + (circuit_ ? hops(links) : 0);
  }
  // Returns true if the send port is taken beyond the moment at which the message asks for its
  // path, so that it waits with the message.
  [[nodiscard]] bool sends_on(std::int64_t bytes, std::uint32_t links) const {
    return send(bytes, links) > before_;
  }
  [[nodiscard]] Ticks receive(std::int64_t bytes) const {
    return receive_alpha_ + per_byte(receive_beta_, bytes);
  }
  [[nodiscard]] Ticks combine(std::int64_t bytes) const {
    return gamma_alpha_ + per_byte(gamma_, bytes);
  }
  [[nodiscard]] Ticks copy(std::int64_t bytes) const {
    return copy_alpha_ + per_byte(copy_, bytes);
  }
  // Times of requests and answers: until they ask for their path, and from then until arrival.
  [[nodiscard]] Ticks control_before() const { return control_before_; }
  [[nodiscard]] Ticks control_transfer(std::uint32_t links) const {
    return at_least_one(control_held_ + hops(links));
  }

 private:
  static Ticks at_least_one(Ticks t) { return t > 0 ? t : 1; }
  static Ticks per_byte(double cost, std::int64_t bytes) {
    return cost == 0 ? 0 : ticks(cost * static_cast<double>(bytes));
  }

  bool circuit_;
  Ticks alpha_, held_, before_ = 0, hop_;
  Ticks send_alpha_, receive_alpha_, gamma_alpha_, copy_alpha_;
  Ticks control_before_ = 0, control_held_ = 0;
  double beta_, link_beta_, send_beta_, receive_beta_, gamma_, copy_;
};

}  // namespace tutti::simulate
