// SPDX-License-Identifier: BSD-3-Clause
// Paper 004, figures 10 to 13: the times of the implementations, and how far they scatter.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "papers/004/exchange_longest.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"

namespace tutti::papers {
namespace exchange_plots_items {
namespace {

constexpr const char* simulated = "simulator";
constexpr int dimension_of_spreads = 5;

Result survey(int first, int last) {
  Result result;
  for (int dimension = first; dimension <= last; ++dimension) {
    for (std::int64_t block = 1; block <= 4096; block *= 2) {
      for (const char* name : six()) {
        if (competes(name, block))
          result
              .row(fmt::format("d = {}, {} B: {}", dimension, block, name), {},
                   longest(name, dimension, block), "us", simulated)
              .on(fmt::format("d = {}, {}", dimension, name), static_cast<double>(block));
      }
    }
  }
  result.x_axis = "bytes";
  result.scale = draw::Scale::logarithmic;
  add_machine(result);
  return result;
}

struct Alone {
  int dimension;
  const char* name;
  bool idles;
};

// Only the time that links add separates the ranks here: nothing is random, and a node does several
// things at once.
double time_by_links(const Alone& alone, std::int64_t block) {
  machine::Machine machine = undisturbed(
      machine_on("ipsc860", fmt::format("hypercube:{}", alone.dimension), part_of_the_cube));
  machine.node.ports = machine::Ports::unlimited;
  Scene scene =
      scene_of(exchange_named(alone.name), machine, 1 << alone.dimension, block, Sync::barrier);
  if (!alone.idles) std::get<simulate::Operations>(scene.job.phases.back()).all.front().idle = 0;
  return time_of(scene.machine, scene.job);
}

// Both times of each row are simulated on all processors.
void say_stable_wins_by_links(Result& result, std::int64_t block) {
  std::vector<Alone> all;
  for (int d = 5; d <= 7; ++d)
    for (const bool idles : {false, true})
      for (const char* name : {"stable", "linear"}) all.push_back({d, name, idles});
  std::vector<double> times(all.size());
  on_all_processors(all.size(), [&](std::size_t i) { times[i] = time_by_links(all[i], block); });
  for (std::size_t i = 0; i < all.size(); i += 2)
    result.row(fmt::format("d = {}, {} B: stable faster than linear by drift alone{}",
                           all[i].dimension, block, all[i].idles ? ", with its idle step" : ""),
               {}, times[i] < times[i + 1] ? "yes" : "no", "", "simulator, ports unlimited");
}

Result figure_10(const Item&) {
  Result result = survey(5, 7);
  say_stable_wins_by_links(result, 1024);
  for (int d = 5; d <= 7; ++d) {
    result
        .says_shorter(fmt::format("d = {}, 1024 B: stable faster than linear", d),
                      longest("stable", d, 1024), longest("linear", d, 1024), simulated,
                      error_of_model())
        .fitted = d == dimension_of_spreads;  // the window of the machine file makes it so
    result.row(fmt::format("d = {}, 64 B: pairwise_F over pairwise_U", d),
               printed("004-section-6.4").number("u_over_f"),
               longest("pairwise_F", d, 64) / longest("pairwise_U", d, 64), "", simulated,
               about_twice());
  }
  return result;
}

Result figure_11(const Item&) {
  return survey(1, 4);
}

struct Envelope {
  Spread spread;
  double mean = 0;
};

// Adds an envelope of the figure, and returns it.
Envelope add_envelope(Result& result, const std::string& name, const ExchangeCell& cell) {
  const Envelope found{spread_of(cell), mean_time(cell)};
  for (const auto& [part, time] :
       {std::pair{"longest", found.spread.most}, std::pair{"mean", found.mean},
        std::pair{"shortest", found.spread.least}})
    result.row(fmt::format("{}, {} B: {}", name, cell.block, part), {}, time, "us", simulated)
        .on(fmt::format("{}, {}", name, part), static_cast<double>(cell.block));
  result.x_axis = "bytes";
  return found;
}

void add_note_of_means(Result& result) {
  result.notes.push_back(
      fmt::format("Longest and shortest are those of {} runs, as in the text of section 6.3. Means "
                  "are those of the first {}, as many as the caption of figure 12 has.",
                  runs_of(dimension_of_spreads), runs_of_means));
}

double width(const Spread& spread) {
  return spread.most - spread.least;
}

// The text says that the spread is "slightly more". We take that to be at most a quarter more.
constexpr double slightly = 0.25;

void add_ratio_of_widths(Result& result, std::int64_t block, double ratio) {
  const double least = 1 + error_of_model().relative, most = 1 + slightly;
  result.row(fmt::format("{} B: width of linear over width of stable", block), {}, ratio, "",
             simulated);
  result.says(fmt::format("{} B: linear scatters slightly more than stable", block),
              ratio > least && ratio <= most, simulated);
}

// The text says that average and maxima of linear are "well above" those of stable.
void say_well_above(Result& result, std::int64_t block, const std::string& part, double linear,
                    double stable) {
  result.row(fmt::format("{} B: {} of linear over {} of stable", block, part, part), {},
             linear / stable, "", simulated);
  Row& above =
      result.says_shorter(fmt::format("{} B: {} of linear above {} of stable", block, part, part),
                          stable, linear, simulated, error_of_model());
  above.fitted = part == "longest";  // the window of the machine file makes it so
  result.says_shorter(
      fmt::format("{} B: {} of linear well above {} of stable", block, part, part), stable, linear,
      simulated,
      {Tolerance().relative, 0, "well above is taken to be by more than the default tolerance"});
}

void add_note_of_gates(Result& result) {
  result.notes.push_back(fmt::format(
      "The text has the spread of linear slightly, and its average and maxima well above those of "
      "stable, and prints no number: slightly is taken to be by more than the model's error of {} "
      "% and by {} % at most, and well above by more than {} % of the longer time. That linear is "
      "above stable at all is fitted for the longest times.",
      100 * error_of_model().relative, 100 * slightly, 100 * Tolerance().relative));
}

// The text calls the envelope of pairwise_F "very tight", and the band of its runs with pairs "very
// narrow". We take that to be so if the longest is above the shortest by the default tolerance at
// most.
constexpr const char* tight_is =
    "A very tight envelope, and a very narrow band, are taken to be those whose longest time is at "
    "most 10 % above the shortest.";

void say_tight(Result& result, const std::string& what, std::int64_t block, const Spread& spread) {
  const double ratio = spread.most / spread.least;
  result.row(fmt::format("{} B: longest over shortest of {}", block, what), {}, ratio, "",
             simulated);
  result.says(fmt::format("{} B: the envelope of {} is very tight", block, what),
              ratio <= 1 + Tolerance().relative, simulated);
}

Result figure_12(const Item&) {
  Result result;
  for (const std::int64_t block : {1000, 4000}) {
    const auto envelope = [&](const char* name) {
      return add_envelope(result, name, cell_of(name, dimension_of_spreads, block));
    };
    const Envelope linear = envelope("linear"), stable = envelope("stable"),
                   pairwise = envelope("pairwise_F");
    say_well_above(result, block, "longest", linear.spread.most, stable.spread.most);
    say_well_above(result, block, "mean", linear.mean, stable.mean);
    add_ratio_of_widths(result, block, width(linear.spread) / width(stable.spread));
    result.says_shorter(
        fmt::format("{} B: pairwise_F scatters least", block), width(pairwise.spread),
        std::min(width(linear.spread), width(stable.spread)), simulated, error_of_model());
    say_tight(result, "pairwise_F", block, pairwise.spread);
  }
  result.notes.emplace_back(tight_is);
  add_note_of_gates(result);
  add_note_of_means(result);
  add_machine(result);
  return result;
}

// A size of figure 13, with the envelopes with and without synchronisation of pairs.
struct Pairs {
  std::int64_t block = 0;
  Spread with, without;
};

std::vector<Pairs> pairs_of_figure_13(Result& result) {
  std::vector<Pairs> sizes;
  for (const std::int64_t block : {0, 1000, 2000, 3000, 4000}) {
    ExchangeCell cell = cell_of("pairwise_F", dimension_of_spreads, block);
    const Spread with = add_envelope(result, "synchronised", cell).spread;
    cell.sync = Sync::barrier;
    sizes.push_back({block, with, add_envelope(result, "without", cell).spread});
  }
  return sizes;
}

// The text says "constant". We take that to be so if the largest amount is at most a quarter more
// than the smallest.
void say_constant(Result& result, const std::string& what, const std::vector<double>& amounts) {
  constexpr double most = 1.25;
  const auto [least, largest] = std::ranges::minmax(amounts);
  result.row(what + ": the largest over the smallest", {}, largest / least, "", simulated);
  result.says(what + " is constant", largest <= most * least, simulated);
}

// The bands grow without pairs. The text names no size from which on they do.
void say_widths(Result& result, const std::vector<Pairs>& sizes) {
  double shorter = 0;
  for (const auto& [block, with, without] : sizes) {
    result.row(fmt::format("{} B: width with", block), {}, width(with), "us", simulated);
    result.row(fmt::format("{} B: width without", block), {}, width(without), "us", simulated);
    if (block > 0) {
      result.says_shorter(fmt::format("{} B: scatters more without", block), width(with),
                          width(without), simulated, error_of_model());
      result.says_shorter(fmt::format("{} B: scatters without more than for shorter blocks", block),
                          shorter, width(without), simulated, error_of_model());
    }
    shorter = width(without);
  }
}

void say_minima(Result& result, const std::vector<Pairs>& sizes) {
  std::vector<double> gains;
  for (const auto& [block, with, without] : sizes) {
    const bool below = without.least < (1 - error_of_model().relative) * with.least;
    result.row(fmt::format("{} B: shortest with less shortest without", block), {},
               with.least - without.least, "us", simulated);
    if (below) gains.push_back(with.least - without.least);
  }
  result.row(
      fmt::format("sizes of {} for which the shortest without lies below that with", sizes.size()),
      {}, static_cast<double>(gains.size()), "", simulated);
  result.says("for most sizes the shortest without lies below the shortest with",
              2 * gains.size() > sizes.size(), simulated);
  result.says("for some size it does not", gains.size() < sizes.size(), simulated);
  if (!gains.empty()) say_constant(result, "the amount by which it lies below", gains);
}

Result figure_13(const Item&) {
  Result result;
  const std::vector<Pairs> sizes = pairs_of_figure_13(result);
  say_widths(result, sizes);
  std::vector<double> widths;
  for (const Pairs& size : sizes) {
    widths.push_back(width(size.with));
    say_tight(result, "runs with pairs", size.block, size.with);
  }
  result.notes.emplace_back(tight_is);
  say_constant(result, "the width with pairs", widths);
  say_minima(result, sizes);
  result.notes.emplace_back(
      "The text calls the width with pairs and the gain of the shortest runs without them "
      "constant, "
      "and prints neither: here that means that the largest of all sizes is at most a quarter more "
      "than the smallest. A run is below another one if it is so by more than the model's error.");
  add_note_of_means(result);
  add_machine(result);
  return result;
}

constexpr Run runs[] = {
    {"004-figure-10", figure_10},
    {"004-figure-11", figure_11},
    {"004-figure-12", figure_12},
    {"004-figure-13", figure_13},
};

}  // namespace
}  // namespace exchange_plots_items

std::span<const Run> exchange_plots() {
  return exchange_plots_items::runs;
}

}  // namespace tutti::papers
