// SPDX-License-Identifier: BSD-3-Clause
// Records the Program that each BLACS call executes and compares it, line by line, with the
// normalised output of the generator for the requested TOP: peers, rounds and blocks. It runs as
// `tutti run -n P blacs_programs`. Every p in 2..P is a row (grid 1 x p), a column (p x 1), and a
// grid as square as p allows. The expected generators are listed here independently of the
// library's table.
#include <tutti-blacs/tutti_blacs.h>

#include <cstdio>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"
#include "selection/choose.hpp"

namespace {

using tutti::schedule::Operation;
using tutti::schedule::Rank;
using tutti::schedule::Shape;

struct Expected {
  const char* name;
  int branches = 1;
  int rings = 1;
  int segments = 1;
  std::vector<int> factors{};
  int cut = 0;
};

std::vector<std::string> executed;
long passed = 0, failed = 0;
bool coherent = false;

void record(void*, tutti_group, tutti_plan plan, const tutti_plan_request*) {
  std::string text(tutti_plan_text(plan, nullptr, 0) + 1, '\0');
  text.resize(tutti_plan_text(plan, text.data(), text.size()));
  executed.push_back(text);
}

struct Scope {
  int context;
  int p;
  int me;
  char name;
  int columns;  // of the grid; ranks count row by row
  int row_of(int rank) const { return rank / columns; }
  int column_of(int rank) const { return rank % columns; }
};

void compare(const Scope& scope, Operation operation, int root, const Expected& expected,
             char top) {
  const auto* generator = tutti::algorithms::find(operation, expected.name);
  const Shape shape{.p = scope.p,
                    .root = root,
                    .branches = expected.branches,
                    .rings = expected.rings,
                    .segments = expected.segments,
                    .factors = expected.factors,
                    .cut = expected.cut};
  const std::string wanted = generator == nullptr
                                 ? "no such generator"
                                 : to_text(normalized(build(*generator, shape, Rank{scope.me})));
  const bool good = executed.size() == 1 && executed[0] == wanted;
  ++(good ? passed : failed);
  if (!good && failed <= 3) {
    std::fprintf(stderr,
                 "failed: p %d rank %d root %d %s TOP '%c' (%s): %zu programs\n--- wanted\n%s--- "
                 "executed\n%s\n",
                 scope.p, scope.me, root, to_text(operation), top, expected.name, executed.size(),
                 wanted.c_str(), executed.empty() ? "" : executed[0].c_str());
  }
  executed.clear();
}

void broadcast(const Scope& scope, char top, int root, int count, const Expected& expected) {
  std::vector<double> a(static_cast<std::size_t>(count));
  char s[] = {scope.name, 0}, t[] = {top, 0};
  if (scope.me == root) {
    Cdgebs2d(scope.context, s, t, count, 1, a.data(), count);
  } else {
    Cdgebr2d(scope.context, s, t, count, 1, a.data(), count, scope.row_of(root),
             scope.column_of(root));
  }
  compare(scope, Operation::broadcast, root, expected, top);
}

// Root -1 leaves the result on all.
void combine(const Scope& scope, char top, int root, int count, const Expected& expected) {
  std::vector<double> a(static_cast<std::size_t>(count));
  char s[] = {scope.name, 0}, t[] = {top, 0};
  const int row = root < 0 ? -1 : scope.row_of(root);
  const int column = root < 0 ? -1 : scope.column_of(root);
  const auto check = [&](bool located = false) {
    // Two processes have one edge in any topology.
    const bool one_edge = scope.p == 2 && root < 0 && !coherent && (top != ' ' || located);
    compare(scope, root < 0 ? Operation::allreduce : Operation::reduce, root < 0 ? 0 : root,
            one_edge ? Expected{"bidirectional_exchange"} : expected, top);
  };
  Cdgsum2d(scope.context, s, t, count, 1, a.data(), count, row, column);
  check();
  std::vector<int> ra(a.size()), ca(a.size());
  Cdgamx2d(scope.context, s, t, count, 1, a.data(), count, ra.data(), ca.data(), count, row,
           column);
  check(true);
  Cdgamn2d(scope.context, s, t, count, 1, a.data(), count, nullptr, nullptr, -1, row, column);
  check();
}

// Tests topologies that have the same meaning in a broadcast and in a combine.
void common(const Scope& scope, char top, int root, const Expected& expected) {
  broadcast(scope, top, root, 3, expected);
  combine(scope, top, root, 3, expected);
  combine(scope, top, -1, 3, expected);
}

void set_all(const Scope& scope, int rings, int branches, int must_agree) {
  coherent = must_agree != 0;
  int numbers[] = {rings, branches, rings, branches, 0, must_agree};
  for (int what = 11; what <= 16; ++what) Cblacs_set(scope.context, what, &numbers[what - 11]);
}

// Returns tutti's choice for a number of doubles.
Expected chosen(Operation operation, int p, int count) {
  const auto choice = tutti::selection::choose(operation, p, count * std::int64_t{8}, true);
  const auto& [branches, rings, segments, factors, cut] = choice.settings;
  return {tutti::algorithms::find(operation, choice.algorithm)->name,
          branches,
          rings,
          segments,
          factors,
          cut};
}

void one_root(const Scope& scope, int root) {
  const bool power_of_two = (scope.p & (scope.p - 1)) == 0;
  constexpr int large = 5000;  // doubles, for which TOP ' ' means something else than for 3
  common(scope, 'I', root, {"increasing_ring"});
  common(scope, 'd', root, {"decreasing_ring"});
  broadcast(scope, 'S', root, 3, {"split_ring"});
  combine(scope, 's', root, 3, {"multiring", 1, 2});
  combine(scope, 'S', -1, 3, {"multiring", 1, 2});
  common(scope, 'f', root, {"fully_connected"});
  for (int n = 1; n <= 9; ++n) {
    common(scope, static_cast<char>('0' + n), root, {"tree", n});
    set_all(scope, n % 2 != 0 ? n : -n, n, 0);
    common(scope, 'T', root, {"tree", n});
    common(scope, 'm', root, {"multiring", 1, n});
  }
  set_all(scope, -1, 1, 0);
  common(scope, 'M', root, {"decreasing_ring"});
  broadcast(scope, 'H', root, 3, {power_of_two ? "hypercube" : "tree"});
  combine(scope, 'h', root, 3, {"tree"});
  combine(scope, 'H', -1, 3, {"bidirectional_exchange"});
  for (const int count : {0, 3, large}) {
    broadcast(scope, ' ', root, count, chosen(Operation::broadcast, scope.p, count));
    combine(scope, ' ', root, count, chosen(Operation::reduce, scope.p, count));
    combine(scope, ' ', -1, count, chosen(Operation::allreduce, scope.p, count));
  }
  set_all(scope, 1, 1, 1);
  for (const char top : {'H', ' '}) combine(scope, top, -1, large, {"tree"});
  set_all(scope, 1, 1, 0);
}

// A barrier has a Program; a message between two processes has none.
void others(const Scope& scope) {
  char s[] = {scope.name, 0};
  Cblacs_barrier(scope.context, s);
  const auto chosen = tutti::selection::choose(Operation::barrier, scope.p, 0, true);
  compare(scope, Operation::barrier, 0, {std::string(chosen.algorithm).c_str()}, '-');
  double x = 0;
  if (scope.me == 0) Cdgesd2d(scope.context, 1, 1, &x, 1, scope.row_of(1), scope.column_of(1));
  if (scope.me == 1) Cdgerv2d(scope.context, 1, 1, &x, 1, 0, 0);
  ++(executed.empty() ? passed : failed);
  executed.clear();
}

void grid(int p, char name, int grid_columns) {
  Scope scope{0, p, 0, name, grid_columns};
  char order[] = "Row";
  Cblacs_get(-1, 0, &scope.context);
  Cblacs_gridinit(&scope.context, order, p / grid_columns, grid_columns);
  int rows = 0, columns = 0, row = 0, column = 0;
  Cblacs_gridinfo(scope.context, &rows, &columns, &row, &column);
  if (scope.context < 0) return;
  scope.me = row * grid_columns + column;
  others(scope);
  // All roots are tried if there are few, otherwise the two ends and the middle.
  for (int root = 0; root < p; ++root) {
    if (p <= 5 || root == 0 || root == p / 2 || root == p - 1) one_root(scope, root);
  }
  Cblacs_gridexit(scope.context);
}

}  // namespace

int main() {
  int me = 0, processes = 0;
  Cblacs_pinfo(&me, &processes);
  tutti_on_run(record, nullptr);
  for (int p = 2; p <= processes; ++p) {
    int rows = 1;
    for (int r = 2; r * r <= p; ++r) {
      if (p % r == 0) rows = r;
    }
    grid(p, 'R', p);
    grid(p, 'C', 1);
    grid(p, 'A', p / rows);
  }
  tutti_on_run(nullptr, nullptr);
  std::printf("process %d: %ld programs as requested, %ld not\n", me, passed, failed);
  Cblacs_exit(0);
  return failed == 0 ? 0 : 1;
}
