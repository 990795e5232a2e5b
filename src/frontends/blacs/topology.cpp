// SPDX-License-Identifier: BSD-3-Clause
// The meaning of every TOP, in one place.
//
// Broadcast                                     Combine (leave-on-one: reduce, leave-on-all: allreduce of that name)
// I D    one ring up or down                    the same
// S      split ring                             multiring with N_r = 2, as the reference
// M      |N_r| rings; N_r = -1: as D            the same
// 1-9 T  general tree, N_b = digit or setting   the same; its fan-out uses the same N_b
// F      fully connected                        the same
// H      hypercube; where the number of         leave-on-all: bidirectional exchange; leave-on-one, or results
//        processes is not a power of two:       that must be coherent: tree with N_b = 1
//        tree with N_b = 1
// ' '    tree with N_b = 1                      leave-on-one: tree with N_b = 1; leave-on-all: bidirectional exchange
//                                               up to default_switch_bytes, direct above; coherent: tree, N_b = 1
//
// The paper leaves N_b of the H broadcast open; the reference takes 1. A negative N_r below -1 asks for as many rings;
// their direction is not part of what the caller can observe, and they run upwards (docs/decisions/0006). Every fan-in
// here adds in a fixed order, so the repeatability flag (WHAT 15) holds whatever it is set to.
#include "topology.hpp"

#include <cstdlib>

#include "arguments.hpp"

namespace tutti::blacs {
namespace {

// Longer vectors are cheaper cut into one part per process; shorter ones are all start-up time.
constexpr std::int64_t default_switch_bytes = 16 * 1024;
constexpr char default_large = 'L';  // TOP ' ' above the switch; no lower-case letter, so no TOP can collide

struct Recipe {
  const char* algorithm = nullptr;  // nullptr: no such TOP
  int branches = 0;
  int rings = 0;
};

Recipe tree(int branches) {
  return {"tree", branches, 0};
}

// What broadcasts and combines have in common.
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
      return rings == -1 ? Recipe{"decreasing_ring"} : Recipe{"multiring", 0, std::abs(rings)};
    case 'f':
      return {"fully_connected"};
    default:
      return {};
  }
}

Recipe broadcast_recipe(const Settings& settings, char top, int p) {
  const bool power_of_two = (p & (p - 1)) == 0;
  if (top == 's') return {"split_ring"};
  if (top == 'h') return power_of_two ? Recipe{"hypercube"} : tree(1);
  if (top == ' ' || top == default_large) return tree(1);
  return common_recipe(top, settings.broadcast_branches, settings.broadcast_rings);
}

Recipe combine_recipe(const Settings& settings, tutti_operation operation, char top) {
  const bool exchange = operation == TUTTI_OP_ALLREDUCE && settings.coherent == 0;
  if (top == 'h' || top == ' ') return exchange ? Recipe{"bidirectional_exchange"} : tree(1);
  if (top == default_large) return exchange ? Recipe{"direct"} : tree(1);
  if (top == 's') return {"multiring", 0, 2};
  return common_recipe(top, settings.combine_branches, settings.combine_rings);
}

char code_of(const Wanted& wanted) {
  const char top = lower(wanted.top);
  return top == ' ' && wanted.bytes > default_switch_bytes ? default_large : top;
}

tutti_plan ask(const Call& call, const Scope& scope, const Wanted& wanted, char code) {
  const Settings& settings = call.grid().settings;
  const Recipe recipe = wanted.operation == TUTTI_OP_BROADCAST ? broadcast_recipe(settings, code, scope.size)
                                                               : combine_recipe(settings, wanted.operation, code);
  if (recipe.algorithm == nullptr) {
    fail(call, "argument 'TOP' is '{}', not one of I D S M F H T 1-9 and blank", wanted.top);
  }
  tutti_plan_request request{};
  request.struct_size = sizeof request;
  request.operation = wanted.operation;
  request.algorithm = recipe.algorithm;
  request.root = wanted.root;
  request.branches = recipe.branches;
  request.rings = recipe.rings;
  tutti_plan plan{0};
  check(call, tutti_plan_get(scope.group, &request, &plan));
  return plan;
}

}  // namespace

tutti_plan plan_for(const Call& call, Scope& scope, const Wanted& wanted) {
  const char code = code_of(wanted);
  const auto root = static_cast<std::uint32_t>(wanted.root);
  const std::uint32_t kind = static_cast<std::uint32_t>(wanted.operation) << 8 | static_cast<unsigned char>(code);
  const std::uint32_t key = root << 12 | kind;
  PlanSlot& slot = scope.plans[(root + kind * 7) % scope.plans.size()];
  if (slot.key != key) slot = {key, ask(call, scope, wanted, code)};
  return slot.plan;
}

void forget_plans(Grid& grid) {
  for (Scope* scope : {&grid.all, &grid.row, &grid.column}) scope->plans.fill({});
}

}  // namespace tutti::blacs
