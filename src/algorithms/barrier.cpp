// SPDX-License-Identifier: BSD-3-Clause
// Barriers that are reductions without data: a rank that would have the result of an allreduce has
// heard of every rank.
#include "algorithms/families.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {

using namespace schedule;

// barrier mst: ranks report along the minimum spanning tree to the root (fan-in), which then lets
// all go along it (fan-out).
//   Source: paper 001, 3.1.1 for the tree
//   Needs:  any p, any root
//   Cost:   rounds 2*ceil_log2(p); messages 2*(p-1); alpha rounds;
//           root <= ceil_log2(p)*(Tc + Ts); longest <= 2*ceil_log2(p)*Tc;
//           done if(i == rounds-1, p, if(i == ceil_log2(p)+l-1, 2*pow(2, l) - p, 0));
//           where l = floor_log2(p)
constexpr Generator barrier_mst =
    with_aliases(without_data<allreduce_mst>("mst"), "fan_in_fan_out");

// barrier tree: ranks report along the general tree to the root (fan-in), which then lets all go
// along it (fan-out).
//   Source: paper 000, 5.4.1 for the tree
//   Needs:  any p, any root, branches >= 1
//   Cost:   rounds 2*H; messages 2*(p-1); alpha 2*(Nb*(H-1) + Nis);
//           root (Nb*(H-1) + Nis)*(Tc + Ts);
//           longest <= (Nb*(H-1) + Nis)*Tc + H*Tc + ((H-1)*(Nb-1) + Nis-1)*Ts;
//           done if(i == 2*H-1, p, if(i >= H, if(mod(p-1, pow(Nb+1, 2*H-1-i)) == 0, 1, 0), 0));
//           where H = ceil_log(Nb+1, p); Nis = ceil_div(p, pow(Nb+1, H-1)) - 1
constexpr Generator barrier_tree = without_data<allreduce_tree>("tree", Parameter::branches);

// barrier fully_connected: everybody reports to the root, which then lets everybody go.
//   Source: folklore (central barrier)
//   Needs:  any p, any root
//   Cost:   rounds 2; messages 2*(p-1); alpha 2*(p-1); root (p-1)*(Tc + Ts);
//           longest p*Tc + (p-2)*Ts; done if(i == 0, 0, p)
constexpr Generator barrier_fully_connected =
    with_aliases(without_data<allreduce_fully_connected>("fully_connected"), "linear central");

// barrier direct: every rank tells every other one in one round, so nobody waits for a rank that
// only passes on what it heard.
//   Source: folklore
//   Needs:  any p
//   Cost:   rounds 1; messages p*(p-1); alpha p-1; root <= longest; longest (p-1)*Tc + (p-2)*Ts;
//           done p
constexpr Generator barrier_direct = with_ranks_alike(without_data<allreduce_direct>("direct"));

// barrier bidirectional_exchange: pairs at distance 1, 2, 4, ... tell each other which ranks they
// know to have arrived.
//   Source: paper 000, 5.4.2 for the pattern
//   Needs:  any p
//   Cost:   rounds floor_log2(p) + 2*rest; messages cores*floor_log2(p) + 2*(p - cores);
//           alpha rounds; root <= longest; longest rounds*Tc;
//           done if(i == rounds-1, p, if(i == rounds-2, rest*(2*cores - p), 0));
//           where cores = pow(2, floor_log2(p)); rest = if(p == cores, 0, 1)
constexpr Generator barrier_bidirectional_exchange = with_aliases(
    without_data<allreduce_bidirectional_exchange>("bidirectional_exchange"), "recursive_doubling");

}  // namespace tutti::algorithms
