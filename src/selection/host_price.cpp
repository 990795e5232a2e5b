// SPDX-License-Identifier: BSD-3-Clause
// Adds up the terms of the price of a plan in shared memory.
#include "selection/host_price.hpp"

namespace tutti::selection {
namespace {

double time_of(const schedule::Work& work, const HostRates& rates, double block_bytes) {
  const double bytes = static_cast<double>(work.written) * rates.written +
                       static_cast<double>(work.read) * rates.read +
                       static_cast<double>(work.combined) * rates.combined +
                       static_cast<double>(work.copied) * rates.copied;
  return bytes * block_bytes + static_cast<double>(work.taken) * rates.taken;
}

}  // namespace

HostRates host_rates_of(const machine::Profile& profile) {
  static const machine::Profile host = machine::load("host");
  const auto rate = [&](const std::string& name) {
    const auto found = profile.more.find("shared_memory." + name);
    return found != profile.more.end() ? found->second.value
                                       : host.more.at("shared_memory." + name).value;
  };
  return {rate("written"), rate("read"), rate("combined"), rate("copied"),
          rate("taken"),   rate("line"), rate("wait"),     rate("round")};
}

double host_time(const schedule::HostCounts& counts, const HostRates& rates, double block_bytes,
                 int p, int processors) {
  const auto rounds = static_cast<double>(counts.rounds);
  if (p <= processors) return time_of(counts.path, rates, block_bytes) + rounds * rates.line;
  return (time_of(counts.total, rates, block_bytes) +
          static_cast<double>(counts.waits) * rates.wait) /
             processors +
         rounds * rates.round;
}

}  // namespace tutti::selection
