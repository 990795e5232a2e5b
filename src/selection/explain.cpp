// SPDX-License-Identifier: BSD-3-Clause
// Makes explanations: prices and sorts the alternatives, and gives the reasons.
#include "selection/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "algorithms/adopted.hpp"
#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "selection/headers.hpp"
#include "selection/ranking.hpp"

namespace tutti::selection {
namespace {

bool never_better(const Terms& loser, const Terms& winner) {
  return loser.alpha >= winner.alpha && loser.beta >= winner.beta && loser.gamma >= winner.gamma &&
         loser.hops >= winner.hops && loser.copied >= winner.copied;
}

// Returns where on the envelope the row lies, as "best from 3 KiB to 30 KiB"; empty if nowhere.
std::string range_of(std::size_t row, const std::vector<EnvelopePiece>& pieces) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].line != row) continue;
    const std::string from = fmt::format("best from {}", bytes_text(pieces[i].from));
    return i + 1 < pieces.size() ? fmt::format("{} to {}", from, bytes_text(pieces[i + 1].from))
                                 : from;
  }
  return {};
}

// A part of a difference of two times: its name and microseconds.
using Part = std::pair<const char*, double>;

// Lists the parts that count.
std::string parts_text(std::span<const Part> parts) {
  double largest = 0;
  for (const auto& [name, time] : parts) largest = std::max(largest, std::abs(time));
  std::string text;
  for (const auto& [name, time] : parts) {
    if (std::abs(time) <= largest / 1000 || time == 0) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", name, time > 0 ? "+" : "-",
                        time_text(std::abs(time)));
  }
  return text.empty() ? "as fast" : text;
}

// Returns the price of a plan as a line in the bytes of the vector: a constant, and a part for each
// byte.
Terms line_of(const HostPlan& plan, const HostRates& rates, const HostPlace& place) {
  const double constant = host_times(plan.counts, rates, 0, place).total();
  return {constant, host_times(plan.counts, rates, 1 / plan.parts, place).total() - constant, 0};
}

// Returns the plan's row, with the terms that its header states. A plan from a file or of a program
// has no header.
Row row_on_host(Alternative plan, const HostPlan& priced, const Explanation& out) {
  const auto known =
      stated(*plan.generator, plan.settings.shape(out.question.p, out.question.root));
  if (known) plan.terms = known->terms;
  plan.basis = !known ? Basis::not_stated : known->bound ? Basis::bound : Basis::formula;
  return {std::move(plan), priced.times.total(), {}, priced};
}

void give_host_reasons(Explanation& out) {
  for (std::size_t i = 1; i < out.rows.size(); ++i) {
    Row& row = out.rows[i];
    row.why = difference(row.on_host->times, out.rows[0].on_host->times);
    const std::string range = range_of(i, out.pieces);
    if (!range.empty()) row.why += "; " + range;
  }
}

bool is_bound(const Row& row) {
  return row.alternative.is_lower_bound();
}

void give_reasons(Explanation& out, const Rates& rates) {
  for (std::size_t i = 1; i < out.rows.size(); ++i) {
    Row& row = out.rows[i];
    if (is_bound(row) && !is_bound(out.rows[0])) {
      row.why = "has too many messages to be counted here; it costs at least this";
      continue;
    }
    const Terms& winner = out.rows[0].alternative.terms;
    row.why = difference(row.alternative.terms, winner, rates, static_cast<double>(out.bytes));
    const std::string range = range_of(i, out.pieces);
    if (!range.empty()) row.why += "; " + range;
    if (row.time > out.rows[0].time && never_better(row.alternative.terms, winner))
      row.why += "; better at no size";
  }
}

// Returns why an algorithm without a row has none, in a clause.
std::string why_left_out(const schedule::Generator& generator, const Explanation& out) {
  if (!algorithms::is_candidate(generator)) return "is no candidate, so it is only used by name";
  if (out.host && generator.parameter != schedule::Parameter::none)
    return "has settings, which are not tried on one host, so it is only used by name";
  std::string why = rejection({&generator, {}, generator.name, {}, {}}, out.question);
  if (!why.empty()) return why;
  return out.host ? "has too many rounds to be counted" : "its cost is not stated";
}

void refuse_rest(Explanation& out) {
  for (const schedule::Generator* generator : algorithms::all()) {
    if (generator->operation != out.question.operation) continue;
    const auto is_it = [&](const auto& entry) { return entry.alternative.generator == generator; };
    const auto has_name = [&](const Refused& refused) {
      return refused.name == generator->name ||
             refused.name.starts_with(std::string(generator->name) + ":");
    };
    if (std::any_of(out.rows.begin(), out.rows.end(), is_it)) continue;
    if (std::any_of(out.refused.begin(), out.refused.end(), has_name)) continue;
    out.refused.push_back({generator->name, why_left_out(*generator, out)});
  }
  std::string why = native_rejection(out.question);
  if (why.empty()) why = "is the MPI's own: its cost is not stated, so it is only used by name";
  out.refused.push_back({std::string(algorithms::native_name), std::move(why)});
  std::sort(out.refused.begin(), out.refused.end(),
            [](const Refused& a, const Refused& b) { return a.name < b.name; });
}

}  // namespace

