// SPDX-License-Identifier: BSD-3-Clause
// The BSP cost model with start-up and overhead (paper 003, 2.1 to 2.6) and how its parameters
// follow from samples (3.1 to 3.6). The unit of h is a word that a process sends while it receives
// another: with h_in + h_out words as in (2.2) the same superstep has twice as many, each for half
// the gap.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tutti::tools {

// Seconds per word of a superstep in which each process sends `count` messages of `size` words.
struct GapSample {
  double size = 1;
  double count = 1;
  double g = 0;
};

struct Gap {
  double g_inf = 0;            // (3.2), seconds per word
  double g_small = 0;          // (3.3)
  double h_half = 0;           // (3.4), words
  double overhead = 0;         // o of (3.6), words
  double overhead_oxford = 0;  // o of (3.1)
  double regression_g = 0;     // slope over the number of words in messages of one size, and
  double regression_l = 0;     // intercept
  double error_bsp = 0;        // mean of squares of g - (2.5), in us per word
  double error_bsp_star = 0;   // the same for (2.6)
};

// Needs a sample at least; more sizes and counts make it better.
[[nodiscard]] Gap gap_of(std::span<const GapSample> samples);
// The same communication with h counted as h_in + h_out.
[[nodiscard]] Gap in_plus_out(Gap gap);

// (2.5), and with the size of messages (2.6).
[[nodiscard]] double gap_at(const Gap& gap, double h);
[[nodiscard]] double gap_at(const Gap& gap, double h, double size);

// The order in which profiles and machines list them.
constexpr std::array<const char*, 5> access_names = {"put", "hpput", "get", "hpget", "send"};

// What goes by one kind of access, with what a process has for itself: that costs the same.
struct Moved {
  double words = 0;
  double messages = 0;
};

// What a superstep asks for, the most of any process.
struct Superstep {
  double compute = 0;  // seconds on the machine it was measured on
  double words = 0;    // h
  double messages = 0;
  double measured = 0;  // seconds in all, 0 if unknown
  std::array<Moved, access_names.size()> moved{};
};

struct BspMachine {
  double speed = 1;   // time per operation here over that where `compute` was measured
  double l = 0;       // of an empty superstep
  double l_busy = 0;  // of one that communicates
  Gap gap;
  std::optional<std::array<Gap, access_names.size()>> gaps{};  // by access, instead of one for all
};

enum class Model { plain, startup, overhead };  // (2.3), (2.5), (2.6)

[[nodiscard]] double predicted(const BspMachine& machine, const Superstep& step, Model model);
[[nodiscard]] double predicted(const BspMachine& machine, std::span<const Superstep> steps,
                               Model model);

}  // namespace tutti::tools
