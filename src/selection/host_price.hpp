// SPDX-License-Identifier: BSD-3-Clause
// Prices a plan for processes that share memory. In contrast to the model with alpha, beta and
// gamma it knows that many ranks can read what was written once, and that ranks may outnumber
// processors.
//
// If each rank has a processor, the price is the work along the rounds, and a cache line for each
// round. If there are fewer processors, it is the work of all ranks, shared by the processors, a
// switch between processes for each wait, and a delay for each round.
#pragma once

#include "machine/profile.hpp"
#include "schedule/host_counts.hpp"

namespace tutti::selection {

// Times in microseconds, for a byte unless said.
struct HostRates {
  double written = 0, read = 0, combined = 0, copied = 0;
  double message = 0;  // of a message, for each rank that sends or receives it
  double line = 0;     // of a round, if each rank has a processor
  double wait = 0;     // of a wait, if ranks share processors
  double round = 0;    // of a round, if ranks share processors
};

// A rate, and its key in the table [shared_memory] of a profile.
struct HostRateKey {
  const char* name;
  double HostRates::*rate;
};
inline constexpr HostRateKey host_rate_keys[] = {
    {"written", &HostRates::written},   {"read", &HostRates::read},
    {"combined", &HostRates::combined}, {"copied", &HostRates::copied},
    {"message", &HostRates::message},   {"line", &HostRates::line},
    {"wait", &HostRates::wait},         {"round", &HostRates::round}};

// Returns the rates in the table [shared_memory] of the profile. The profile `host`
// gives the others.
[[nodiscard]] HostRates host_rates_of(const machine::Profile& profile);

// Ranks and the processors that they may use.
struct HostPlace {
  int p = 1;
  int processors = 1;
  [[nodiscard]] bool oversubscribed() const { return p > processors; }
};

// The times of which a price is the sum, in microseconds.
struct HostTimes {
  double copying = 0;    // written, read and copied bytes
  double combining = 0;  // combined bytes
  double messages = 0;
  double waiting = 0;  // waits and rounds
  [[nodiscard]] double total() const { return copying + combining + messages + waiting; }
};

// Returns the price of a plan whose blocks have `block_bytes` each.
[[nodiscard]] HostTimes host_times(const schedule::HostCounts& counts, const HostRates& rates,
                                   double block_bytes, const HostPlace& place);

}  // namespace tutti::selection
