// SPDX-License-Identifier: BSD-3-Clause
// The generators that the family files define and the registry lists.
#pragma once

#include "schedule/generator.hpp"

namespace tutti::algorithms {

// dissemination.cpp
extern const schedule::Generator barrier_dissemination;
// mst.cpp
extern const schedule::Generator broadcast_mst, reduce_mst, allreduce_mst, scatter_mst, gather_mst;
// tree.cpp
extern const schedule::Generator broadcast_tree, reduce_tree, allreduce_tree, broadcast_hypercube;
// ring.cpp
extern const schedule::Generator broadcast_increasing_ring, reduce_increasing_ring, allreduce_increasing_ring;
extern const schedule::Generator broadcast_decreasing_ring, reduce_decreasing_ring, allreduce_decreasing_ring;
extern const schedule::Generator broadcast_split_ring, reduce_split_ring, allreduce_split_ring;
extern const schedule::Generator broadcast_multiring, reduce_multiring, allreduce_multiring;
// exchange.cpp
extern const schedule::Generator allreduce_bidirectional_exchange;
// direct.cpp
extern const schedule::Generator broadcast_fully_connected, reduce_fully_connected, allreduce_fully_connected;
extern const schedule::Generator scatter_fully_connected, gather_fully_connected, allreduce_direct;

// Requirements on the shape that several families share.
constexpr bool any_shape(const schedule::Shape&) {
  return true;
}

}  // namespace tutti::algorithms
