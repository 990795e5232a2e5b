// SPDX-License-Identifier: BSD-3-Clause
// Judges (judge.hpp). The times of all calls are known, and when calls began only of the samples.
// So the waiting of a kind of calls is their time without the mean work of a sample.
#include "verdict/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace tutti::tools {
namespace {

constexpr double too_short_below = 1;  // seconds
constexpr double worth = 0.01;         // least part of the program's time that matters
constexpr double mostly = 0.75;        // part of the collectives that is mostly waiting
constexpr double few_work = 0.02;      // part of the program's time that the rest may take then
constexpr double one_is_late = 0.5;    // part of the waiting that one rank causes

// The ranks that a rank of an operation needs before it can go on.
enum class Needs { all, root, as_root, lower };
Needs needs_of(std::string_view operation) {
  if (operation == "bcast" || operation == "scatter" || operation == "scatterv") return Needs::root;
  if (operation == "reduce" || operation == "gather" || operation == "gatherv")
    return Needs::as_root;
  return operation == "scan" || operation == "exscan" ? Needs::lower : Needs::all;
}

bool needs(Needs what, const RecordedCall& mine, const RecordedCall& other) {
  switch (what) {
    case Needs::root:
      return other.is_root;
    case Needs::as_root:
      return mine.is_root;
    case Needs::lower:
      return other.rank < mine.rank;
    case Needs::all:
      break;
  }
  return true;
}

// The sums of the samples of a kind on one rank.
struct Sampled {
  double calls = 0, working = 0;
};
struct Samples {
  std::map<std::pair<int, int>, Sampled> by_kind;  // by kind and rank
  std::map<int, std::vector<double>> us_by_kind;
  std::map<int, double> waited_for;  // seconds by the rank that came last
};

Samples samples_of(const MpiRecord& record) {
  Samples found;
  for (const auto& call : record.samples) {
    const RecordedKind& kind = record.kinds[static_cast<std::size_t>(call.front().kind)];
    const bool whole = static_cast<int>(call.size()) == kind.members;
    for (std::size_t member = 0; whole && member < call.size(); ++member) {
      const RecordedCall& one = call[member];
      const SplitCall parts = split(kind.operation, call, member);
      Sampled& sum = found.by_kind[{one.kind, one.rank}];
      sum.calls += 1;
      sum.working += parts.working;
      found.us_by_kind[one.kind].push_back(one.taken * us_in_second);
      if (parts.last >= 0) found.waited_for[parts.last] += parts.waiting;
    }
  }
  return found;
}

// Returns the seconds that one rank has waited in calls of a kind.
std::optional<double> waiting_of(const Samples& samples, int kind, const RankSums& sums) {
  const auto found = samples.by_kind.find({kind, sums.rank});
  if (found == samples.by_kind.end()) return std::nullopt;
  const double working = found->second.working / found->second.calls * sums.calls;
  return std::clamp(sums.seconds - working, 0.0, sums.seconds);
}

PlaceCosts costs_of(const MpiRecord& record, int number, const Samples& samples) {
  const RecordedKind& kind = record.kinds[static_cast<std::size_t>(number)];
  PlaceCosts costs;
  costs.place = kind.place;
  costs.operation = kind.operation;
  costs.by_tutti = kind.by_tutti;
  costs.why = kind.why;
  double calls = 0, bytes = 0, seconds = 0, waiting = 0;
  bool known = true;
  for (const RankSums& sums : kind.ranks) {
    calls += sums.calls;
    bytes += sums.bytes;
    seconds += sums.seconds;
    const auto waited = waiting_of(samples, number, sums);
    known = known && waited.has_value();
    waiting += waited.value_or(0);
  }
  const auto ranks = static_cast<double>(std::max<std::size_t>(1, kind.ranks.size()));
  costs.calls = calls / ranks;
  costs.bytes = calls > 0 ? bytes / calls : 0;
  costs.seconds = seconds / ranks;
  if (known) costs.waiting = waiting / ranks;
  const auto found = samples.us_by_kind.find(number);
  if (found != samples.us_by_kind.end()) costs.call = figures_of(found->second);
  return costs;
}

void add_collectives(Verdict& verdict, const MpiRecord& record, const Samples& samples) {
  std::vector<double> of_rank(record.ranks.size());
  for (int number = 0; number < static_cast<int>(record.kinds.size()); ++number) {
    for (const RankSums& sums : record.kinds[static_cast<std::size_t>(number)].ranks) {
      of_rank[static_cast<std::size_t>(sums.rank)] += sums.seconds;
      const auto waited = waiting_of(samples, number, sums);
      (waited ? verdict.waiting : verdict.not_sampled) += waited.value_or(sums.seconds);
    }
    verdict.places.push_back(costs_of(record, number, samples));
  }
  const auto ranks = static_cast<double>(record.ranks.size());
  for (const double seconds : of_rank) verdict.collectives += seconds / ranks;
  verdict.least = *std::ranges::min_element(of_rank);
  verdict.most = *std::ranges::max_element(of_rank);
  verdict.waiting /= ranks;
  verdict.not_sampled /= ranks;
  std::ranges::sort(verdict.places, std::greater(), &PlaceCosts::seconds);
}

void add_late_ranks(Verdict& verdict, const Samples& samples) {
  double all = 0;
  for (const auto& [rank, seconds] : samples.waited_for) all += seconds;
  for (const auto& [rank, seconds] : samples.waited_for)
    if (seconds > 0) verdict.late.push_back({rank, seconds / all});
  std::ranges::sort(verdict.late, std::greater(), &LateRank::share);
}

void add_comparison(Verdict& verdict, const MpiRecord& record) {
  for (const RepeatedCalls& calls : record.compared) {
    if (calls.tutti_us.empty() || calls.mpi_us.empty()) continue;
    ComparedCalls one{calls, figures_of(calls.tutti_us), figures_of(calls.mpi_us)};
    one.more = calls.calls * (one.theirs.median - one.ours.median) / us_in_second;
    one.least = calls.calls * (one.theirs.lower - one.ours.upper) / us_in_second;
    one.most = calls.calls * (one.theirs.upper - one.ours.lower) / us_in_second;
    verdict.more += one.more;
    verdict.least_more += one.least;
    verdict.most_more += one.most;
    verdict.compared.push_back(std::move(one));
  }
  std::ranges::sort(verdict.compared, [](const ComparedCalls& a, const ComparedCalls& b) {
    return std::abs(a.more) > std::abs(b.more);
  });
}

void add_times(Verdict& verdict, const MpiRecord& record) {
  const auto [first, last] = span_of(record);
  verdict.seconds = last - first;
  for (const RecordedRank& rank : record.ranks)
    verdict.starting = std::max(verdict.starting, rank.begun - rank.joining);
}

std::string busy_of(const MpiRecord& record) {
  const auto here =
      std::ranges::count(record.ranks, record.ranks.front().host, &RecordedRank::host);
  std::string why = disturbance(record.load, static_cast<int>(here));
  if (why.empty() && record.compares)
    why = disturbance(record.load_comparing, static_cast<int>(here));
  return why;
}

Answer answer_of(const Verdict& verdict, const MpiRecord& record) {
  const double working = verdict.collectives - verdict.waiting;
  if (verdict.collectives < worth * verdict.seconds) return Answer::no_collectives;
  if (verdict.seconds < too_short_below) return Answer::too_short;
  if (!verdict.busy.empty()) return Answer::busy;
  if (verdict.waiting >= mostly * verdict.collectives && working < few_work * verdict.seconds)
    return Answer::waits;
  if (!record.compares || verdict.compared.empty()) return Answer::unknown;
  if (verdict.least_more > 0 && verdict.more >= worth * verdict.seconds) return Answer::helps;
  if (verdict.most_more < 0 && -verdict.more >= worth * verdict.seconds) return Answer::slows;
  return Answer::no_difference;
}

// Returns the operations whose calls the MPI makes faster, such as "bcast,gather".
std::string slower_operations(const Verdict& verdict) {
  std::set<std::string> names;
  for (const ComparedCalls& one : verdict.compared)
    if (one.is_significant() && one.more < 0) names.insert(one.calls.operation);
  return fmt::format("{}", fmt::join(names, ","));
}

std::string late_text(const Verdict& verdict) {
  if (verdict.late.empty()) return {};
  const LateRank& latest = verdict.late.front();
  if (latest.share < one_is_late) return ", for different ranks";
  return fmt::format(", {:.0f} % of it for rank {}", 100 * latest.share, latest.rank);
}

std::string helps_text(const Verdict& verdict) {
  const std::string slower = slower_operations(verdict);
  return fmt::format(
      "tutti helps: by the MPI alone the program would have run about {:.3g} s ({:.3g} to {:.3g}), "
      "{:.0f} % longer{}",
      verdict.seconds + verdict.more, verdict.seconds + verdict.least_more,
      verdict.seconds + verdict.most_more, percent(verdict.more, verdict.seconds),
      slower.empty() ? "" : fmt::format("; the MPI is faster in {0}: TUTTI_MPI_OFF={0}", slower));
}

std::string slows_text(const Verdict& verdict) {
  return fmt::format(
      "tutti slows the program: by the MPI alone it would have run about {:.3g} s ({:.3g} to "
      "{:.3g}); TUTTI_MPI_OFF={} leaves the slower calls to the MPI, and so does tutti tune under "
      "mpirun",
      verdict.seconds + verdict.more, verdict.seconds + verdict.least_more,
      verdict.seconds + verdict.most_more, slower_operations(verdict));
}

std::string no_difference_text(const Verdict& verdict) {
  return fmt::format(
      "no significant difference: by the MPI alone the program would have run about {:.3g} s "
      "({:.3g} to {:.3g})",
      verdict.seconds + verdict.more, verdict.seconds + verdict.least_more,
      verdict.seconds + verdict.most_more);
}

std::string unknown_text(const Verdict& verdict) {
  const double working = verdict.collectives - verdict.waiting;
  return fmt::format(
      "tutti may change what is not waiting, {:.3g} s ({:.1f} % of the time); --compare says what "
      "the MPI would have taken",
      working, percent(working, verdict.seconds));
}

std::string sentence_of(const Verdict& verdict) {
  switch (verdict.answer) {
    case Answer::too_short:
      return fmt::format(
          "tutti cannot help a program that runs {:.3g} s: starting it takes {:.2g} s, and "
          "collectives take {:.2g} s in all",
          verdict.seconds, verdict.starting, verdict.collectives);
    case Answer::no_collectives:
      return fmt::format(
          "tutti cannot help: collectives take {:.1g} % of the time, and tutti changes nothing "
          "else",
          percent(verdict.collectives, verdict.seconds));
    case Answer::busy:
      return fmt::format("busy, not significant: {}; run the program on a quiet machine",
                         verdict.busy);
    case Answer::waits:
      return fmt::format(
          "tutti cannot help: {:.0f} % of the time in collectives is waiting for others{}; the "
          "work is not balanced",
          percent(verdict.waiting, verdict.collectives), late_text(verdict));
    case Answer::unknown:
      return unknown_text(verdict);
    case Answer::helps:
      return helps_text(verdict);
    case Answer::slows:
      return slows_text(verdict);
    case Answer::no_difference:
      break;
  }
  return no_difference_text(verdict);
}

}  // namespace

