// SPDX-License-Identifier: BSD-3-Clause
// Writes explanations as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "explain/print.hpp"
#include "schedule/printer.hpp"
#include "selection/size_class.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

using selection::bytes_text;
using selection::time_text;

// Returns a size such as "64 KiB" or "64 KiB (blocks of 4 KiB)".
std::string size_of(const Extent& extent) {
  const std::string whole = bytes_text(static_cast<double>(extent.bytes));
  if (extent.block == extent.bytes) return whole;
  return fmt::format("{} (blocks of {})", whole, bytes_text(static_cast<double>(extent.block)));
}

std::string question_text(const selection::Explanation& e, const Extent& extent) {
  const selection::Question& q = e.question;
  std::string text =
      fmt::format("{} of {} over {} ranks", schedule::to_text(q.operation), size_of(extent), q.p);
  if (!q.hosts.empty()) {
    text += fmt::format(" on {} hosts", selection::host_count(q.hosts));
  } else if (!q.mesh.empty())
    text += fmt::format(" as a mesh {}", fmt::join(q.mesh, "x"));
  if (!e.network.empty() && q.mesh.empty()) text += " on " + e.network;
  if (q.root != 0) text += fmt::format(", root {}", q.root);
  if (!q.commutative) text += ", operator not commutative";
  if (q.reproducible) text += ", reproducible";
  return text;
}

const char* mark_of(selection::Basis basis) {
  switch (basis) {
    case selection::Basis::formula:
    case selection::Basis::not_stated:
      return "";
    case selection::Basis::counted:
      return "*";
    case selection::Basis::counted_on_hosts:
      return "+";
    case selection::Basis::at_least:
      return ">";
    case selection::Basis::bound:
      break;
  }
  return "<";
}

double ratio_of(const selection::Row& row, double best) {
  return best > 0 ? row.time / best : 1.0;
}

// Volumes are in vectors: those of all ranks if they share processors, else those along the rounds.
// Adds the cells of a row, whose time may be the best one.
void add(Table& table, const selection::Row& row, double best, Table::Row cells) {
  if (row.time <= best)
    table.add_best(std::move(cells));
  else
    table.add(std::move(cells));
}

Table host_table_of(const std::vector<const selection::Row*>& shown, double best,
                    const selection::HostPlace& place) {
  Table table(
      "time>9;  x best>6.2f;  written>7.4g;  read>6.4g;  combined>8.4g;  copied>6.4g;  "
      "messages>8;  waits>6;  rounds>6;  algorithm<0;  what it loses and gains against the "
      "first<0");
  for (const selection::Row* row : shown) {
    const schedule::HostCounts& counts = row->on_host->counts;
    const schedule::Work& work = place.oversubscribed() ? counts.total : counts.path;
    const auto vectors = [&](std::int64_t blocks) {
      return static_cast<double>(blocks) / row->on_host->parts;
    };
    add(table, *row, best,
        {time_text(row->time), ratio_of(*row, best), vectors(work.written), vectors(work.read),
         vectors(work.combined), vectors(work.copied), work.posted + work.taken,
         place.oversubscribed() ? counts.waits : 0, counts.rounds, row->alternative.name,
         row->why});
  }
  return table;
}

Table table_of(const std::vector<const selection::Row*>& shown, double best,
               const selection::Rates& rates) {
  Table table("time>9;  x best>6.2f;  a>7g; b>9; g>7.4g");
  if (rates.hop > 0) table.add_columns(" links>5g");
  if (rates.copy > 0) table.add_columns(" c>7.4g");
  table.add_columns("  algorithm<0;  what it loses and gains against the first<0");
  for (const selection::Row* row : shown) {
    const selection::Terms& t = row->alternative.terms;
    Table::Row cells = {time_text(row->time), ratio_of(*row, best), t.alpha,
                        fmt::format("{:.4g}{}", t.beta, mark_of(row->alternative.basis)), t.gamma};
    if (rates.hop > 0) cells.emplace_back(t.hops);
    if (rates.copy > 0) cells.emplace_back(t.copied);
    cells.emplace_back(row->alternative.name);
    cells.emplace_back(row->why);
    add(table, *row, best, std::move(cells));
  }
  return table;
}

// Returns the rates of the terms that the explanation has. Links are passed on a network only;
// copies count there and on several hosts.
selection::Rates rates_shown(const selection::Explanation& e) {
  selection::Rates rates = selection::rates_of(e.machine);
  if (e.network.empty()) rates.hop = 0;
  if (e.network.empty() && e.question.hosts.empty()) rates.copy = 0;
  return rates;
}

// Plans that cost more times as much as the best at every size are only shown on request.
constexpr double hidden_from = 20;
constexpr int largest_power = 30;  // of two; sizes up to here are compared

