// SPDX-License-Identifier: BSD-3-Clause
// Algorithms that are compositions of two others, most of them for long vectors. Data that have to
// be everywhere, or come from everywhere, pass through a state in which each rank has its part
// only.
#include "algorithms/families.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {

using namespace schedule;

// allgather mst: a tree gathers all blocks to the root, then the same tree broadcasts them.
//   Source: paper 001, 3.1.1 (short collect)
//   Needs:  any p, any root
//   Cost:   rounds 2*ceil_log2(p); messages 2*(p-1);
//           volume <= floor_div(p*ceil_log2(p), 2) + p*(p-1); alpha rounds;
//           beta p - 1 + p*ceil_log2(p); root <= ceil_log2(p)*(Tc + Ts);
//           longest <= 2*ceil_log2(p)*Tc;
//           done if(i == rounds-1, p, if(i == ceil_log2(p)+l-1, 2*pow(2, l) - p, 0));
//           where l = floor_log2(p)
constexpr Generator allgather_mst =
    with_aliases(compose<gather_mst, broadcast_mst>("mst", Operation::allgather, Operators::any),
                 "gather_broadcast");

// reduce_scatter mst: a tree combines all vectors to the root, then the same tree scatters the
// result.
//   Source: paper 001, 3.1.1 (short distributed combine)
//   Needs:  any p, any root
//   Cost:   rounds 2*ceil_log2(p); messages 2*(p-1);
//           volume <= floor_div(p*ceil_log2(p), 2) + p*(p-1); combines p*(p-1); alpha rounds;
//           beta p - 1 + p*ceil_log2(p); gamma p*ceil_log2(p);
//           root <= ceil_log2(p)*(Tc + To + Ts); longest <= ceil_log2(p)*(2*Tc + To);
//           done if(i == rounds-1, p, if(i == ceil_log2(p)+l-1, 2*pow(2, l) - p, 0));
//           where l = floor_log2(p)
constexpr Generator reduce_scatter_mst =
    with_aliases(compose<reduce_mst, scatter_mst>("mst", Operation::reduce_scatter, Operators::any),
                 "reduce_then_scatter");

// allreduce ring: a reduce-scatter around the ring leaves every rank one part of the result, then
// an allgather around the ring brings all parts to every rank.
//   Source: paper 001, 3.2.1 (long combine-to-all)
//   Needs:  any p; commutative operator
//   Cost:   rounds 2*(p-1); messages 2*p*(p-1); volume messages; combines p*(p-1);
//           alpha rounds; beta rounds; gamma p-1;
//           root longest; longest (p-1)*(2*Tc + To); done if(i == rounds-1, p, 0)
constexpr Generator allreduce_ring =
    with_ranks_alike(with_aliases(compose<reduce_scatter_ring, allgather_ring>(
                                      "ring", Operation::allreduce, Operators::commutative),
                                  "bucket"));

// allreduce circulant: a distributed combine on the circulant graph leaves every rank one part of
// the result, then a collect on that graph brings all parts to every rank.
//   Source: Traeff, Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024
//   Needs:  any p; commutative operator
//   Cost:   rounds 2*ceil_log2(p); messages p*rounds; volume 2*p*(p-1); combines p*(p-1);
//           alpha rounds; beta 2*(p-1); gamma p-1;
//           root longest; longest ceil_log2(p)*(2*Tc + To); done if(i == rounds-1, p, 0)
constexpr Generator allreduce_circulant =
    with_ranks_alike(compose<reduce_scatter_circulant, allgather_circulant>(
        "circulant", Operation::allreduce, Operators::commutative));

// allreduce direct_long: every rank folds its part of all vectors in rank order and sends the
// result to every other rank.
//   Source: folklore (shared memory: each rank reduces a slice, then all read it)
//   Needs:  any p
//   Cost:   rounds 2; messages 2*p*(p-1); volume messages; combines p*(p-1); alpha 2*(p-1);
//           beta 2*(p-1); gamma p-1; root <= longest;
//           longest 2*(p-1)*Tc + min(p-1, 2)*To + (p-2)*Ts; done if(i == 0, 0, p)
constexpr Generator allreduce_direct_long =
    with_ranks_alike(compose<reduce_scatter_direct, allgather_direct>(
        "direct_long", Operation::allreduce, Operators::any));

// reduce scatter_gather: a bucket distributed combine leaves every rank one part of the result,
// then a tree gathers the parts to the root.
//   Source: paper 001, 3.2.1 (long combine-to-one)
//   Needs:  any p, any root; commutative operator
//   Cost:   rounds p - 1 + ceil_log2(p); messages (p+1)*(p-1);
//           volume <= p*(p-1) + floor_div(p*ceil_log2(p), 2); combines p*(p-1); alpha rounds;
//           beta 2*(p-1); gamma p-1; root longest; longest rounds*Tc + (p-1)*To;
//           done if(i == rounds-1, p, if(i >= p-1, p - pow(2, rounds-1-i), 0))
constexpr Generator reduce_scatter_gather =
    with_aliases(compose<reduce_scatter_ring, gather_mst>("scatter_gather", Operation::reduce,
                                                          Operators::commutative),
                 "ring_gather");

