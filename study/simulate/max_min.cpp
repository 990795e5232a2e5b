// SPDX-License-Identifier: BSD-3-Clause
// Max-min fairness by progressive filling (shared.hpp). The rates of all flows grow equally until a
// link is full. Its flows keep that rate, and the others continue to grow. Only flows that share
// links with a change, directly or through other flows, get new rates.
#include <algorithm>
#include <limits>

#include "simulate/shared.hpp"

namespace tutti::simulate {

void SharedNetwork::share_max_min() {
  ++stamp_;
  gather_component();
  fill();
  for (const Filled& filled : component_) place_[static_cast<std::size_t>(filled.link)] = -1;
  component_.clear();
  touched_.clear();
}

void SharedNetwork::gather_component() {
  const auto add = [&](int index) {
    int& place = place_[static_cast<std::size_t>(index)];
    if (place >= 0 || link(index).flows == 0) return;
    place = static_cast<int>(component_.size());
    component_.push_back({index, 1, link(index).flows});
  };
  for (const int index : dirty_) add(index);
  for (std::size_t i = 0; i < component_.size(); ++i) {
    for (std::uint32_t at = link(component_[i].link).first; at != none; at = hop(at).next) {
      const Slot slot = hop(at).message;
      if (flow(slot).stamp == stamp_) continue;
      flow(slot).stamp = stamp_;
      touched_.push_back(slot);
      const SimulatedMessage& message = world_.messages[slot];
      for (std::uint32_t on = message.path; on < message.path + message.entries(); ++on)
        add(hop(on).link);
    }
  }
}

// Rates are parts of a link's bandwidth. A flow whose stamp is not stamp_ has its rate already.
void SharedNetwork::fill() {
  const double most = link_cost_ / alone_;
  std::size_t left = touched_.size();
  while (left > 0) {
    double least = std::numeric_limits<double>::infinity();
    int where = -1;
    for (const Filled& filled : component_) {
      if (filled.open == 0) continue;
      const double share = std::max(filled.room, 1e-15) / filled.open;
      // Among links that are full together, the lowest index counts, so that rounding does not
      // decide.
      if (share < least * (1 - 1e-9) || (share <= least * (1 + 1e-9) && filled.link < where)) {
        least = share;
        where = filled.link;
      }
    }
    const bool all = least >= most * (1 - 1e-9);
    const double rate = all ? most : least;
    const auto settle = [&](Slot slot, int index) {
      --left;
      flow(slot).stamp = 0;
      const SimulatedMessage& message = world_.messages[slot];
      for (std::uint32_t on = message.path; on < message.path + message.entries(); ++on) {
        Filled& filled =
            component_[static_cast<std::size_t>(place_[static_cast<std::size_t>(hop(on).link)])];
        filled.room -= rate;
        --filled.open;
      }
      set_cost(slot, link_cost_ / rate, index);
    };
    if (all) {
      for (const Slot slot : touched_)
        if (flow(slot).stamp == stamp_) settle(slot, where);
    } else {
      for (std::uint32_t at = link(where).first; at != none; at = hop(at).next)
        if (flow(hop(at).message).stamp == stamp_) settle(hop(at).message, where);
    }
  }
}

}  // namespace tutti::simulate
