// SPDX-License-Identifier: BSD-3-Clause
// The meaning of every TOP, in one place (topology.hpp). A combine that leaves its result on one
// process is a reduce, and one that leaves it on all is an allreduce, of the algorithm named here.
//   TOP    broadcast; combine
//   I D    one ring, up or down; the same.
//   S      split ring; multiring with N_r = 2, as in the reference.
//   M      |N_r| rings, but D if N_r = -1; the same.
//   1-9 T  general tree with N_b = the digit or the setting; the same, also for its fan-out.
//   F      fully connected; the same.
//   H      hypercube, or tree with N_b = 1 if p is no power of two; bidirectional exchange if all
//          get the result. Results on one process, or coherent ones, take a tree with N_b = 1.
//   Blank  what tutti chooses for the size; the same, but tree with N_b = 1 if the result is left
//          on all and must be coherent, and a tree if the operator takes whole vectors.
//   P      the collective of the MPI that has started the job; the same for a sum.
//
// A combine of two processes that leaves the result on both has one edge, over which both send at
// once. It runs as H for every TOP, unless results must be coherent. With ' ' this holds only if
// locations are wanted.
//
// The paper leaves N_b of the H broadcast open; the reference takes 1. A negative N_r below -1 asks
// for as many rings. They run upwards, because callers cannot observe their direction
// (docs/internals/blacs.md, "TOP 'M' with a negative number, and TOP 'S'"). Every fan-in here adds
// in a fixed order, so results are repeatable whether or not WHAT 15 asks for it.
#include "topology.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "arguments.hpp"
#include "dialect.hpp"

namespace tutti::blacs {
namespace {

struct Recipe {
  const char* algorithm = nullptr;  // nullptr: tutti chooses
  int branches = 0;
  int rings = 0;
};

Recipe tree(int branches) {
  return {"tree", branches, 0};
}

// Returns the recipes that broadcasts and combines share. TOP is one that the dialect knows.
Recipe common_recipe(char top, int branches, int rings) {
  if (top >= '1' && top <= '9') return tree(top - '0');
  switch (top) {
    case 't':
      return tree(branches);
    case 'i':
      return {"increasing_ring"};
    case 'd':
      return {"decreasing_ring"};
    case 'm':
      return rings == -1 ? Recipe{"decreasing_ring"}
                         : Recipe{"multiring", 0, std::abs(std::max(rings, -INT_MAX))};
    case 'f':
      return {"fully_connected"};
    default:  // blank
      return {};
  }
}

Recipe broadcast_recipe(const BlacsSettings& settings, char top, int p) {
  const bool power_of_two = (p & (p - 1)) == 0;
  if (top == 's') return {"split_ring"};
  if (top == 'h') return power_of_two ? Recipe{"hypercube"} : tree(1);
  return common_recipe(top, settings.broadcast_branches, settings.broadcast_rings);
}

Recipe combine_recipe(const BlacsSettings& settings, char top, bool on_all) {
  const bool must_agree = on_all && settings.coherent != 0;
  if (top == 'h') return on_all && !must_agree ? Recipe{"bidirectional_exchange"} : tree(1);
  if (top == ' ' && must_agree) return tree(1);
  if (top == 's') return {"multiring", 0, 2};
  return common_recipe(top, settings.combine_branches, settings.combine_rings);
}

Recipe recipe_for(const BlacsSettings& settings, const PlanRequest& wanted, char top, int p) {
  if (top == 'p') return {"native"};
  if (wanted.operation == TUTTI_OP_BROADCAST) return broadcast_recipe(settings, top, p);
  const bool on_all = wanted.operation == TUTTI_OP_ALLREDUCE;
  const bool one_edge =
      p == 2 && on_all && settings.coherent == 0 &&
      (top != ' ' || wanted.kind == Kind::located || wanted.kind == Kind::by_user);
  if (one_edge) return {"bidirectional_exchange"};
  if (top == ' ' && wanted.kind == Kind::by_user) return {"mst"};
  return combine_recipe(settings, top, on_all);
}

// Lets the MPI serve a scope. All processes of the scope come here with their first call of TOP
// 'P'.
void use_mpi(const RoutineCall& call, const Scope& scope, const PlanRequest& wanted) {
  if (wanted.kind != Kind::plain) {
    fail(call,
         "argument 'TOP' is '{}', the MPI's own collective, which serves broadcasts and sums only",
         wanted.top);
  }
  const tutti_status status = tutti_group_use_mpi(scope.group);
  if (status == TUTTI_NO_SUCH_PLAN) {
    fail(call,
         "argument 'TOP' is '{}', the MPI's own collective, but no MPI has started these processes",
         wanted.top);
  }
  check(call, status);
}

tutti_plan ask(const RoutineCall& call, const Scope& scope, const PlanRequest& wanted, char top) {
  const BlacsSettings& settings = call.grid().settings;
  const Tops& known = wanted.operation == TUTTI_OP_BROADCAST ? dialect.broadcast : dialect.combine;
  if (known.letters.find(top) == std::string_view::npos)
    fail(call, "argument 'TOP' is {}, not one of {}", quoted(wanted.top), known.words);
  if (top == 'p') use_mpi(call, scope, wanted);
  const Recipe recipe = recipe_for(settings, wanted, top, scope.size);
  tutti_plan_request request{};
  request.struct_size = sizeof request;
  request.operation = wanted.operation;
  request.algorithm = recipe.algorithm;
  request.root = wanted.root;
  request.branches = recipe.branches;
  request.rings = recipe.rings;
  request.bytes = wanted.bytes;
  tutti_plan plan{0};
  check(call, tutti_plan_get(scope.group, &request, &plan));
  return plan;
}

}  // namespace

tutti_plan plan_for(const RoutineCall& call, Scope& scope, const PlanRequest& wanted) {
  const char top = lower(wanted.top);
  const std::int64_t bytes = top == ' ' && wanted.kind != Kind::by_user ? wanted.bytes : 0;
  const auto root = static_cast<std::uint64_t>(wanted.root);
  const std::uint64_t kind =
      static_cast<std::uint64_t>(wanted.operation) << 8 | static_cast<unsigned char>(top);
  const auto form = static_cast<std::uint64_t>(wanted.kind);
  const std::uint64_t key = root << 14 | form << 12 | kind;
  const std::uint64_t place = root + kind * 7 + form * 3 + static_cast<std::uint64_t>(bytes) / 8;
  PlanSlot& slot = scope.plans[place % scope.plans.size()];
  if (slot.key != key || slot.bytes != bytes) slot = {key, bytes, ask(call, scope, wanted, top)};
  return slot.plan;
}

void forget_plans(Grid& grid) {
  for (Scope* scope : {&grid.all, &grid.row, &grid.column}) scope->plans.fill({});
  for (auto& [name, scope] : grid.lists) scope.plans.fill({});
}

}  // namespace tutti::blacs