std::string difference(const Terms& loser, const Terms& winner, const Rates& rates, double bytes) {
  const Part parts[] = {{"start-ups", (loser.alpha - winner.alpha) * rates.alpha},
                        {"traffic", (loser.beta - winner.beta) * bytes * rates.beta},
                        {"combining", (loser.gamma - winner.gamma) * bytes * rates.gamma},
                        {"links", (loser.hops - winner.hops) * rates.hop},
                        {"copying", (loser.copied - winner.copied) * bytes * rates.copy}};
  return parts_text(parts);
}

std::string difference(const HostTimes& loser, const HostTimes& winner) {
  const Part parts[] = {{"waiting", loser.waiting - winner.waiting},
                        {"messages", loser.messages - winner.messages},
                        {"copying", loser.copying - winner.copying},
                        {"combining", loser.combining - winner.combining}};
  return parts_text(parts);
}

Explanation explain_on_host(const Question& question, std::int64_t bytes,
                            const machine::Profile& machine, int processors) {
  Explanation out{question, bytes, machine, {}, {}, {}, HostPlace{question.p, processors}};
  HostRanking ranking(host_rates_of(machine), processors);
  std::vector<Terms> lines;
  for (HostPlan& plan : ranking.all(question, bytes)) {
    lines.push_back(line_of(plan, ranking.rates(), *out.host));
    out.rows.push_back(row_on_host({plan.generator, {}, plan.generator->name, {}, {}}, plan, out));
  }
  if (!lines.empty()) out.pieces = envelope(lines, {1, 1, 0});
  give_host_reasons(out);
  refuse_rest(out);
  return out;
}

Explanation explain(const Question& question, std::int64_t bytes, const machine::Profile& machine,
                    const machine::Topology* network) {
  const Rates rates = rates_of(machine);
  Explanation out{question, bytes, machine, {}, {}, {}};
  if (network != nullptr) out.network = network->name();
  Sharing sharing = sharing_of(machine, network);
  // On hosts the library counts once for all sizes, and explanations count as it does.
  if (question.hosts.empty()) sharing.bytes = static_cast<double>(bytes);
  for (Alternative& a : alternatives(question, sharing)) {
    if (std::string why = rejection(a, question); !why.empty()) {
      out.refused.push_back({a.name, std::move(why)});
      continue;
    }
    const double needed = time(a.terms, rates, static_cast<double>(bytes));
    out.rows.push_back({std::move(a), needed, {}});
  }
  std::stable_sort(out.rows.begin(), out.rows.end(), [](const Row& a, const Row& b) {
    return std::pair(is_bound(a), a.time) < std::pair(is_bound(b), b.time);
  });
  std::vector<Terms> lines;
  for (const Row& row : out.rows)
    if (!is_bound(row) || is_bound(out.rows[0])) lines.push_back(row.alternative.terms);
  if (!lines.empty()) out.pieces = envelope(lines, rates);
  give_reasons(out, rates);
  refuse_rest(out);
  return out;
}

namespace {

// Returns the row of one plan for an explanation of one host.
Row host_row_of(const Forced& plan, const std::string& name, const Explanation& e) {
  const HostPlan priced = host_plan(*plan.generator, plan.settings, e.question, e.bytes,
                                    host_rates_of(e.machine), e.host->processors);
  Row row = row_on_host({plan.generator, plan.settings, name, {}, {}}, priced, e);
  if (!e.rows.empty() && e.rows[0].alternative.name != name)
    row.why = difference(priced.times, e.rows[0].on_host->times);
  return row;
}

}  // namespace

Row row_of(const Forced& plan, const Explanation& e, const machine::Topology* network) {
  const std::string name = plan_name(*plan.generator, plan.settings);
  const auto refuse = [&](const std::string& why) {
    base::fail(base::Status::no_such_plan, "{} {} with {} ranks {}",
               schedule::to_text(e.question.operation), name, e.question.p, why);
  };
  if (const std::string why = rejection({plan.generator, plan.settings, name, {}, {}}, e.question);
      !why.empty())
    refuse(why);
  if (e.host) return host_row_of(plan, name, e);
  const auto found =
      priced(e.question, *plan.generator, plan.settings, sharing_of(e.machine, network));
  if (!found) refuse("has no price: its cost is not stated");
  const Rates rates = rates_of(e.machine);
  Row row{*found, time(found->terms, rates, static_cast<double>(e.bytes)), {}};
  if (!e.rows.empty() && e.rows[0].alternative.name != name)
    row.why =
        difference(found->terms, e.rows[0].alternative.terms, rates, static_cast<double>(e.bytes));
  return row;
}

std::string time_text(double us) {
  if (us < 1000) return fmt::format("{:.3g} us", us);
  if (us < 1e6) return fmt::format("{:.3g} ms", us / 1e3);
  return fmt::format("{:.4g} s", us / 1e6);
}

std::string bytes_text(double bytes) {
  if (bytes < 1024) return fmt::format("{:.4g} B", std::ceil(bytes));
  if (bytes < 1024 * 1024) return fmt::format("{:.4g} KiB", bytes / 1024);
  return fmt::format("{:.4g} MiB", bytes / (1024 * 1024));
}

std::string sizes_text(const Range& range) {
  const auto size = [](std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  const bool unlimited = range.last == std::numeric_limits<std::int64_t>::max();
  if (range.first == 0 && unlimited) return "any size";
  const std::string from = range.first > 0 ? "above " + size(range.first - 1) : "";
  if (unlimited) return from;
  return fmt::format("{}up to {}", from.empty() ? "" : from + ", ", size(range.last));
}

}  // namespace tutti::selection
