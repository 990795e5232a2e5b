// SPDX-License-Identifier: BSD-3-Clause
// The BSP cost model with start-up and overhead (paper 003, 2.1 to 2.6), and how its parameters
// follow from samples (3.1 to 3.6). The unit of h is a word that a process sends while it receives
// another. With h_in + h_out words as in (2.2), the same superstep has twice as many words, each
// for half the gap.
#pragma once

#include <tutti-bspwrapper/paramfile.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tutti::tools {

using GapSample = BSPWrapper::BSPSample;

struct Gap : BSPWrapper::BSPGap {
  double overhead_oxford = 0;  // o of (3.1)
  double regression_g = 0;     // slope over the number of words in messages of one size
  double regression_l = 0;     // intercept of the same line
};

// Computes the parameters from samples, at least one. More sizes and counts make them better.
[[nodiscard]] Gap gap_of(const std::vector<GapSample>& samples);
// Returns the gap of the same communication with h counted as h_in + h_out.
[[nodiscard]] Gap in_plus_out(Gap gap);

// Kinds of access, in the order in which profiles and machines list them.
constexpr std::array<const char*, 5> access_names = {"put", "hpput", "get", "hpget", "send"};

// Words and messages of one kind of access. Those that a process sends to itself count, because
// they cost the same.
struct Moved {
  double words = 0;
  double messages = 0;
};

// The work and the communication of a superstep: of each quantity, the largest value of any
// process.
struct Superstep {
  double compute = 0;  // seconds on the machine it was measured on
  double words = 0;    // h
  double messages = 0;
  double measured = 0;  // seconds for everything, 0 if unknown
  std::array<Moved, access_names.size()> moved{};
};

struct BspMachine {
  double speed = 1;   // time per operation on this machine over that where `compute` was measured
  double l = 0;       // latency of an empty superstep
  double l_busy = 0;  // latency of a superstep that communicates
  Gap gap;
  // One for each kind of access, used instead of `gap`.
  std::optional<std::array<Gap, access_names.size()>> gaps{};
};

enum class Model { plain, startup, overhead };  // (2.3), (2.5), (2.6)

[[nodiscard]] double predicted(const BspMachine& machine, const Superstep& step, Model model);
[[nodiscard]] double predicted(const BspMachine& machine, std::span<const Superstep> steps,
                               Model model);

}  // namespace tutti::tools
