// SPDX-License-Identifier: BSD-3-Clause
// Statements of paper 003 with numbers: an example of its model, and places where it contradicts
// itself, each with what shows it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/003/bsp_model.hpp"
#include "papers/common/runs.hpp"
#include "support/median.hpp"

namespace tutti::papers {
namespace bsp_statements_items {
namespace {

constexpr const char* clusters[] = {"argus", "aracari"};

// Section 2.2: two ways to move data, in units of g_inf.
Result example(const Item& item) {
  BSPWrapper::BSPGap gap;
  gap.g_inf = 1;
  gap.h_half = item.printed.number("h_half");
  gap.overhead = item.printed.number("o");
  Result result;
  const auto add = [&](const char* key, double h, double size) {
    result.row(fmt::format("{:g} bytes in {:g} messages", h, h / size), item.printed.number(key),
               gap.At(h, size) * h, "g_inf", "(2.6)",
               {.relative = 1e-9, .reason = "an exact result"});
  };
  add("one", 1000, 1000);
  add("five", 500, 100);
  return result;
}

// Section 4.3: what the latency costs with the most blocks on the fewest processors.
Result latency(const Item& item) {
  const ProductCost cost(2000, 729, 4, ProductCost::Customized);
  const double l = item.printed.number("l_us") * 1e-6;
  Result result;
  result.row("supersteps", item.printed.number("supersteps"), cost.Rounds(), "", "ceil(q / p)",
             exact());
  result.row("time of their synchronisations", item.printed.number("seconds"), cost.S() * l, "s",
             "S of (4.7), which has two for each superstep of the algorithm",
             {.relative = 0, .absolute = 0.005, .reason = "two digits are printed"});
  result.within_paper_from(0);
  return result;
}

// The printed efficiencies over ours, of one library or of all.
std::vector<double> ratios(const std::string& table, const std::string& library,
                           const BspReading& reading, double largest_error) {
  std::vector<double> found;
  for (const BspCell& cell : bsp_cells(table)) {
    if ((!library.empty() && cell.library != library) || cell.error_plain > largest_error) continue;
    if (const auto ours = bsp_efficiency(cell, BSPModel::plain, reading))
      found.push_back(cell.efficiency / *ours);
  }
  return found;
}

// Section 4.2: results are sent in some supersteps by the text, and in each by (4.6) and (4.8).
Result output_steps(const Item&) {
  Result result;
  constexpr const char* shown[][2] = {
      {"D.1", "Oxtool"}, {"D.3", "Oxtool"}, {"D.3", "PUB"}, {"D.3", "MPIMPASS"}};
  int closer = 0;
  for (const auto& [table, library] : shown) {
    const auto off = [&](ProductCost::Reading output) {
      std::vector<double> errors;
      for (const double ratio : ratios(table, library, {.output = output}, 100))
        errors.push_back(100 * std::abs(1 / ratio - 1));
      return tools::median(std::move(errors));
    };
    const double printed = off(ProductCost::AsPrinted), once = off(ProductCost::OutputOnce);
    const std::string who =
        fmt::format("table {}, {}: median error of the efficiencies", table, library);
    result.row(who + ", output in each superstep", {}, printed, "%", "(4.8) as printed");
    result.row(who + ", output in its own supersteps", {}, once, "%", "(4.8) as the text of 4.2");
    closer += printed < once ? 1 : 0;
  }
  result
      .says("(4.6) and (4.8) multiply the output by all supersteps", closer == std::ssize(shown),
            "the efficiencies that follow from either reading")
      .within_paper = true;
  result.notes.emplace_back(
      "The text of 4.2 sends results in about ceil((q^(2/3) mod p) q^(1/3) / p) supersteps. In "
      "(4.6), (4.8), (4.9) and (4.10) this number is multiplied by ceil(q / p).");
  return result;
}

// Tables 5.3, F.2 and F.3: the rates of the two clusters are exchanged in the efficiencies.
Result exchanged_rates(const Item&) {
  Result result;
  constexpr double well_predicted = 6;  // %
  for (const char* machine : clusters) {
    const std::string table = bsp_table(BspProgram::standard, machine);
    const auto add = [&](const BspReading& reading, const char* source) {
      result.row(
          fmt::format("table {}, printed efficiency over ours, median of the cells that the "
                      "thesis predicts within {} %{}",
                      table, well_predicted, reading.exchanged ? ", rates exchanged" : ""),
          1.0, tools::median(ratios(table, "", reading, well_predicted)), "", source,
          {.relative = well_predicted / 100, .reason = "the error of the thesis's predictions"});
    };
    add({.exchanged = false}, "(5.3) and (4.12) with table 5.3");
    result.rows.back().statement = true;
    add({.exchanged = true},
        "(5.3) with the other cluster's rate of table 5.3, (4.12) with its own");
  }
  result.within_paper_from(0);
  const auto speedup = [&](const char* bits, const char* table) {
    return bsp_printed_f(BspProgram::standard, table) /
           bsp_printed_f(BspProgram::bit_parallel, bits);
  };
  for (const char* machine : clusters) {
    const char* other = machine == clusters[0] ? clusters[1] : clusters[0];
    result.row(fmt::format("{}: bits over table, words of 32 bits", machine), {},
               speedup(machine, machine), "", "table 5.3");
    result.row(fmt::format("{}: bits over table, rates exchanged", machine), {},
               speedup(machine, other), "", "table 5.3");
  }
  result.notes.emplace_back(
      "The ratio of both rates is 86 / 61 = 1.41. With words of 32 bits, 47.5 times the speed "
      "of the table (table 5.4, argus) would be more than one word allows; exchanged, both "
      "clusters have about 30. The efficiencies of argus above 100 % follow from its rate.");
  return result;
}

// Section 5.1: blocks that wait for others bound the efficiency, whatever the machine.
Result wavefront(const Item&) {
  Result result;
  for (const char* table : {"F.1", "F.2", "F.3", "G.1", "G.2", "G.3"}) {
    int above = 0, cells = 0;
    double farthest = 0;
    for (const BspCell& cell : bsp_cells(table)) {
      const double blocks = double(cell.parameter) * cell.p;
      const double bound = 100 * blocks / (blocks + cell.p - 1);
      ++cells;
      // A block that fits into a cache is faster than f says.
      if (cell.efficiency > 1.05 * bound) ++above;
      farthest = std::max(farthest, cell.efficiency / bound);
    }
    result.row(fmt::format("table {}: cells, of {}, that are more than 5 % above it", table, cells),
               0.0, double(above), "", "W of (5.2) with g = l = 0", exact());
    result.row(fmt::format("table {}: largest efficiency over it", table), {}, farthest, "",
               "W of (5.2) with g = l = 0");
  }
  result.within_paper_from(0);
  return result;
}

// Section 4.3: the numbers of blocks in the text, and those of the tables.
Result blocks(const Item&) {
  Result result;
  bool has_8 = false, has_27 = false;
  std::string too_few;
  for (const char* table : {"D.1", "D.2", "D.3", "E.1", "E.2", "E.3"})
    for (const BspCell& cell : bsp_cells(table)) {
      has_8 = has_8 || cell.parameter == 8;
      has_27 = has_27 || cell.parameter == 27;
      const double faces = std::pow(std::cbrt(cell.parameter), 2);
      const std::string pair = fmt::format("q = {} with p = {}", cell.parameter, cell.p);
      if (faces < cell.p + 0.5 && too_few.find(pair) == std::string::npos)
        too_few += (too_few.empty() ? "" : ", ") + pair;
    }
  result.says("the numbers of blocks are 3^3, 4^3, ..., 9^3", has_27 && !has_8,
              "the lines of tables D.1 to E.3");
  result.says("q^(2/3) > p", too_few.empty(), "the lines of tables D.1 to E.3");
  result.within_paper_from(0);
  result.notes.push_back("The tables have 8 = 2^3 and no 27. " + too_few +
                         (too_few.empty() ? "" : " have q^(2/3) <= p."));
  return result;
}

constexpr Run runs[] = {
    {"003-example", example},           {"003-latency", latency},
    {"003-output-steps", output_steps}, {"003-exchanged-rates", exchanged_rates},
    {"003-wavefront", wavefront},       {"003-blocks", blocks},
};

}  // namespace
}  // namespace bsp_statements_items

std::span<const Run> bsp_statements() {
  return bsp_statements_items::runs;
}

}  // namespace tutti::papers