// Returns for each row whether it is near the best at some size, or at the call's own size. Lower
// bounds are compared with prices, if there are any.
std::vector<bool> near_the_best(const selection::Explanation& e) {
  std::vector<bool> near(e.rows.size());
  const auto compare = [&](double bytes) {
    std::vector<double> times;
    for (const selection::Row& row : e.rows) times.push_back(time_of(e, row, bytes));
    const auto is_price = [](const selection::Row& row) {
      return !row.alternative.is_lower_bound();
    };
    const bool bounds_only = std::none_of(e.rows.begin(), e.rows.end(), is_price);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < times.size(); ++i)
      if (bounds_only || is_price(e.rows[i])) best = std::min(best, times[i]);
    for (std::size_t i = 0; i < times.size(); ++i)
      near[i] = near[i] || times[i] <= hidden_from * best;
  };
  compare(static_cast<double>(e.bytes));
  for (int power = 0; power <= largest_power; power += 2)
    compare(static_cast<double>(std::int64_t{1} << power));
  return near;
}

// Chooses the rows to show.
std::vector<const selection::Row*> shown_rows(const selection::Explanation& e, Detail detail) {
  std::vector<const selection::Row*> shown;
  std::set<const schedule::Generator*> seen;
  const std::vector<bool> near = near_the_best(e);
  for (std::size_t i = 0; i < e.rows.size(); ++i) {
    if (!near[i] && detail == Detail::best) continue;
    const bool first = seen.insert(e.rows[i].alternative.generator).second;
    const bool best = std::any_of(e.pieces.begin(), e.pieces.end(),
                                  [&](const auto& piece) { return piece.line == i; });
    if (first || best || detail == Detail::all) shown.push_back(&e.rows[i]);
  }
  return shown;
}

std::string notes_text(const std::vector<const selection::Row*>& shown, std::size_t left_out,
                       int p) {
  const auto has = [&](selection::Basis basis) {
    return std::any_of(shown.begin(), shown.end(),
                       [&](const auto* row) { return row->alternative.basis == basis; });
  };
  std::string text;
  if (left_out > 0)
    text += fmt::format(
        "and {} other plans, which --all shows: more settings, or never within {} times of the "
        "best\n",
        left_out, hidden_from);
  if (shown[0]->on_host) return text;
  if (has(selection::Basis::counted))
    text += "* counted on the links of the network, round by round\n";
  if (has(selection::Basis::counted_on_hosts)) {
    text +=
        "+ a and b counted in units of alpha and beta within a host; messages between hosts count "
        "for more\n";
  }
  if (has(selection::Basis::bound)) text += "< a bound that some roots reach\n";
  if (has(selection::Basis::at_least))
    text += fmt::format(
        "> a bound from below: beyond {} messages and rounds of ranks in all, plans are not "
        "counted\n",
        selection::most_counted(p));
  return text;
}

std::string rows_text(const selection::Explanation& e, Detail detail) {
  const std::vector<const selection::Row*> shown = shown_rows(e, detail);
  const Table table = e.host ? host_table_of(shown, e.rows[0].time, *e.host)
                             : table_of(shown, e.rows[0].time, rates_shown(e));
  return "\n" + table.text() + notes_text(shown, e.rows.size() - shown.size(), e.question.p);
}

std::string crossovers_text(const selection::Explanation& e) {
  Table table(">12;  <0");
  for (const selection::EnvelopePiece& piece : e.pieces)
    table.add({bytes_text(piece.from), e.rows[piece.line].alternative.name});
  return "\nfastest from\n" + table.rows_text();
}

std::string refused_text(const selection::Explanation& e) {
  std::string text = "\nnot eligible\n";
  for (const selection::Refused& refused : e.refused)
    text += fmt::format("  {}: {}\n", refused.name, refused.why);
  return text;
}

// Returns for example "9.11 us, 4.58 times that of circulant: start-ups +...".
std::string model_text(const selection::Row& row, const selection::Row& best) {
  const std::string time = time_text(row.time);
  if (row.alternative.name == best.alternative.name)
    return fmt::format("{}, the least of all\n", time);
  return fmt::format("{}, {:.2f} times that of {}: {}\n", time,
                     best.time > 0 ? row.time / best.time : 1.0, best.alternative.name, row.why);
}

const char* judge_of(const selection::Explanation& e) {
  return e.host ? "the price is " : "the model says ";
}

// Returns true if the library decides by a size other than the call's own, namely the largest of
// its size class. The call's own size decides if the user names the plan, or if a row of a table
// ends within the class. A barrier has no size.
bool decided_by_class(const ExplainAnswer& answer) {
  return answer.library->decider != selection::Decider::user &&
         answer.explanation.question.operation != schedule::Operation::barrier &&
         answer.decided_for != answer.explanation.bytes;
}

