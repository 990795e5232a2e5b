// SPDX-License-Identifier: BSD-3-Clause
// The tree topologies of the BLACS. A rank has the number of its distance from the root in the
// general tree, and its exclusive or with the root in the hypercube. So the root is 0 here; a
// transform (schedule/transforms.hpp) renumbers the ranks.
#include "algorithms/families.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

// The number of branches may be the largest integer.
Wide growth(const Shape& s) {
  return Wide{s.branches} + 1;
}

// Returns (N_b + 1)^levels, the number of nodes that a complete tree of that height has.
Wide nodes(const Shape& s, Int levels) {
  Wide n = 1;
  for (Int i = 0; i < levels; ++i) n *= growth(s);
  return n;
}

Int tree_height(const Shape& s) {
  Int height = 0;
  for (Wide n = 1; n < s.p; n *= growth(s)) ++height;
  return height;
}

Buffers buffers(const Shape&) {
  return {0, 1, 0};
}
bool has_branches(const Shape& s) {
  return s.branches >= 1;
}

// The first round spans the largest distance. The children of one round are served nearest first.
void tree_emit(Round& out, const Shape& s, Rank me, Int t) {
  const auto distance = static_cast<Int>(nodes(s, tree_height(s) - 1 - t));
  const Wide reach = nodes(s, tree_height(s) - t);  // may exceed p and int
  const auto above = static_cast<Int>(num(me) % reach);
  if (above == 0) {
    for (Int j = 1; j <= s.branches && num(me) + Wide{j} * distance < s.p; ++j)
      out.send({{Buffer::output, 0}}, Rank{num(me) + j * distance});
  } else if (above % distance == 0) {
    out.receive({{Buffer::output, 0}}, Rank{num(me) - above});
  }
}

constexpr Generator tree{"tree",    Operation::broadcast, tree_height,    buffers,
                         tree_emit, has_branches,         Operators::any, Parameter::branches};
constexpr Generator tree_back = reverse<tree>("tree");

Int hypercube_rounds(const Shape& s) {
  return ceil_log2(s.p);
}
bool is_power_of_two(const Shape& s) {
  return bit_floor(s.p) == s.p;
}

void hypercube_emit(Round& out, const Shape&, Rank me, Int t) {
  const Int bit = 1 << t;
  if (num(me) < bit) return out.send({{Buffer::output, 0}}, Rank{num(me) + bit});
  if (num(me) < 2 * bit) out.receive({{Buffer::output, 0}}, Rank{num(me) - bit});
}

Held spread(const Shape&, Rank me, Int t, Int) {
  return num(me) < (1 << t) ? held(Buffer::output, 0) : nothing_held();
}

constexpr Generator hypercube =
    with_invariant({"hypercube", Operation::broadcast, hypercube_rounds, buffers, hypercube_emit,
                    is_power_of_two, Operators::any},
                   {spread});

}  // namespace

// broadcast tree: in each of H steps every rank that has the data sends it to up to `branches`
// others; the distance is largest in the first step and falls by the factor branches + 1.
//   Source: paper 000, 4.3.2, figures 17-19, table 9 (TOP = '1'..'9', 't')
//   Needs:  any p, any root, branches >= 1
//   Cost:   rounds H; messages p-1; volume p-1; alpha Nb*(H-1) + Nis; beta Nb*(H-1) + Nis;
//           root (Nb*(H-1) + Nis)*Ts; longest <= H*Tc + ((H-1)*(Nb-1) + Nis-1)*Ts;
//           done if(i == H-1, p, if(mod(p-1, pow(Nb+1, H-1-i)) == 0, 1, 0));
//           where H = ceil_log(Nb+1, p); Nis = ceil_div(p, pow(Nb+1, H-1)) - 1
constexpr Generator broadcast_tree = with_aliases(
    map_ranks<tree, distance_from_root, rank_at_distance>("tree"), "knomial binomial fan_out");

// reduce tree: the messages of the tree broadcast run backwards (fan-in); operands are combined in
// the order of their distance from the root.
//   Source: paper 000, 5.4.1, figures 37-38
//   Needs:  any p, any root, branches >= 1; commutative operator (rank order for root 0)
//   Cost:   rounds H; messages p-1; volume p-1; combines p-1; alpha Nb*(H-1) + Nis;
//           beta Nb*(H-1) + Nis; gamma Nb*(H-1) + Nis; root (Nb*(H-1) + Nis)*Tc + H*To;
//           longest (Nb*(H-1) + Nis)*Tc + H*To;
//           done if(i == H-1, p, p - ceil_div(p, pow(Nb+1, i+1)));
//           where H = ceil_log(Nb+1, p); Nis = ceil_div(p, pow(Nb+1, H-1)) - 1
constexpr Generator reduce_tree = with_aliases(
    map_ranks<tree_back, distance_from_root, rank_at_distance>("tree", Operators::commutative),
    "knomial binomial fan_in");

// allreduce tree: a tree combines all vectors to the root (fan-in), then the same tree broadcasts
// the result (fan-out).
//   Source: paper 000, 5.4.1
//   Needs:  any p, any root, branches >= 1; commutative operator (rank order for root 0)
//   Cost:   rounds 2*H; messages 2*(p-1); volume 2*(p-1); combines p-1;
//           alpha 2*(Nb*(H-1) + Nis); beta 2*(Nb*(H-1) + Nis); gamma Nb*(H-1) + Nis;
//           root (Nb*(H-1) + Nis)*(Tc + Ts) + H*To;
//           longest <= (Nb*(H-1) + Nis)*Tc + H*To + H*Tc + ((H-1)*(Nb-1) + Nis-1)*Ts;
//           done if(i == 2*H-1, p, if(i >= H, if(mod(p-1, pow(Nb+1, 2*H-1-i)) == 0, 1, 0), 0));
//           where H = ceil_log(Nb+1, p); Nis = ceil_div(p, pow(Nb+1, H-1)) - 1
constexpr Generator allreduce_tree =
    with_aliases(then<reduce_tree, broadcast_tree>("tree"), "fan_in_fan_out");

// broadcast hypercube: in step t every rank that has the data sends it across dimension t, the
// nearest dimension first.
//   Source: paper 000, 4.3.2, figure 16 (TOP = 'h')
//   Needs:  p a power of two, any root
//   Cost:   rounds ceil_log2(p); messages p-1; volume p-1; alpha ceil_log2(p); beta ceil_log2(p);
//           root ceil_log2(p)*Ts; longest ceil_log2(p)*Tc; done if(i == ceil_log2(p)-1, p, 0)
constexpr Generator broadcast_hypercube =
    map_ranks<hypercube, exclusive_or_root, exclusive_or_root>("hypercube");

}  // namespace tutti::algorithms