// reduce circulant_gather: a distributed combine on the circulant graph leaves every rank one part
// of the result, then a tree gathers the parts to the root.
//   Source: Traeff, Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024, for the
//           first half
//   Needs:  any p, any root; commutative operator
//   Cost:   rounds 2*q; messages p*q + p - 1; volume <= p*(p-1) + floor_div(p*q, 2);
//           combines p*(p-1); alpha rounds; beta 2*(p-1); gamma p-1; root longest;
//           longest q*(2*Tc + To);
//           done if(i == rounds-1, p, if(i >= q, p - pow(2, rounds-1-i), 0));
//           where q = ceil_log2(p)
constexpr Generator reduce_circulant_gather = compose<reduce_scatter_circulant, gather_mst>(
    "circulant_gather", Operation::reduce, Operators::commutative);

// reduce halving_gather: recursive halving leaves every rank one part of the result, then a tree
// gathers the parts to the root.
//   Source: Rabenseifner, Optimization of collective reduction operations, 2004
//   Needs:  any p, any root
//   Cost:   rounds floor_log2(p) + 2*rest + q;
//           messages cores*floor_log2(p) + 2*(p - cores) + p - 1;
//           volume <= p*(p-1) + p - cores + floor_div(p*q, 2); combines p*(p-1); alpha rounds;
//           beta rest*(p+1) + halves + p - 1; gamma rest*p + halves; root <= longest;
//           longest <= rounds*Tc + (floor_log2(p) + rest)*To;
//           done if(i == rounds-1, p, if(i >= rounds-q, p - pow(2, rounds-1-i), 0));
//           where cores = pow(2, floor_log2(p)); rest = if(p == cores, 0, 1); q = ceil_log2(p);
//           halves = cores - 1 + sum(j, 1, floor_log2(p), ceil_div(p - cores, pow(2, j)))
constexpr Generator reduce_halving_gather =
    with_aliases(compose<reduce_scatter_halving, gather_mst>("halving_gather", Operation::reduce,
                                                             Operators::any),
                 "rabenseifner");

// broadcast scatter_allgather: a tree scatters the vector over the ranks, then a bucket collect
// brings all parts to every rank.
//   Source: paper 001, 3.2.1 (long broadcast)
//   Needs:  any p, any root
//   Cost:   rounds p - 1 + ceil_log2(p); messages (p+1)*(p-1);
//           volume <= p*(p-1) + floor_div(p*ceil_log2(p), 2); alpha rounds; beta 2*(p-1);
//           root <= longest; longest (p-1+l)*Tc + if(2*p >= 3*pow(2, l), 1, 0)*Ts;
//           done if(i == rounds-1, p, 0); where l = floor_log2(p)
constexpr Generator broadcast_scatter_allgather = with_aliases(
    compose<scatter_mst, allgather_ring>("scatter_allgather", Operation::broadcast, Operators::any),
    "scatter_collect scatter_ring van_de_geijn");

// broadcast scatter_doubling: a tree scatters the vector over the ranks, then recursive doubling
// brings all parts to every rank.
//   Source: paper 001, 3.2.1 for both halves
//   Needs:  p a power of two, any root
//   Cost:   rounds 2*ceil_log2(p); messages p - 1 + p*ceil_log2(p);
//           volume p*(p-1) + floor_div(p*ceil_log2(p), 2); alpha rounds; beta 2*(p-1);
//           root longest; longest rounds*Tc; done if(i == rounds-1, p, 0)
constexpr Generator broadcast_scatter_doubling = compose<scatter_mst, allgather_recursive_doubling>(
    "scatter_doubling", Operation::broadcast, Operators::any);

// broadcast scatter_circulant: a tree scatters the vector over the ranks, then a collect on the
// circulant graph brings all parts to every rank.
//   Source: paper 001, 3.1.1 for the scatter; Traeff, 2024, for the collect
//   Needs:  any p, any root
//   Cost:   rounds 2*q; messages p - 1 + p*q; volume <= p*(p-1) + floor_div(p*q, 2); alpha rounds;
//           beta 2*(p-1); root <= longest; longest <= rounds*Tc; done if(i == rounds-1, p, 0);
//           where q = ceil_log2(p)
constexpr Generator broadcast_scatter_circulant = compose<scatter_mst, allgather_circulant>(
    "scatter_circulant", Operation::broadcast, Operators::any);

}  // namespace tutti::algorithms