const char* to_text(Answer answer) {
  constexpr const char* names[] = {"too short", "no collectives", "busy",  "waits",
                                   "unknown",   "helps",          "slows", "no difference"};
  return names[static_cast<int>(answer)];
}

std::pair<double, double> span_of(const MpiRecord& record) {
  std::pair<double, double> span{record.ranks.front().begun, record.ranks.front().ended};
  for (const RecordedRank& rank : record.ranks) {
    span.first = std::min(span.first, rank.begun);
    span.second = std::max(span.second, rank.ended);
  }
  return span;
}

SplitCall split(const std::string& operation, const std::vector<RecordedCall>& call,
                std::size_t member) {
  const RecordedCall& mine = call[member];
  const Needs what = needs_of(operation);
  SplitCall parts{.working = mine.taken};
  double latest = mine.begun;
  for (const RecordedCall& other : call) {
    if (other.begun <= latest || !needs(what, mine, other)) continue;
    latest = other.begun;
    parts.last = other.rank;
  }
  parts.waiting = std::min(latest - mine.begun, mine.taken);
  parts.working = mine.taken - parts.waiting;
  return parts;
}

Verdict judge(const MpiRecord& record) {
  const Samples samples = samples_of(record);
  Verdict verdict;
  add_times(verdict, record);
  add_collectives(verdict, record, samples);
  add_late_ranks(verdict, samples);
  add_comparison(verdict, record);
  verdict.busy = busy_of(record);
  verdict.answer = answer_of(verdict, record);
  verdict.sentence = sentence_of(verdict);
  return verdict;
}

}  // namespace tutti::tools
