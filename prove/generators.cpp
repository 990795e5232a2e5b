// SPDX-License-Identifier: BSD-3-Clause
#include "generators.hpp"

#include <array>

#include "algorithms/families.hpp"

namespace tutti::prove {
namespace {

using namespace algorithms;

constexpr std::array compiled{&barrier_dissemination,
                              &barrier_bidirectional_exchange,
                              &barrier_mst,
                              &barrier_tree,
                              &barrier_fully_connected,
                              &barrier_direct,
                              &broadcast_mst,
                              &broadcast_tree,
                              &broadcast_hypercube,
                              &broadcast_increasing_ring,
                              &broadcast_decreasing_ring,
                              &broadcast_split_ring,
                              &broadcast_multiring,
                              &broadcast_fully_connected,
                              &broadcast_chain,
                              &broadcast_scatter_allgather,
                              &broadcast_scatter_doubling,
                              &broadcast_scatter_circulant,
                              &reduce_mst,
                              &reduce_tree,
                              &reduce_increasing_ring,
                              &reduce_decreasing_ring,
                              &reduce_split_ring,
                              &reduce_multiring,
                              &reduce_fully_connected,
                              &reduce_chain,
                              &reduce_scatter_gather,
                              &reduce_circulant_gather,
                              &reduce_halving_gather,
                              &allreduce_bidirectional_exchange,
                              &allreduce_mst,
                              &allreduce_tree,
                              &allreduce_increasing_ring,
                              &allreduce_decreasing_ring,
                              &allreduce_split_ring,
                              &allreduce_multiring,
                              &allreduce_fully_connected,
                              &allreduce_direct,
                              &allreduce_direct_long,
                              &allreduce_ring,
                              &allreduce_circulant,
                              &allreduce_halving_doubling,
                              &scatter_mst,
                              &scatter_fully_connected,
                              &gather_mst,
                              &gather_fully_connected,
                              &allgather_ring,
                              &allgather_circulant,
                              &allgather_recursive_doubling,
                              &allgather_neighbour_exchange,
                              &allgather_mst,
                              &allgather_direct,
                              &reduce_scatter_ring,
                              &reduce_scatter_circulant,
                              &reduce_scatter_halving,
                              &reduce_scatter_mst,
                              &reduce_scatter_direct,
                              &alltoall_naive,
                              &alltoall_linear,
                              &alltoall_pairwise,
                              &alltoall_circle,
                              &alltoall_direct,
                              &scan_doubling,
                              &scan_linear,
                              &scan_chain,
                              &exscan_doubling,
                              &exscan_linear};

}  // namespace

std::span<const schedule::Generator* const> generators() {
  return compiled;
}

}  // namespace tutti::prove
