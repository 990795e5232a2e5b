// SPDX-License-Identifier: BSD-3-Clause
// Adds up the terms of the price of a plan in shared memory.
#include "selection/host_price.hpp"

namespace tutti::selection {
namespace {

// Returns the time of the work, without waiting.
HostTimes times_of(const schedule::Work& work, const HostRates& rates, double block_bytes) {
  const auto bytes = [&](std::int64_t blocks) { return static_cast<double>(blocks) * block_bytes; };
  return {bytes(work.written) * rates.written + bytes(work.read) * rates.read +
              bytes(work.copied) * rates.copied,
          bytes(work.combined) * rates.combined,
          static_cast<double>(work.posted + work.taken) * rates.message, 0};
}

}  // namespace

HostRates host_rates_of(const machine::Profile& profile) {
  const auto rate = [&](const std::string& name) {
    const auto found = profile.more.find(name);
    if (found != profile.more.end()) return found->second.value;
    static const machine::Profile host = machine::load("host");  // takes 0.2 ms
    return host.more.at(name).value;
  };
  HostRates rates;
  for (const HostRateKey& key : host_rate_keys)
    rates.*key.rate = rate(std::string("shared_memory.") + key.name);
  return rates;
}

HostTimes host_times(const schedule::HostCounts& counts, const HostRates& rates, double block_bytes,
                     const HostPlace& place) {
  const auto rounds = static_cast<double>(counts.rounds);
  if (!place.oversubscribed()) {
    HostTimes times = times_of(counts.path, rates, block_bytes);
    times.waiting = rounds * rates.line;
    return times;
  }
  HostTimes times = times_of(counts.total, rates, block_bytes);
  times.copying /= place.processors;
  times.combining /= place.processors;
  times.messages /= place.processors;
  times.waiting =
      static_cast<double>(counts.waits) * rates.wait / place.processors + rounds * rates.round;
  return times;
}

}  // namespace tutti::selection
