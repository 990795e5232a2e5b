// SPDX-License-Identifier: BSD-3-Clause
// Derives the bounds. Where a rank has one port, a round at most doubles the number of ranks that
// know of a rank's data. Each rank moves what its result needs from others, and all ranks together
// combine p operands.
#include "explain/limits.hpp"

#include <bit>

#include "selection/hosts.hpp"

namespace tutti::tools {

using schedule::Operation;

selection::Terms least_terms(Operation operation, int p) {
  selection::Terms terms;
  if (p < 2) return terms;
  terms.alpha = std::bit_width(static_cast<unsigned>(p - 1));  // each round doubles who knows
  const double others = (p - 1.0) / p;
  switch (operation) {
    case Operation::barrier:
      return terms;
    case Operation::broadcast:
      terms.beta = 1;
      return terms;
    case Operation::reduce:
      terms.beta = 1;
      terms.gamma = others;
      return terms;
    case Operation::allreduce:
      terms.beta = 2 * others;
      terms.gamma = others;
      return terms;
    case Operation::reduce_scatter:
      terms.beta = terms.gamma = others;
      return terms;
    case Operation::scan:
    case Operation::exscan:
      terms.beta = 1;
      return terms;
    default:
      terms.beta = others;
  }
  return terms;
}

std::vector<Limit> limits_of(const selection::Explanation& e) {
  if (e.host) {
    const selection::HostRates rates = selection::host_rates_of(e.machine);
    return {{"one copy of the vector",
             [rates](double bytes) { return rates.message + rates.copied * bytes; }}};
  }
  const selection::Rates rates = selection::rates_of(e.machine);
  if (!e.question.hosts.empty()) {
    const selection::RemoteRates remote = selection::remote_rates_of(e.machine);
    return {{"one message of the vector between hosts", [=](double bytes) {
               return remote.alpha * rates.alpha + remote.beta * rates.beta * bytes;
             }}};
  }
  const selection::Terms least = least_terms(e.question.operation, e.question.p);
  return {
      {"bound with one port", [=](double bytes) { return selection::time(least, rates, bytes); }},
      {"one message of the vector",
       [=](double bytes) { return rates.alpha + rates.beta * bytes; }}};
}

}  // namespace tutti::tools
