// SPDX-License-Identifier: BSD-3-Clause
// Fits alpha, beta and gamma: builds and solves the normal equations of three unknowns.
#include "tune/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tutti::tools {
namespace {

constexpr std::size_t unknowns = 3;
using Row = std::array<double, unknowns>;
using Used = std::array<bool, unknowns>;

// Divides the coefficients of an equation by its time, so that the right-hand side is 1 and errors
// are relative.
Row relative(const Observation& o) {
  return {o.terms.alpha / o.us, o.terms.beta * o.bytes / o.us, o.terms.gamma * o.bytes / o.us};
}

struct System {
  std::array<Row, unknowns> matrix{};
  Row right{};
};

// Unknowns that are not used, or about which the observations tell nothing, get an equation that
// makes them 0.
System normal_equations(std::span<const Observation> observations, const Used& used) {
  System s;
  for (const Observation& observation : observations) {
    const Row row = relative(observation);
    for (std::size_t i = 0; i < unknowns; ++i) {
      for (std::size_t j = 0; used[i] && j < unknowns; ++j)
        s.matrix[i][j] += used[j] ? row[i] * row[j] : 0;
      if (used[i]) s.right[i] += row[i];
    }
  }
  for (std::size_t i = 0; i < unknowns; ++i) {
    if (s.matrix[i][i] == 0) s.matrix[i][i] = 1;
  }
  return s;
}

void swap_rows(System& s, std::size_t a, std::size_t b) {
  std::swap(s.matrix[a], s.matrix[b]);
  std::swap(s.right[a], s.right[b]);
}

// Solves by elimination. The unknowns differ by many orders of magnitude, so the matrix is first
// scaled to a diagonal of ones.
Row solve(System s) {
  Row scale;
  for (std::size_t i = 0; i < unknowns; ++i) scale[i] = std::sqrt(s.matrix[i][i]);
  for (std::size_t i = 0; i < unknowns; ++i) {
    for (std::size_t j = 0; j < unknowns; ++j) s.matrix[i][j] /= scale[i] * scale[j];
    s.right[i] /= scale[i];
  }
  for (std::size_t column = 0; column < unknowns; ++column) {
    std::size_t best = column;
    for (std::size_t i = column + 1; i < unknowns; ++i) {
      if (std::abs(s.matrix[i][column]) > std::abs(s.matrix[best][column])) best = i;
    }
    swap_rows(s, column, best);
    if (std::abs(s.matrix[column][column]) < 1e-12)
      continue;  // these two unknowns cannot be told apart
    for (std::size_t i = 0; i < unknowns; ++i) {
      if (i == column) continue;
      const double factor = s.matrix[i][column] / s.matrix[column][column];
      for (std::size_t j = 0; j < unknowns; ++j) s.matrix[i][j] -= factor * s.matrix[column][j];
      s.right[i] -= factor * s.right[column];
    }
  }
  Row found{};
  for (std::size_t i = 0; i < unknowns; ++i) {
    if (std::abs(s.matrix[i][i]) >= 1e-12) found[i] = s.right[i] / s.matrix[i][i] / scale[i];
  }
  return found;
}

}  // namespace

Fit fit(std::span<const Observation> observations) {
  Used used;
  used.fill(true);
  Row found = solve(normal_equations(observations, used));
  for (;;) {
    const auto least = std::min_element(found.begin(), found.end());
    if (*least >= 0) break;
    used[static_cast<std::size_t>(least - found.begin())] = false;
    found = solve(normal_equations(observations, used));
  }
  Fit result{{found[0], found[1], found[2]}, static_cast<int>(observations.size()), 0, 0};
  for (const Observation& o : observations) {
    const double error = selection::time(o.terms, result.rates, o.bytes) / o.us - 1;
    result.rms += error * error;
    result.worst = std::max(result.worst, std::abs(error));
  }
  if (result.points > 0) result.rms = std::sqrt(result.rms / result.points);
  return result;
}

}  // namespace tutti::tools
