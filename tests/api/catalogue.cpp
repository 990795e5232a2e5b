// SPDX-License-Identifier: BSD-3-Clause
// Tests every algorithm with every operator that it serves, over processes: roots, sizes,
// parameters, in place and strided. `full` runs all combinations; otherwise a sample of them is
// drawn.
// Usage: under `tutti run -n P`: catalogue [full | sample] [seed]
#include <tutti/tutti.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "collective_case.hpp"

namespace {

using tutti::schedule::Generator;
using tutti::schedule::Operation;
using tutti::schedule::Parameter;
using tutti::test::Call;
using tutti::test::Case;

constexpr unsigned one_in = 6;  // of the sample; long vectors are rarer

struct Settings {
  int branches = 1, rings = 1, segments = 1;
  std::vector<int> factors{};
  int cut = 0;
};

std::vector<int> prime_factors(int p) {
  std::vector<int> factors;
  for (int f = 2; p > 1; ++f) {
    for (; p % f == 0; p /= f) factors.push_back(f);
  }
  return factors;
}

std::vector<Settings> settings_of(Parameter parameter, int p) {
  std::vector<Settings> all;
  if (parameter == Parameter::branches) return {{1}, {2}, {5}};
  if (parameter == Parameter::rings) return {{1, 1}, {1, 2}, {1, 4}};
  if (parameter == Parameter::segments) return {{1, 1, 1}, {1, 1, 3}, {1, 1, 8}};
  if (parameter == Parameter::none) return {{}};
  std::set<std::vector<int>> lists = {{p}, {2}, {3}, prime_factors(p), {2, (p + 1) / 2}};
  if (parameter == Parameter::sizes) lists = {{p}, {1, p - 1}, {p - p / 2, p / 2}};
  for (const std::vector<int>& factors : lists) {
    const int cuts = parameter == Parameter::factors_and_cut ? static_cast<int>(factors.size()) : 0;
    for (int cut = 0; cut <= cuts; ++cut) all.push_back({1, 1, 1, factors, cut});
  }
  return all;
}

class Catalogue {
 public:
  Catalogue(bool full, unsigned seed)
      : full_(full), random_(seed), world_(tutti_world()), p_(tutti_size(world_)) {
    if (tutti_op_create(TUTTI_INT64, tutti::test::compose, 0, nullptr, &compose_) != TUTTI_OK)
      ++wrong_;
  }

  int run() {
    for (const Generator* generator : tutti::algorithms::all()) {
      // Plans keep memory for their next run. The group is freed after each algorithm, so that only
      // that algorithm's plans keep memory at a time.
      if (tutti_group_dup(world_, &group_) != TUTTI_OK) return ++wrong_;
      for (const Settings& settings : settings_of(generator->parameter, p_)) {
        for (const int root : roots(*generator)) run(*generator, settings, root);
      }
      if (tutti_group_free(group_) != TUTTI_OK) return ++wrong_;
    }
    return wrong_;
  }
  [[nodiscard]] int cases() const { return cases_; }

 private:
  [[nodiscard]] static bool rooted(const Generator& generator) {
    return generator.operation >= Operation::broadcast && generator.operation <= Operation::gather;
  }
  [[nodiscard]] std::vector<int> roots(const Generator& generator) const {
    std::vector<int> all;
    for (int root = 0; root < (rooted(generator) ? p_ : 1); ++root) all.push_back(root);
    return all;
  }

  void run(const Generator& generator, const Settings& settings, int root) {
    tutti::schedule::Shape shape{
        p_,          root, settings.branches, settings.rings, settings.segments, settings.factors,
        settings.cut};
    if (generator.applies != nullptr && !generator.applies(shape)) return;
    tutti_plan_request request = {};
    request.struct_size = sizeof(request);
    request.operation = static_cast<tutti_operation>(generator.operation);
    request.algorithm = generator.name;
    request.root = root;
    request.branches = settings.branches;
    request.rings = settings.rings;
    request.segments = settings.segments;
    request.factors = settings.factors.data();
    request.factor_count = static_cast<int>(settings.factors.size());
    request.cut = settings.cut;
    for (const std::int64_t n : {0, 1, p_ - 1, p_ + 1, 1000, 100003}) {
      for (const bool in_place : {false, true}) {
        for (const bool ordered : {false, true}) {
          if (ordered && generator.commutative_only()) continue;
          const unsigned rare = n > 1000 ? 20 : 1;
          if (full_ || random_() % (one_in * rare) == 0)
            run(generator, request, {n, in_place, ordered});
        }
      }
    }
  }

  struct Data {
    std::int64_t n;
    bool in_place, ordered;
  };
  void run(const Generator& generator, const tutti_plan_request& request, const Data& data) {
    Case one;
    one.operation = request.operation;
    one.root = request.root;
    one.n = data.n;
    one.in_place = data.in_place;
    one.strided = cases_ % 3 == 0;
    one.ordered = data.ordered;
    one.op = data.ordered ? compose_ : TUTTI_SUM;
    one.salt = ++cases_;
    tutti_plan plan{0};
    Call call(group_, one);
    call.fill();
    const bool done =
        tutti_plan_get(group_, &request, &plan) == TUTTI_OK && call.run(plan) == TUTTI_OK;
    const std::string verdict = done ? call.verdict() : describe(one) + ": " + tutti_error_text();
    if (!verdict.empty() && ++wrong_ < 20) {
      std::fprintf(stderr,
                   "rank %d of %d, %s (branches %d rings %d segments %d cut %d, %d factors): %s\n",
                   tutti_rank(group_), p_, generator.name, request.branches, request.rings,
                   request.segments, request.cut, request.factor_count, verdict.c_str());
    }
  }

  bool full_;
  std::mt19937 random_;
  tutti_group world_, group_{0};
  int p_;
  tutti_op compose_{0};
  int cases_ = 0, wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::strcmp(argv[1], "full") == 0;
  const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 20261121);
  if (tutti_init() != TUTTI_OK) return 1;
  const bool speaks = tutti_rank(tutti_world()) == 0;
  Catalogue catalogue(full, seed);
  const int wrong = catalogue.run();
  tutti_finalize();
  if (speaks)
    std::printf("catalogue %s %u: %d cases, %d wrong\n", full ? "full" : "sample", seed,
                catalogue.cases(), wrong);
  return wrong == 0 ? 0 : 1;
}
