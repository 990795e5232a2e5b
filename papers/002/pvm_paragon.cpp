// SPDX-License-Identifier: BSD-3-Clause
// Paper 002: sums on a Paragon by the system (gisum) and by PVM, and what PVM adds to a call.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "machine/topology.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"
#include "papers/common/verdict.hpp"
#include "selection/explain.hpp"

namespace tutti::papers {
namespace pvm_paragon_items {
namespace {

using schedule::Operation;

constexpr const char* lengths[] = {"1", "1000", "10000"};
constexpr std::string_view not_fitted = "1";  // beta and gamma are fitted to the other two
constexpr double bytes_of_integer = 4;

// Returns the most nearly square mesh. Partitions of the Paragon had this form.
std::vector<int> mesh_of(int p) {
  int rows = 1;
  for (int r = 1; r * r <= p; ++r)
    if (p % r == 0) rows = r;
  return {rows, p / rows};
}

const machine::Profile& published() {
  static const machine::Profile profile = machine::load("paragon-nx");
  return profile;
}

// The time of gisum if it halves and doubles long vectors, and exchanges whole short ones,
// whichever is faster: the algorithms of van de Geijn, which paper 001 names.
// Tables and figures ask for the same sums, so the times are kept.
double sum_time(const machine::Profile& machine, int p, double integers) {
  static std::map<std::tuple<double, int, double>, double> known;
  const auto [at, fresh] = known.try_emplace({machine.beta.value, p, integers});
  if (!fresh) return at->second;
  selection::Question question;
  question.operation = Operation::allreduce;
  question.p = p;
  question.mesh = mesh_of(p);
  const auto network = machine::parse_topology(
      fmt::format("mesh:{}x{}", question.mesh.front(), question.mesh.back()));
  const auto found = selection::explain(
      question, static_cast<std::int64_t>(bytes_of_integer * integers), machine, network.get());
  double least = -1;
  for (const selection::Row& row : found.rows)
    if (row.alternative.name == "halving_doubling" ||
        row.alternative.name == "bidirectional_exchange")
      least = least < 0 ? row.time : std::min(least, row.time);
  return at->second = least;
}

// The costs of sending and of adding a byte, in us, with which the sums of 1000 and 10000 integers
// lie as close to table 5 as they can. The start-up is the published one.
constexpr double fitted_beta = 0.060, fitted_gamma = 0.043;

const machine::Profile& fitted() {
  static const machine::Profile profile = [] {
    machine::Profile changed = published();
    changed.beta.value = fitted_beta;
    changed.gamma.value = fitted_gamma;
    return changed;
  }();
  return profile;
}

// The system's gisum sums on the Paragon, or PVM by it, which adds a time to each call.
enum class Summing { system, pvm };

double added_by_pvm() {
  return printed("002-overhead").number("mean");
}

// Compares the times of a table for one length. In a figure, the name of the curve begins with
// `who`.
void add_sums(Result& result, const Printed& table, const std::string& integers, Summing summing,
              const std::string& who) {
  const std::vector<double> nodes = table.numbers("nodes"), times = table.numbers(integers);
  const bool by_pvm = summing == Summing::pvm;
  for (std::size_t i = 1; i < nodes.size(); ++i) {  // one node sends nothing
    const double time = sum_time(fitted(), static_cast<int>(nodes[i]), std::stod(integers));
    const std::string curve = fmt::format("{}{} integers", who, integers);
    Row& row = result.row(fmt::format("{}, {} nodes", curve, nodes[i]), times.at(i),
                          time + (by_pvm ? added_by_pvm() : 0), "us",
                          fmt::format("cost model, halving and doubling or exchange{}",
                                      by_pvm ? ", and what PVM adds" : ""));
    row.fitted = !by_pvm && integers != not_fitted;
    if (!who.empty()) row.on(curve, nodes[i]);
  }
}

// The printed times over those of the published rates, to which nothing is fitted.
void add_published(Result& result, const Printed& table, Summing summing) {
  const std::vector<double> nodes = table.numbers("nodes");
  for (const char* integers : lengths) {
    const std::vector<double> times = table.numbers(integers);
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const double time = sum_time(published(), static_cast<int>(nodes[i]), std::stod(integers)) +
                          (summing == Summing::pvm ? added_by_pvm() : 0);
      result.row(fmt::format("{} integers, {} nodes: published rates over the paper's", integers,
                             nodes[i]),
                 {}, time / times.at(i), "", "cost model, the rates of 1994");
    }
  }
}

void add_note_of_one_node(Result& result) {
  result.notes.emplace_back(
      "The column of one node is left out: a sum of one node sends nothing, and no rate is of use "
      "for what its call takes.");
}

void add_paragon(Result& result) {
  result.parameters.push_back(parameter_of("alpha", published().alpha));
  result.parameters.push_back(parameter_of("beta", published().beta));
  result.parameters.push_back(parameter_of("gamma", published().gamma));
  for (const auto& [name, value] :
       {std::pair{"beta of release 1.3", fitted_beta}, std::pair{"gamma of it", fitted_gamma}})
    result.parameters.push_back(
        {name, value, "us", "fitted: to paper 002, table 5: the sums of 1000 and 10000 integers"});
  result.notes.emplace_back(
      "The machine file is that of 1994 (OSF/1 1.2 beta, paper 000); the paper's Paragon had "
      "release 1.3. Its partitions are the most nearly square meshes of their nodes, as those of "
      "the Paragon were, in place of the file's 4 x 8.");
  result.notes.emplace_back(
      "What gisum does is not printed. With halving and doubling (van de Geijn, reference 10 of "
      "paper 001) the longest sums take the same part of the printed times for all numbers of "
      "nodes by the published rates, and with the exchange of whole vectors 1.0 to 2.3 times: so "
      "the sentence of paper 001 that NX uses the algorithm for short vectors does not hold for "
      "this release.");
}

void add_pvm(Result& result) {
  result.parameters.push_back({"PVM's part of a call", added_by_pvm(), "us",
                               "paper 002, section 5.4: the mean difference that its text gives"});
}

Result sums_of_table(const Item& item, Summing summing) {
  Result result;
  add_published(result, item.printed, summing);
  for (const char* integers : lengths) add_sums(result, item.printed, integers, summing, "");
  add_note_of_one_node(result);
  add_paragon(result);
  if (summing == Summing::pvm) add_pvm(result);
  return result;
}

Result table_5(const Item& item) {
  return sums_of_table(item, Summing::system);
}
// Tables 4 and 6 have the same times for the same nodes.
Result by_pvm(const Item& item) {
  return sums_of_table(item, Summing::pvm);
}

void add_both_sums(Result& result, const std::string& integers) {
  add_sums(result, printed("002-table-5"), integers, Summing::system, "the system's, ");
  add_sums(result, printed("002-table-6"), integers, Summing::pvm, "PVM's, ");
}

void add_sources_of_both(Result& result) {
  add_note_of_one_node(result);
  result.x_axis = "nodes";
  result.scale = draw::Scale::logarithmic;
  add_paragon(result);
  add_pvm(result);
}

// Nothing is fitted to the sums of one integer. The note counts those that differ.
void add_note_of_one_integer(Result& result) {
  int of_one = 0, others = 0;
  for (const Row& row : result.rows)
    if (state_of(row) == RowState::differs)
      ++(row.label.find(", 1 integers") != std::string::npos ? of_one : others);
  result.notes.push_back(fmt::format(
      "Of the rows that differ, {} are of one integer, to which nothing is fitted, and {} of more. "
      "For one integer the Paragon of the paper starts messages faster than that of paper 000, "
      "whose start-up is published; and by the tables PVM adds 183 us to a call, not the {} us of "
      "the text (002-overhead).",
      of_one, others, added_by_pvm()));
}

Result figure_8(const Item&) {
  Result result;
  for (const char* integers : lengths) add_both_sums(result, integers);
  add_sources_of_both(result);
  add_note_of_one_integer(result);
  return result;
}

// Nothing is computed for Walaker's PVM. It sums by the system, as PVM does, so that both take
// about the same time.
Result figure_9(const Item&) {
  Result result;
  add_both_sums(result, "1000");
  const Printed& table = printed("002-table-7");
  const std::vector<double> nodes = table.numbers("nodes"), times = table.numbers("walaker");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    result
        .row(fmt::format("Walaker's, 1000 integers, {} nodes", nodes[i]), times.at(i), {}, "us", "")
        .on("Walaker's, 1000 integers", nodes[i]);
  add_sources_of_both(result);
  return result;
}

// The text has this difference independent of the length of a message. We take it to be so if the
// mean of one length is within the default tolerance of that of another one.
void say_independent(Result& result) {
  std::vector<double> means;
  for (const char* integers : lengths) {
    const std::vector<double> system = printed("002-table-5").numbers(integers);
    const std::vector<double> pvm = printed("002-table-6").numbers(integers);
    double sum = 0;
    for (std::size_t i = 0; i < system.size(); ++i) sum += pvm.at(i) - system[i];
    means.push_back(sum / static_cast<double>(system.size()));
    result.row(fmt::format("the same for {} integers", integers), {}, means.back(), "us",
               "difference of the paper's tables 6 and 5");
  }
  const auto [least, most] = std::ranges::minmax(means);
  result.says("it is independent of the length of the message",
              most <= (1 + Tolerance().relative) * least,
              "difference of the paper's tables 6 and 5");
}

Result overhead(const Item& item) {
  Result result;
  const auto mean = [](std::size_t first) {
    double sum = 0;
    int count = 0;
    for (const char* integers : lengths) {
      const std::vector<double> system = printed("002-table-5").numbers(integers);
      const std::vector<double> pvm = printed("002-table-6").numbers(integers);
      for (std::size_t i = first; i < system.size(); ++i, ++count) sum += pvm.at(i) - system.at(i);
    }
    return sum / count;
  };
  result.row("PVM less the system, mean of all entries", item.printed.number("mean"), mean(0), "us",
             "difference of the paper's tables 6 and 5");
  result.row("the same from 2 nodes on", item.printed.number("mean"), mean(1), "us",
             "difference of the paper's tables 6 and 5");
  say_independent(result);
  result.within_paper_from(0);
  result.notes.emplace_back(
      "The mean that the text gives does not follow from the paper's own tables. Independent is "
      "taken to be within 10 %.");
  return result;
}

constexpr Run runs[] = {
    {"002-table-5", table_5}, {"002-overhead", overhead}, {"002-table-4", by_pvm},
    {"002-table-6", by_pvm},  {"002-figure-8", figure_8}, {"002-figure-9", figure_9},
};

}  // namespace
}  // namespace pvm_paragon_items

std::span<const Run> pvm_paragon() {
  return pvm_paragon_items::runs;
}

}  // namespace tutti::papers
