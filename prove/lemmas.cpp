// SPDX-License-Identifier: BSD-3-Clause
#include "lemmas.hpp"

#include "algorithms/circulant.hpp"
#include "algorithms/interval_halving.hpp"

namespace tutti::prove {
namespace {

using algorithms::RankInterval;

// From the body of skip(), where the shift has its definition.
void distances_of_circulant() {
  path().allow_products();
  const Int p = path().unknown("p"), k = path().unknown("k");
  path().assume(2 <= p);
  path().assume(0 <= k);
  path().assume(k < schedule::ceil_log2(p));
  path().require(algorithms::nearly_doubles(p, k), "a distance nearly doubles");
}

RankInterval some_interval(const RankInterval& start) {
  RankInterval state = start;
  for (Int* number : numbers_of(state)) *number = path().unknown("state");
  return state;
}

RankInterval some_start(const Int& n, const Int& holder, const Int& t,
                        algorithms::LeftHalf left_half) {
  const RankInterval start{path().unknown("low"), n, holder, path().unknown("me"), left_half};
  path().assume(is_start(start, t));
  return start;
}

// By induction over rounds, for one member and for two.
void intervals() {
  const algorithms::LeftHalf left_half =
      path().choose(2) == 0 ? algorithms::folded_half : algorithms::balanced_half;
  const Int n = path().unknown("n"), holder = path().unknown("holder"), t = path().unknown("t");
  const RankInterval start = some_start(n, holder, t, left_half);
  if (path().choose(2) == 0)
    return path().require(is_good(start, 0, start), "the first interval is good");
  const RankInterval before = some_interval(start);
  path().assume(is_good(start, t, before));
  if (path().choose(2) == 0)
    return path().require(is_good(start, t + 1, half_of(before)), "halves are good");
  const RankInterval other_start = some_start(n, holder, t, left_half);
  if (path().choose(2) == 0)
    return path().require(agree(start, other_start), "members agree on the first interval");
  const RankInterval other = some_interval(other_start);
  path().assume(is_good(other_start, t, other));
  path().assume(agree(before, other));
  path().assume(agree(other, before));
  path().require(agree(half_of(before), half_of(other)), "members of a half agree on it");
}

Report prove(const std::string& name) {
  if (name.empty()) return {};
  if (name == algorithms::distances_lemma) return explore(distances_of_circulant);
  if (name == RankInterval::lemma) return explore(intervals);
  Report report;
  report.unsupported = "no proof of the lemma '" + name + "'";
  return report;
}

}  // namespace

const Report& lemma_proof(const std::string& name) {
  static std::map<std::string, Report> proofs;
  const auto found = proofs.find(name);
  return found != proofs.end() ? found->second : proofs.emplace(name, prove(name)).first->second;
}

}  // namespace tutti::prove
