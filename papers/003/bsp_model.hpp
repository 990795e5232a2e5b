// SPDX-License-Identifier: BSD-3-Clause
// The programs of paper 003 in its own models: what they take by (4.8), (4.9), (5.3) and (5.5) with
// the rates of its tables, and what the tables of its appendices say.
#pragma once

#include <tutti-bspwrapper/costs.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "papers/common/result.hpp"

namespace tutti::papers {

using BSPWrapper::BSPModel;
using BSPWrapper::BSPRates;
using BSPWrapper::ProductCost;

// Appendices D, E, F and G: the product in blocks with either distribution of the matrices, and the
// common subsequence by either algorithm.
enum class BspProgram { customized, fixed, standard, bit_parallel };

// A program with a library on a machine, as a group of three columns in a line of a table has it.
struct BspCell {
  BspProgram program = BspProgram::customized;
  std::string machine, library;
  int p = 1;
  int parameter = 1;          // q or alpha
  double efficiency = 0;      // %, the largest over the sizes
  double error_plain = 0;     // %, mean over the sizes of the error of predictions by (2.3)
  double error_extended = 0;  // %, by (2.6) in D and E, and by (2.5) in F and G
};

// The cells of a table such as "D.1", line by line.
[[nodiscard]] std::vector<BspCell> bsp_cells(const std::string& table);
// The table that has the program on the machine.
[[nodiscard]] std::string bsp_table(BspProgram program, const std::string& machine);
[[nodiscard]] bool is_product(BspProgram program);
// (2.6) or (2.5), see BspCell.
[[nodiscard]] BSPModel extended_model(BspProgram program);
// Words such as "g constant" and "g(h, h*)".
[[nodiscard]] const char* words_of(BSPModel model);

// A reading of the places where the paper contradicts itself.
struct BspReading {
  // This is what the text of section 4.2 says, without a look at the tables of the appendices.
  ProductCost::Reading output = ProductCost::OutputOnce;
  // Times on argus and aracari need the rate of the standard algorithm that table 5.3 has for the
  // other machine; efficiencies have the machine's own. This is fitted to tables F.2 and F.3. That
  // table 5.4 does not allow the other reading on argus is a second witness.
  bool exchanged = true;
};

// f as tables 4.2 and 5.3 have it, in seconds.
[[nodiscard]] double bsp_printed_f(BspProgram program, const std::string& machine);
// Empty if appendix C lacks the rates.
[[nodiscard]] std::optional<BSPRates> bsp_rates(const BspCell& cell, const BspReading& reading);
// Sizes of the experiments: matrices of 100 to 2000, strings of 8192 to 65536 for the standard
// algorithm. The text does not have the lengths for the bit-parallel one.
[[nodiscard]] std::vector<int> bsp_sizes(BspProgram program);
[[nodiscard]] double bsp_seconds(const BspCell& cell, const BSPRates& rates, BSPModel model, int n,
                                 const BspReading& reading);
// (4.12) in %, the largest of all sizes. Empty if appendix C lacks the rates.
[[nodiscard]] std::optional<double> bsp_efficiency(const BspCell& cell, BSPModel model,
                                                   const BspReading& reading = {});

// The tolerance of a cell: the error of the thesis's own predictions there, 10 % at least and 25 %
// at most.
[[nodiscard]] Tolerance bsp_tolerance(const BspCell& cell, BSPModel model);
// The mean error in % of predictions over the sizes, as appendices D to G print it. The thesis
// prints no measured times: ours are those of the extended model, all longer or shorter by the
// factor that leads to the printed efficiency. Empty if appendix C lacks the rates.
[[nodiscard]] std::optional<double> bsp_error(const BspCell& cell, BSPModel model);
// Adds a row with the printed error and ours.
Row& add_bsp_error_row(Result& result, const BspCell& cell, BSPModel model);
// Adds a row with the printed efficiency and ours.
Row& add_bsp_row(Result& result, const BspCell& cell, BSPModel model);
// Adds the rates of the program, f, and where g and l come from.
void add_bsp_parameters(Result& result, BspProgram program);

}  // namespace tutti::papers
