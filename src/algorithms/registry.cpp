// SPDX-License-Identifier: BSD-3-Clause
// The list of all generators.
#include "algorithms/registry.hpp"

#include <array>

#include "algorithms/families.hpp"

namespace tutti::algorithms {
namespace {

constexpr std::array generators{
    &barrier_dissemination,
    &broadcast_mst,
    &broadcast_tree,
    &broadcast_hypercube,
    &broadcast_increasing_ring,
    &broadcast_decreasing_ring,
    &broadcast_split_ring,
    &broadcast_multiring,
    &broadcast_fully_connected,
    &reduce_mst,
    &reduce_tree,
    &reduce_increasing_ring,
    &reduce_decreasing_ring,
    &reduce_split_ring,
    &reduce_multiring,
    &reduce_fully_connected,
    &allreduce_bidirectional_exchange,
    &allreduce_mst,
    &allreduce_tree,
    &allreduce_increasing_ring,
    &allreduce_decreasing_ring,
    &allreduce_split_ring,
    &allreduce_multiring,
    &allreduce_fully_connected,
    &allreduce_direct,
    &scatter_mst,
    &scatter_fully_connected,
    &gather_mst,
    &gather_fully_connected,
};

}  // namespace

std::span<const schedule::Generator* const> all() {
  return generators;
}

const schedule::Generator* find(schedule::Operation operation, std::string_view name) {
  for (const schedule::Generator* generator : generators)
    if (generator->operation == operation && generator->name == name) return generator;
  return nullptr;
}

}  // namespace tutti::algorithms
