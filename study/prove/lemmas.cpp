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
  path().assume(p <= schedule::largest_p);
  path().assume(0 <= k);
  path().assume(k < schedule::ceil_log2(p));
  path().require(algorithms::nearly_doubles(p, k), "a distance nearly doubles");
}

RankInterval some_interval(const RankInterval& start) {
  RankInterval state = start;
  for (Int* number : numbers_of(state)) *number = path().unknown("state");
  return state;
}

// The subject of the induction over rounds: n members and the first holder.
struct Halving {
  Int n, holder, t;
  algorithms::LeftHalf left_half;
  Halving()
      : n(path().unknown("n")),
        holder(path().unknown("holder")),
        t(path().unknown("t")),
        left_half(path().choose(2) == 0 ? algorithms::folded_half : algorithms::balanced_half) {}

  [[nodiscard]] RankInterval some_start() const {
    const RankInterval start{path().unknown("low"), n, holder, path().unknown("me"), left_half};
    path().assume(is_start(start, t));
    return start;
  }
};

void first_interval_is_good() {
  const RankInterval start = Halving().some_start();
  path().require(is_good(start, 0, start), "the first interval is good");
}

void halves_are_good() {
  const Halving of;
  const RankInterval start = of.some_start(), before = some_interval(start);
  path().assume(is_good(start, of.t, before));
  path().require(is_good(start, of.t + 1, half_of(before)), "halves are good");
}

void members_agree_at_first() {
  const Halving of;
  const RankInterval start = of.some_start(), other = of.some_start();
  path().require(agree(start, other), "members agree on the first interval");
}

void members_agree_on_halves() {
  const Halving of;
  const RankInterval start = of.some_start(), other_start = of.some_start();
  const RankInterval before = some_interval(start), other = some_interval(other_start);
  path().assume(is_good(start, of.t, before));
  path().assume(is_good(other_start, of.t, other));
  path().assume(agree(before, other));
  path().assume(agree(other, before));
  path().require(agree(half_of(before), half_of(other)), "members of a half agree on it");
}

// Returns what has become of all of them. One that has shown nothing proves nothing.
Report all_shown(std::initializer_list<void (*)()> steps) {
  Report report;
  for (const auto step : steps) {
    Report one = explore(step);
    if (one.stages[0].obligations == 0 && one.proved())
      one.unsupported = "a step of a lemma has shown nothing";
    report.add(one);
  }
  return report;
}

Report prove(const std::string& name) {
  if (name.empty()) return {};
  if (name == algorithms::distances_lemma) return all_shown({distances_of_circulant});
  if (name == RankInterval::lemma)
    return all_shown(
        {first_interval_is_good, halves_are_good, members_agree_at_first, members_agree_on_halves});
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
