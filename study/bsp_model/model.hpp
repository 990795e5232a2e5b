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

#include "bsp_model/surface.hpp"

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

// Kinds of access. An exchange is a call of bsp_total_exchange.
enum class Access { put, hpput, get, hpget, send, exchange };
constexpr std::array<const char*, 6> access_names = {"put",   "hpput", "get",
                                                     "hpget", "send",  "exchange"};
template <class T>
using ByAccess = std::array<T, access_names.size()>;

// Words and messages of one kind of access, with those that a process sends to itself.
struct Moved {
  double words = 0;
  double messages = 0;
};

// The part of one process in a superstep.
struct Work {
  double compute = 0;  // seconds of a processor of the machine it was measured on
  struct Flow {
    double out = 0, in = 0;            // words exchanged with others
    double messages = 0;               // calls of this process
    double served = 0;                 // calls of others, except direct ones
    double own = 0, own_messages = 0;  // exchanged with itself
  };
  ByAccess<Flow> flows{};

  Flow& of(Access access) { return flows[static_cast<std::size_t>(access)]; }
};

// The work and the communication of a superstep: of each quantity, the largest value of any
// process, and what each process does.
struct Superstep {
  double compute = 0;
  double words = 0;  // h
  double messages = 0;
  double measured = 0;  // seconds for everything, 0 if unknown
  ByAccess<Moved> moved{};
  std::vector<Work> processes{};
};

struct BspMachine {
  double speed = 1;   // time per operation on this machine over that where `compute` was measured
  double l = 0;       // latency of an empty superstep
  double l_busy = 0;  // latency of a superstep that communicates
  Gap gap;
  std::optional<ByAccess<Gap>> gaps{};  // used instead of `gap`
  ByAccess<Surface> surfaces{};         // may be empty
  ByAccess<Surface> own{};              // of what a process exchanges with itself; may be empty
  Surface
      sharing{};  // time by the seconds of a process that computes, and how many do; may be empty
  int processors = 0;  // 0: as many as there are processes
};

// (2.3), (2.5) and (2.6) add up the largest values of a superstep. `by_process` adds up what each
// process does, by the samples of the machine, and takes the slowest process.
enum class Model { plain, startup, overhead, by_process };

[[nodiscard]] double predicted(const BspMachine& machine, const Superstep& step, Model model);
// `by_process` of one superstep (by_process.cpp).
[[nodiscard]] double predicted_by_process(const BspMachine& machine, const Superstep& step);
[[nodiscard]] double predicted(const BspMachine& machine, std::span<const Superstep> steps,
                               Model model);

}  // namespace tutti::tools