// Describes what the library does in a job of this call, by which size it decides, and on which
// hosts the processes are assumed to run.
std::string library_text(const ExplainAnswer& answer) {
  const selection::Explanation& e = answer.explanation;
  const int hosts = selection::host_count(e.question.hosts);
  std::string text =
      fmt::format("a job of {} processes on {} gets {}: {}\n", e.question.p,
                  hosts == 1 ? "this host" : fmt::format("{} hosts like this one", hosts),
                  library_name(answer), answer.library->reason);
  if (answer.library_row && !e.rows.empty())
    text += judge_of(e) + model_text(*answer.library_row, e.rows[0]);
  if (decided_by_class(answer)) {
    const int size_class = selection::size_class_of(e.bytes);
    text += fmt::format("decided by the size {}, for all sizes {}\n",
                        bytes_text(static_cast<double>(answer.decided_for)),
                        selection::sizes_text(selection::sizes_of_class(size_class)));
  }
  return text + (hosts == 1
                     ? "assumed: one host, whose memory all processes share; --hosts H asks about "
                       "several hosts\n\n"
                     : "assumed: several hosts without common memory, ranks in order; without "
                       "--hosts it is one host\n\n");
}

// Says by which formula plans are priced on a network or on several hosts.
std::string formula_text(const selection::Explanation& e) {
  const selection::Rates rates = rates_shown(e);
  std::string text =
      fmt::format("time = alpha*a{} + bytes*(beta*b + gamma*g{})\n",
                  rates.hop > 0 ? " + hop*links" : "", rates.copy > 0 ? " + copy*c" : "");
  if (rates.hop > 0) text += fmt::format("hop {:g} us for each link passed\n", rates.hop);
  if (rates.copy > 0) text += fmt::format("copy {:g} us/B within a rank\n", rates.copy);
  if (e.network.empty()) return text;
  const double link = selection::link_of(e.machine);
  if (link == 0)
    return text + fmt::format(
                      "messages do not share the links of {}: kappa is inf, and the "
                      "profile has no network.link_beta\n",
                      e.network);
  return text + fmt::format("messages share the links of {}, where a byte takes {:g} times beta\n",
                            e.network, link);
}

// Says by which rates and which formula plans are priced on one host.
std::string host_formula_text(const selection::Explanation& e) {
  const selection::HostRates rates = selection::host_rates_of(e.machine);
  std::string text = fmt::format(
      "ns a byte: written {:g}, read {:g}, combined {:g}, copied {:g}; ns: message {:g}",
      1e3 * rates.written, 1e3 * rates.read, 1e3 * rates.combined, 1e3 * rates.copied,
      1e3 * rates.message);
  if (e.host->oversubscribed()) {
    text += fmt::format(
        ", wait {:g}, round {:g}\ntime = (work and waits of all ranks) / {} + rounds, because {} "
        "ranks share {} processors\n",
        1e3 * rates.wait, 1e3 * rates.round, e.host->processors, e.host->p, e.host->processors);
  } else {
    text += fmt::format(
        ", round {:g}\ntime = work of the busiest rank of each round + rounds, because {} ranks "
        "have {} processors\n",
        1e3 * rates.line, e.host->p, e.host->processors);
  }
  return text + "the rates were fitted to plans on two processors, so for more they are assumed\n";
}

}  // namespace

double time_of(const selection::Explanation& e, const selection::Row& row, double bytes) {
  if (row.on_host)
    return selection::host_times(row.on_host->counts, selection::host_rates_of(e.machine),
                                 bytes / row.on_host->parts, *e.host)
        .total();
  return selection::time(row.alternative.terms, rates_shown(e), bytes);
}

std::string rates_text(const machine::Profile& m) {
  const auto one = [](const char* name, const machine::Number& n, const char* unit) {
    return fmt::format("{} {:g}{} ({})", name, n.value, unit, machine::to_text(n.status));
  };
  return fmt::format("{}, {}, {}, {}", one("alpha", m.alpha, " us"), one("beta", m.beta, " us/B"),
                     one("gamma", m.gamma, " us/B"), one("kappa", m.kappa, ""));
}

std::string to_text(const selection::Explanation& e, const Extent& extent, Detail detail) {
  std::string text =
      fmt::format("{}\non {}: {}\n", question_text(e, extent), e.machine.name, e.machine.about);
  text += e.host ? host_formula_text(e) : rates_text(e.machine) + "\n" + formula_text(e);
  if (e.rows.empty()) text += "\nno algorithm may serve this call\n";
  if (!e.rows.empty()) text += rows_text(e, detail) + crossovers_text(e);
  if (!e.refused.empty()) text += refused_text(e);
  return text;
}

std::string library_name(const ExplainAnswer& answer) {
  return selection::plan_name(answer.explanation.question.operation, *answer.library);
}

std::string to_text(const ExplainAnswer& answer, Detail detail) {
  const std::vector<selection::Row>& rows = answer.explanation.rows;
  std::string text = answer.library ? library_text(answer) : "";
  if (answer.best_for_icc)
    text +=
        fmt::format("TUTTI_ICC forces {} for iCC: the model says {}\n",
                    answer.icc->alternative.name, model_text(*answer.icc, *answer.best_for_icc));
  for (const std::string& why : answer.unused) text += why + "\n";
  if (!answer.unused.empty()) text += "\n";
  if (answer.asked && !rows.empty())
    text += fmt::format("{}: {}{}\n", answer.asked->alternative.name, judge_of(answer.explanation),
                        model_text(*answer.asked, rows[0]));
  return text + to_text(answer.explanation, answer.extent, detail);
}

}  // namespace tutti::tools
