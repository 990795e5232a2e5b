// SPDX-License-Identifier: BSD-3-Clause
// Times in the model of paper 000: lines in the number of doubles, made of T_c, T_s, T_m and T_o of
// its four machines.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "papers/result.hpp"
#include "schedule/counts.hpp"
#include "schedule/generator.hpp"

namespace tutti::papers {

// Microseconds for so many doubles.
struct Line {
  double alpha = 0;
  double beta = 0;
  [[nodiscard]] double at(double doubles) const { return alpha + beta * doubles; }
  friend Line operator+(Line a, Line b) { return {a.alpha + b.alpha, a.beta + b.beta}; }
  friend Line operator*(double times, Line a) { return {times * a.alpha, times * a.beta}; }
};

struct BlacsMachine {
  std::string key;   // in the data
  std::string name;  // as the paper abbreviates it
  std::string file;  // of the machine that is simulated
  Line complete, send, operation;
  Line copy;  // before a scoped operation; nothing where sends are locally blocking anyway
};
// The four machines in the paper's order; times of the systems, as the paper predicts with them
// (its section 3.4).
[[nodiscard]] std::vector<BlacsMachine> blacs_machines();

constexpr int blacs_processors = 32;

// The data points whose errors the paper gives: every fifth one, without the first, which it leaves
// out too.
inline constexpr std::array blacs_points{5000.,  10000., 15000., 20000., 25000.,
                                         30000., 35000., 40000., 45000., 50000.};

// What a time of the verifier's clock amounts to, with the copy.
[[nodiscard]] Line predicted(const schedule::Time& time, const BlacsMachine& machine);

// The verifier's counts of an algorithm for 32 processors. Throws base::Error if it proves it
// wrong.
[[nodiscard]] schedule::Counts counts_of(schedule::Operation operation, const char* algorithm,
                                         schedule::Shape shape);
// The time of the last rank when the broadcast is repeated so often without a barrier between.
[[nodiscard]] schedule::Time repeated_broadcast(const char* algorithm, schedule::Shape shape,
                                                int times);

// "10 Tc + 2 Ts".
[[nodiscard]] std::string to_text(const schedule::Time& time);

void add_parameters(Result& result, const BlacsMachine& machine);

}  // namespace tutti::papers
