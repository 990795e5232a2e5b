// SPDX-License-Identifier: BSD-3-Clause
// The figures of chapters 4 and 5 of paper 003 that show speedups and predictions. The paper draws
// them without numbers, so the points are those of its appendices, and the curves are its models.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "papers/003/bsp_model.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace bsp_figures_items {
namespace {

using draw::Curve;
using CurveKind = draw::Curve::Kind;

enum class Shows { times, speedups };

// A part of a figure: a library on a machine, and the model that is shown. Without a library all
// three are shown.
struct Panel {
  const char* figure;
  const char* letter;
  BspProgram program;
  const char* machine;
  const char* library;
  int p;
  BSPModel model;
  Shows shows = Shows::times;
};

constexpr auto customized = BspProgram::customized, fixed_grid = BspProgram::fixed,
               standard = BspProgram::standard, bits = BspProgram::bit_parallel;
constexpr auto plain = BSPModel::plain, startup = BSPModel::startup, overhead = BSPModel::overhead;

constexpr Panel panels[] = {
    {"4.4", "", customized, "skua", "", 16, overhead, Shows::speedups},
    {"4.5", "", customized, "skua", "", 16, overhead},
    {"4.6", "a", customized, "argus", "", 4, overhead, Shows::speedups},
    {"4.6", "b", customized, "argus", "PUB", 4, overhead},
    {"4.6", "c", customized, "argus", "MPIMPASS", 10, overhead},
    {"4.7", "", customized, "aracari", "", 32, overhead, Shows::speedups},
    {"4.8", "a", customized, "aracari", "Oxtool", 32, overhead},
    {"4.8", "b", customized, "aracari", "PUB", 32, overhead},
    {"4.8", "c", customized, "aracari", "MPIMPASS", 32, plain},
    {"4.9", "a", fixed_grid, "skua", "", 16, overhead, Shows::speedups},
    {"4.9", "b", fixed_grid, "aracari", "", 16, overhead, Shows::speedups},
    {"4.10", "a", fixed_grid, "skua", "MPISHMEM", 32, plain},
    {"4.10", "b", fixed_grid, "argus", "Oxtool", 10, overhead},
    {"4.10", "c", fixed_grid, "aracari", "Oxtool", 16, overhead},
    {"5.9", "a", standard, "skua", "MPISHMEM", 16, startup},
    {"5.9", "b", standard, "skua", "Oxtool", 32, plain},
    {"5.9", "c", standard, "skua", "Oxtool", 32, startup},
    {"5.10", "a", standard, "argus", "Oxtool", 4, plain},
    {"5.10", "b", standard, "argus", "MPIMPASS", 10, plain},
    {"5.10", "c", standard, "argus", "PUB", 10, startup},
    {"5.11", "a", standard, "aracari", "MPIMPASS", 16, plain},
    {"5.11", "b", standard, "aracari", "MPIMPASS", 16, startup},
    {"5.11", "c", standard, "aracari", "PUB", 32, startup},
    {"5.13", "", bits, "skua", "MPISHMEM", 8, startup},
    {"5.15", "a", bits, "aracari", "PUB", 8, startup},
    {"5.15", "b", bits, "aracari", "Oxtool", 8, startup},
    {"5.16", "a", bits, "skua", "", 4, startup, Shows::speedups},
    {"5.16", "b", bits, "argus", "", 4, startup, Shows::speedups},
    {"5.16", "c", bits, "aracari", "", 4, startup, Shows::speedups},
    {"5.16", "d", bits, "skua", "", 32, startup, Shows::speedups},
    {"5.16", "e", bits, "argus", "", 10, startup, Shows::speedups},
    {"5.16", "f", bits, "aracari", "", 32, startup, Shows::speedups},
};

bool is_every(const Panel& panel) {
  return *panel.library == '\0';
}

std::vector<BspCell> cells_of(const Panel& panel) {
  std::vector<BspCell> cells;
  const std::string library = panel.library;
  for (const BspCell& cell : bsp_cells(bsp_table(panel.program, panel.machine)))
    if (cell.p == panel.p && (library.empty() || cell.library == library)) cells.push_back(cell);
  return cells;
}

std::string parameter_text(const BspCell& cell) {
  return fmt::format("{} = {}", is_product(cell.program) ? "q" : "alpha", cell.parameter);
}

// The time that the printed efficiency means for the largest size, where (4.12) is largest.
double printed_seconds(const BspCell& cell, double f, int n) {
  const double operations = is_product(cell.program) ? double(n) * n * n : double(n) * n;
  return operations * f / (cell.efficiency / 100 * cell.p);
}

// Times over sizes as curves, and the paper's for the largest size as crosses. Speedups are over
// the time that f alone gives to one processor.
void add_curves(Chart& chart, const Panel& panel, const BspCell& cell) {
  const std::optional<BSPRates> rates = bsp_rates(cell, {});
  if (!rates) return;
  const double f = bsp_printed_f(cell.program, cell.machine);
  Curve predicted{parameter_text(cell), {}, CurveKind::plain};
  const std::vector<int> sizes = bsp_sizes(cell.program);
  const auto shown = [&](int n, double seconds) {
    const double one = printed_seconds(cell, f, n) * cell.efficiency / 100 * cell.p;
    return draw::Point{double(n), panel.shows == Shows::speedups ? one / seconds : seconds};
  };
  for (const int n : sizes)
    predicted.points.push_back(shown(n, bsp_seconds(cell, *rates, panel.model, n, {})));
  const int last = sizes.back();
  Curve printed{"the paper's", {shown(last, printed_seconds(cell, f, last))}, CurveKind::crosses};
  if (is_every(panel)) predicted.name += ", " + cell.library;
  chart.curves.push_back(std::move(predicted));
  chart.curves.push_back(std::move(printed));
}

// The pictures of speedups show the smallest and the largest parameter of each library.
bool is_drawn(const Panel& panel, const std::vector<BspCell>& cells, const BspCell& cell) {
  return !is_every(panel) || cell.parameter == cells.front().parameter ||
         cell.parameter == cells.back().parameter;
}

Chart chart_of(const Panel& panel) {
  const std::vector<BspCell> cells = cells_of(panel);
  Chart chart{fmt::format("003-figure-{}{}", panel.figure, panel.letter),
              fmt::format("{}{}{}, p = {}, {}", panel.machine, is_every(panel) ? "" : ", ",
                          panel.library, panel.p, words_of(panel.model)),
              linear_axes(is_product(panel.program) ? "n" : "characters",
                          panel.shows == Shows::speedups ? "speedup" : "s"),
              {}};
  for (const BspCell& cell : cells)
    if (is_drawn(panel, cells, cell)) add_curves(chart, panel, cell);
  return chart;
}

// Section 4.4 says so of skua. Efficiencies above the printed ones are times below the measured
// ones.
void say_of_skua(Result& result, const Panel& panel) {
  bool mpi_longer = true, oxtool_shorter = true;
  constexpr int large = 512;
  for (const BspCell& cell : cells_of(panel)) {
    const double ours = bsp_efficiency(cell, panel.model, {}).value_or(cell.efficiency);
    if (cell.library == "MPISHMEM") mpi_longer = mpi_longer && ours < cell.efficiency;
    if (cell.library == "Oxtool" && cell.parameter >= large)
      oxtool_shorter = oxtool_shorter && ours > cell.efficiency;
  }
  result.says("MPI: the predicted times are longer than the measured ones", mpi_longer,
              "(4.8) for each q");
  result.says("Oxtool, large q: the predicted times are shorter than the measured ones",
              oxtool_shorter, fmt::format("(4.8) for q from {} on", large));
}

// The cell of another library with the same parameter.
const BspCell& beside(const std::vector<BspCell>& cells, const BspCell& cell,
                      std::string_view library) {
  return *std::ranges::find_if(cells, [&](const BspCell& other) {
    return other.library == library && other.p == cell.p && other.parameter == cell.parameter;
  });
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// By how much a library of the thesis is ahead of another one: the mean of the ratios of its
// efficiencies in the table, for a number of processors.
double mean_ahead(const std::vector<BspCell>& cells, std::string_view one, std::string_view other,
                  int p) {
  std::vector<double> ratios;
  for (const BspCell& cell : cells)
    if (cell.p == p && cell.library == one)
      ratios.push_back(cell.efficiency / beside(cells, cell, other).efficiency);
  return mean_of(ratios);
}

// The text has PUB behind especially on 4 processors. Both sides are the thesis's.
void say_where_pub_is_behind(Result& result) {
  const std::vector<BspCell> cells = bsp_cells("D.1");
  bool most = true;
  const double on_4 = mean_ahead(cells, "PUB", "MPISHMEM", 4);
  for (const int p : {4, 10, 16, 32}) {
    const double on_p = mean_ahead(cells, "PUB", "MPISHMEM", p);
    most = most && on_4 <= on_p;
    result.row(fmt::format("p = {}: PUB over MPI, mean of the efficiencies", p), {}, on_p, "",
               "table D.1");
  }
  result.says("PUB is furthest behind on 4 processors", most, "table D.1").within_paper = true;
}

// The most by which a speedup falls from one size to the next one.
double deepest_fall(const Panel& panel, const BspCell& cell) {
  double before = 0, deepest = 0;
  for (const int n : bsp_sizes(panel.program)) {
    const double seconds = bsp_seconds(cell, bsp_rates(cell, {}).value(), panel.model, n, {});
    const double speed = double(n) * n * n / seconds;
    deepest = std::max(deepest, 1 - speed / before);
    before = speed;
  }
  return deepest;
}

void say_spikes(Result& result, const Panel& panel) {
  for (const char* library : {"Oxtool", "PUB"}) {
    double deepest = 0;
    for (const BspCell& cell : cells_of(panel))
      if (cell.library == library) deepest = std::max(deepest, deepest_fall(panel, cell));
    result.row(fmt::format("{}: the most by which a speedup falls to the next size", library), {},
               100 * deepest, "%", "(4.8) for each q");
    result.says(fmt::format("{}: the curves have spikes", library), deepest > Tolerance().relative,
                "(4.8) for each q");
  }
}

// Section 4.4 says of figure 4.4 which library is ahead. Our side is the model's.
void say_who_leads_on_skua(Result& result, const Panel& panel) {
  bool mpi_best = true, pub_lowest = true;
  std::vector<double> gains;  // of Oxtool over MPI, for each q
  const int least = bsp_sizes(panel.program).front();
  const std::vector<BspCell> cells = cells_of(panel);
  const auto speed = [&](const BspCell& cell) {
    return 1 / bsp_seconds(cell, bsp_rates(cell, {}).value(), panel.model, least, {});
  };
  const auto efficiency = [&](const BspCell& cell) {
    return bsp_efficiency(cell, panel.model, {}).value();
  };
  for (const BspCell& oxtool : cells) {
    if (oxtool.library != "Oxtool") continue;
    const BspCell &mpi = beside(cells, oxtool, "MPISHMEM"), &pub = beside(cells, oxtool, "PUB");
    mpi_best = mpi_best && efficiency(mpi) > std::max(efficiency(oxtool), efficiency(pub));
    pub_lowest = pub_lowest && efficiency(pub) < std::min(efficiency(oxtool), efficiency(mpi));
    const double gain = speed(oxtool) / speed(mpi) - 1;
    gains.push_back(gain);
    result.row(fmt::format("n = {}, q = {}: Oxtool is ahead of MPI by", least, oxtool.parameter),
               {}, 100 * gain, "%", "(4.8)");
  }
  constexpr const char* by = "(4.8) for each q";
  result.says("MPI has the best performance", mpi_best, by);
  result.says("PUB has the lowest performance", pub_lowest, by);
  const double ahead = mean_of(gains);
  result.says(fmt::format("n = {}: Oxtool has slight advantages over MPI", least),
              ahead > 0 && ahead <= Tolerance().relative, "(4.8), mean over all q");
  say_spikes(result, panel);
  say_where_pub_is_behind(result);
  result.notes.push_back(fmt::format(
      "The text prints no number. Very small matrices are those of {}, the smallest of section "
      "4.3. Slight advantages are taken to be {} % at most, and a spike to be a speedup that falls "
      "by more than that from one size to the next.",
      least, 100 * Tolerance().relative));
}

// The mean of the printed errors of prediction of a library in table F.2.
double mean_error(std::string_view library, double BspCell::*error) {
  std::vector<double> errors;
  for (const BspCell& cell : bsp_cells("F.2"))
    if (cell.library == library) errors.push_back(cell.*error);
  return mean_of(errors);
}

// Section 5.3 says so of argus and cites figure 5.10. Both sides are the thesis's.
void say_predictability_on_argus(Result& result) {
  constexpr const char* by = "means of all lines of table F.2";
  constexpr auto constant = &BspCell::error_plain, start_up = &BspCell::error_extended;
  const std::size_t first = result.rows.size();
  for (const char* library : {"Oxtool", "PUB", "MPIMPASS"})
    for (const auto& [words, error] :
         {std::pair{"g constant", constant}, std::pair{"g(h)", start_up}})
      result.row(fmt::format("argus, {}, {}: mean of the printed errors", library, words), {},
                 mean_error(library, error), "%", by);
  const double oxtool = mean_error("Oxtool", constant);
  result.says("g constant: Oxtool is predicted best",
              oxtool < std::min(mean_error("PUB", constant), mean_error("MPIMPASS", constant)), by);
  for (const char* library : {"PUB", "MPIMPASS"}) {
    const double before = mean_error(library, constant), after = mean_error(library, start_up);
    result.says(fmt::format("{}: g(h) improves the prediction", library), after < before, by);
    result.says(fmt::format("{}: with g(h) similar to Oxtool with g constant, or better", library),
                after <= (1 + Tolerance().relative) * oxtool, by);
  }
  result.within_paper_from(first);
  result.notes.push_back(fmt::format(
      "Section 5.3 says in the sentence that cites this figure how well each library is predicted "
      "on argus. The errors that table F.2 prints answer it: with g constant those of MPI are the "
      "lowest on the mean, and g(h) makes them larger. Similar is taken to be {} % at most.",
      100 * Tolerance().relative));
}

Result drawn(const Item& item) {
  Result result;
  std::string table;
  for (const Panel& panel : panels) {
    if (item.number != panel.figure) continue;
    if (table.empty()) add_bsp_parameters(result, panel.program);
    const std::string of_panel = bsp_table(panel.program, panel.machine);
    if (table.find(of_panel) == std::string::npos) table += (table.empty() ? "" : ", ") + of_panel;
    for (const BspCell& cell : cells_of(panel)) {
      std::string& label = add_bsp_row(result, cell, panel.model).label;
      label = fmt::format("{}{}{}, {}", panel.letter, *panel.letter == '\0' ? "" : ") ",
                          panel.machine, label);
    }
    result.charts.push_back(chart_of(panel));
    if (item.number == "4.4") say_who_leads_on_skua(result, panel);
    if (item.number == "4.5") say_of_skua(result, panel);
  }
  if (item.number == "5.10") say_predictability_on_argus(result);
  result.notes.push_back(fmt::format(
      "The paper draws the figure without numbers. The points beside the curves are those of the "
      "tables of its appendices for these machines and processes: {}.",
      table));
  if (std::ranges::any_of(panels, [&](const Panel& panel) {
        return item.number == panel.figure && panel.shows == Shows::speedups;
      }))
    result.notes.emplace_back(
        "The thesis's speedups of the product are over the same program on one processor, whose "
        "times it does not print, and of its common subsequence it does not say over what. Here "
        "they are over the time that f alone gives to one processor.");
  result.notes.emplace_back(
      "The points are derived: a speedup is the printed efficiency times p, and a time the one "
      "that (4.12) gives for it. An appendix gives the largest efficiency of a cell, and not its "
      "size: a cross stands at the largest size.");
  return result;
}

// Figure 5.5: W by (5.2) over alpha.
Result work_over_alpha(const Item&) {
  Result result;
  constexpr int n = 10000;
  Chart chart{"003-figure-5.5",
              fmt::format("W over the grid size factor by (5.2), n = {}", n),
              linear_axes("alpha", "operations / n^2"),
              {}};
  const auto work = [](int alpha, int p, double characters) {
    const BSPWrapper::SubsequenceCost cost(characters, alpha, p,
                                           BSPWrapper::SubsequenceCost::Standard);
    return cost.W() / cost.Operations();
  };
  for (const int p : {2, 4, 8, 16, 32}) {
    Curve curve{fmt::format("p = {}", p), {}, CurveKind::plain};
    for (int alpha = 1; alpha <= 40; ++alpha)
      curve.points.push_back({double(alpha), work(alpha, p, n)});
    result.says(fmt::format("p = {}: W decreases from alpha = 1 to 5", p),
                std::ranges::is_sorted(curve.points.begin(), curve.points.begin() + 5,
                                       [](auto a, auto b) { return a.y > b.y; }),
                "(5.2)");
    bool decreases = true;  // where n is a multiple of alpha p, nothing is rounded
    for (int alpha = 2; alpha <= 40; ++alpha)
      decreases = decreases && work(alpha, p, alpha * p) < work(alpha - 1, p, (alpha - 1) * p);
    result.says(fmt::format("p = {}: W without rounding decreases for each alpha to 40", p),
                decreases, "(5.2)");
    chart.curves.push_back(std::move(curve));
  }
  bool rises = false;
  for (int alpha = 2; alpha <= 40; ++alpha)
    rises = rises || work(alpha, 32, n) > work(alpha - 1, 32, n);
  result.says("W is unsteady where n is no multiple of alpha p: p = 32", rises, "(5.2)");
  result.charts.push_back(std::move(chart));
  return result;
}

constexpr Run runs[] = {
    {"003-figure-4.4", drawn},  {"003-figure-4.5", drawn},           {"003-figure-4.6", drawn},
    {"003-figure-4.7", drawn},  {"003-figure-4.8", drawn},           {"003-figure-4.9", drawn},
    {"003-figure-4.10", drawn}, {"003-figure-5.5", work_over_alpha}, {"003-figure-5.9", drawn},
    {"003-figure-5.10", drawn}, {"003-figure-5.11", drawn},          {"003-figure-5.13", drawn},
    {"003-figure-5.15", drawn}, {"003-figure-5.16", drawn},
};

}  // namespace
}  // namespace bsp_figures_items

std::span<const Run> bsp_figures() {
  return bsp_figures_items::runs;
}

}  // namespace tutti::papers
