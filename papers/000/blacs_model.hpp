// SPDX-License-Identifier: BSD-3-Clause
// The model of paper 000: times are lines in the number of doubles, made of T_c, T_s, T_m and T_o
// of its four machines. The files about paper 000 use it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "papers/common/result.hpp"
#include "schedule/counts.hpp"
#include "schedule/generator.hpp"

namespace tutti::papers {

// The time in microseconds of a message with this many doubles.
struct Line {
  double alpha = 0;
  double beta = 0;
  [[nodiscard]] double at(double doubles) const { return alpha + beta * doubles; }
  friend Line operator+(Line a, Line b) { return {a.alpha + b.alpha, a.beta + b.beta}; }
  friend Line operator*(double times, Line a) { return {times * a.alpha, times * a.beta}; }
};

struct BlacsMachine {
  std::string key;   // key in the data
  std::string name;  // the abbreviation of the paper
  std::string file;  // the machine file that is simulated
  Line complete, send, operation;
  Line copy;  // before a scoped operation; nothing where sends are locally blocking anyway
};
// The four machines in the paper's order. Their times are those of the vendors' systems, from which
// the paper predicts (its section 3.4).
[[nodiscard]] std::vector<BlacsMachine> blacs_machines();

constexpr int blacs_processors = 32;

// The data points whose errors the paper gives: every fifth one except the first.
inline constexpr std::array blacs_points{5000.,  10000., 15000., 20000., 25000.,
                                         30000., 35000., 40000., 45000., 50000.};

// How long T_c, T_o and T_s are for a message with this many doubles. T_s is nearly as long as T_c
// on these machines (section 4.4.2), which decides what processor is the last one.
[[nodiscard]] schedule::Durations durations_of(const BlacsMachine& machine, double doubles);

// Converts a time of the verifier's clock to a line; includes the copy.
[[nodiscard]] Line predicted(const schedule::Time& time, const BlacsMachine& machine);

// The verifier's counts of an algorithm, which is repeated `times` times without a barrier in
// between. Throws base::Error if the verifier finds an error in the algorithm.
[[nodiscard]] schedule::Counts counts_of(schedule::Operation operation, const char* algorithm,
                                         schedule::Shape shape,
                                         const schedule::Durations& durations = {}, int times = 1);

// A note of items that are also measured on this machine.
inline constexpr const char* measured_here_too =
    "`tutti reproduce --measure 000` measures the same on this machine.";

// Returns text such as "10 Tc + 2 Ts".
[[nodiscard]] std::string to_text(const schedule::Time& time);

void add_parameters(Result& result, const BlacsMachine& machine);

// The source of rows that the verifier's counts decide.
inline constexpr const char* counted = "counts of the verifier";
inline constexpr const char* counted_in_times = "counts of the verifier, T_c and T_s of the tables";
// Compares the times of the source and of the last processor with the item's formulas "root" and
// "longest".
void add_times(Result& result, const std::string& what, const std::string& formulas,
               const schedule::Shape& shape, const schedule::Counts& counts);

// Returns "table 12" of "000-table-12".
[[nodiscard]] std::string words_of(std::string table);

// Adds what the system's own operation takes by the paper's fit in a table, for the curve of a
// figure. Nothing of ours stands beside it. The paper prints no fit of the Paragon's sums.
void give_system(Result& result, const BlacsMachine& machine, const char* table, double doubles);

}  // namespace tutti::papers
