// SPDX-License-Identifier: BSD-3-Clause
#include "papers/003/bsp_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "bsp_model/thesis.hpp"
#include "papers/common/printed.hpp"

namespace tutti::papers {
namespace {

using BSPWrapper::SubsequenceCost;

constexpr const char* cells_text =
#include "thesis_applications.inc"
    ;

constexpr std::array machines{"skua", "argus", "aracari"};
constexpr std::string_view appendices = "DEFG";
constexpr double least_tolerance = 10, most_tolerance = 25;  // %
constexpr int longest_bit_strings = 1 << 19;

std::vector<std::pair<std::string, BspCell>> all_cells() {
  std::vector<std::pair<std::string, BspCell>> cells;
  for (const std::string& line : tools::fields_of(cells_text, '\n')) {
    const std::vector<std::string> fields = tools::fields_of(line, ',');
    if (line.empty() || line[0] == '#' || fields.size() != 7) continue;
    const std::string& table = fields[0];
    BspCell cell;
    cell.program = static_cast<BspProgram>(appendices.find(table[0]));
    cell.machine = machines.at(static_cast<std::size_t>(table[2] - '1'));
    cell.p = std::stoi(fields[1]);
    cell.parameter = std::stoi(fields[2]);
    cell.library = fields[3];
    cell.efficiency = std::stod(fields[4]);
    cell.error_plain = std::stod(fields[5]);
    cell.error_extended = std::stod(fields[6]);
    cells.emplace_back(table, cell);
  }
  return cells;
}

std::string other_of(const std::string& machine) {
  if (machine == "argus") return "aracari";
  return machine == "aracari" ? "argus" : machine;
}

// The equation of a cell, with the reading of it.
std::string source_of(const BspCell& cell) {
  constexpr std::array equations{"(4.8)", "(4.9)", "(5.3)", "(5.5)"};
  std::string text = equations[static_cast<std::size_t>(cell.program)];
  if (is_product(cell.program)) text += ", output as in the text of 4.2,";
  if (cell.program == BspProgram::standard && other_of(cell.machine) != cell.machine)
    text += " with the rate of " + other_of(cell.machine);
  return text + " and (4.12)";
}

std::string label_of(const BspCell& cell, BSPModel model) {
  return fmt::format("p = {}, {} = {}, {}, {}", cell.p, is_product(cell.program) ? "q" : "alpha",
                     cell.parameter, cell.library, words_of(model));
}

ProductCost product_cost(const BspCell& cell, int n, const BspReading& reading) {
  return {n, cell.parameter, cell.p,
          cell.program == BspProgram::fixed ? ProductCost::Static : ProductCost::Customized,
          reading.output};
}

SubsequenceCost subsequence_cost(const BspCell& cell, int n) {
  return {static_cast<double>(n), cell.parameter, cell.p,
          cell.program == BspProgram::standard ? SubsequenceCost::Standard
                                               : SubsequenceCost::BitParallel};
}

}  // namespace

std::vector<BspCell> bsp_cells(const std::string& table) {
  static const std::vector<std::pair<std::string, BspCell>> all = all_cells();
  std::vector<BspCell> found;
  for (const auto& [name, cell] : all)
    if (name == table) found.push_back(cell);
  if (found.empty()) base::fail(base::Status::invalid_argument, "there is no table {}", table);
  return found;
}

std::string bsp_table(BspProgram program, const std::string& machine) {
  const auto place = std::find(machines.begin(), machines.end(), machine) - machines.begin();
  return fmt::format("{}.{}", appendices[static_cast<std::size_t>(program)], place + 1);
}

bool is_product(BspProgram program) {
  return program == BspProgram::customized || program == BspProgram::fixed;
}

BSPModel extended_model(BspProgram program) {
  return is_product(program) ? BSPModel::overhead : BSPModel::startup;
}

const char* words_of(BSPModel model) {
  if (model == BSPModel::plain) return "g constant";
  return model == BSPModel::startup ? "g(h)" : "g(h, h*)";
}

// Table 4.2 has ns, and table 5.3 millions of operations per second; the times that it prints have
// another unit than it says.
double bsp_printed_f(BspProgram program, const std::string& machine) {
  if (is_product(program)) return printed("003-table-4.2").number(machine + ".ns") * 1e-9;
  const char* algorithm = program == BspProgram::standard ? "standard" : "bit_parallel";
  return 1e-6 / printed("003-table-5.3").number(fmt::format("{}.{}", machine, algorithm));
}

std::optional<BSPRates> bsp_rates(const BspCell& cell, const BspReading& reading) {
  const tools::ThesisRun run{cell.machine, cell.library, std::to_string(cell.p)};
  const bool product = is_product(cell.program);
  const auto latencies = tools::thesis_latencies(run);
  const auto gap = product ? tools::thesis_gap(run, "all-to-all", "hpget")
                           : tools::thesis_gap(run, "random", "put");
  if (!latencies || !gap) return {};
  const bool other = cell.program == BspProgram::standard && reading.exchanged;
  BSPRates rates;
  rates.f = bsp_printed_f(cell.program, other ? other_of(cell.machine) : cell.machine);
  rates.l = (*latencies)[product ? 2 : 1];
  rates.l_empty = (*latencies)[0];
  rates.gap = *gap;
  return rates;
}

std::vector<int> bsp_sizes(BspProgram program) {
  int step = 100, last = 2000;
  if (program == BspProgram::standard) step = 8192, last = 65536;
  if (program == BspProgram::bit_parallel) step = 65536, last = longest_bit_strings;
  std::vector<int> sizes;
  for (int n = step; n <= last; n += step) sizes.push_back(n);
  return sizes;
}

double bsp_seconds(const BspCell& cell, const BSPRates& rates, BSPModel model, int n,
                   const BspReading& reading) {
  if (is_product(cell.program)) return product_cost(cell, n, reading).Seconds(rates, model);
  return subsequence_cost(cell, n).Seconds(rates, model);
}

std::optional<double> bsp_efficiency(const BspCell& cell, BSPModel model,
                                     const BspReading& reading) {
  const std::optional<BSPRates> rates = bsp_rates(cell, reading);
  if (!rates) return {};
  const double f = bsp_printed_f(cell.program, cell.machine);
  double best = 0;
  for (const int n : bsp_sizes(cell.program)) {
    const double operations = is_product(cell.program) ? product_cost(cell, n, reading).Operations()
                                                       : subsequence_cost(cell, n).Operations();
    const double seconds = bsp_seconds(cell, *rates, model, n, reading);
    best = std::max(best, 100 * BSPWrapper::Efficiency(operations, f, seconds, cell.p));
  }
  return best;
}

Tolerance bsp_tolerance(const BspCell& cell, BSPModel model) {
  const double error = model == BSPModel::plain ? cell.error_plain : cell.error_extended;
  return {
      std::clamp(error, least_tolerance, most_tolerance) / 100, 0,
      fmt::format("the mean error of the thesis's own predictions in its cell, {} % at least and "
                  "{} % at most",
                  least_tolerance, most_tolerance)};
}

std::optional<double> bsp_error(const BspCell& cell, BSPModel model) {
  const BspReading reading;
  const std::optional<BSPRates> rates = bsp_rates(cell, reading);
  const BSPModel extended = extended_model(cell.program);
  const std::optional<double> efficiency = bsp_efficiency(cell, extended, reading);
  if (!rates || !efficiency) return {};
  const double factor = *efficiency / cell.efficiency;  // measured times over those of the model
  const std::vector<int> sizes = bsp_sizes(cell.program);
  double sum = 0;
  for (const int n : sizes) {
    const double predicted = bsp_seconds(cell, *rates, model, n, reading);
    const double measured = factor * bsp_seconds(cell, *rates, extended, n, reading);
    sum += 1 - std::min(predicted, measured) / std::max(predicted, measured);
  }
  return 100 * sum / static_cast<double>(sizes.size());
}

Row& add_bsp_error_row(Result& result, const BspCell& cell, BSPModel model) {
  const std::optional<double> ours = bsp_error(cell, model);
  const double theirs = model == BSPModel::plain ? cell.error_plain : cell.error_extended;
  Row& row = result.row(
      label_of(cell, model) + ": mean error of prediction", theirs, ours ? Value(*ours) : Value(),
      "%", ours ? "mean over the sizes, against the extended model at the printed efficiency" : "",
      {.relative = 0,
       .absolute = 10,
       .reason = "percentage points, because the row is a per cent"});
  row.part = "errors of prediction";
  return row;
}

Row& add_bsp_row(Result& result, const BspCell& cell, BSPModel model) {
  const std::optional<double> ours = bsp_efficiency(cell, model);
  return result.row(label_of(cell, model), cell.efficiency, ours ? Value(*ours) : Value(), "%",
                    ours ? source_of(cell) : "", bsp_tolerance(cell, model));
}

void add_bsp_parameters(Result& result, BspProgram program) {
  for (const char* machine : machines)
    result.parameters.push_back(
        {fmt::format("f of {}", machine), bsp_printed_f(program, machine) * 1e9, "ns",
         is_product(program) ? "paper 003, table 4.2"
                             : "paper 003, table 5.3: the rate that it prints for this machine"});
  result.parameters.push_back(
      {"g, h_half, o", is_product(program) ? "all-to-all, hpget" : "random permutation, put", "",
       "paper 003, tables C.3, C.6 and C.9"});
  if (is_product(program))
    result.parameters.push_back({"supersteps that send blocks of the result",
                                 "ceil((q^(2/3) mod p) q^(1/3) / p)", "",
                                 "paper 003, section 4.2; (4.6) and (4.8) multiply them by those "
                                 "of the computation, see 003-output-steps"});
  if (program == BspProgram::standard)
    result.parameters.push_back({"rates of argus and aracari exchanged (1: yes)", 1.0, "",
                                 "fitted: to paper 003, tables F.2 and F.3"});
  if (program == BspProgram::bit_parallel)
    result.parameters.push_back(
        {"longest strings", static_cast<double>(longest_bit_strings), "characters",
         "paper 003, table G.2: the power of two with which most of its cells agree; the text "
         "gives a length of the standard algorithm's strings only"});
  result.parameters.push_back({"l", "with communication if g is constant, else without", "",
                               "paper 003, tables C.2, C.5 and C.8"});
}

}  // namespace tutti::papers
