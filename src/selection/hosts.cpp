// SPDX-License-Identifier: BSD-3-Clause
// Counts the messages of a schedule by rank and by host.
#include "selection/hosts.hpp"

#include <algorithm>
#include <cstdint>

#include "schedule/block_count.hpp"

namespace tutti::selection {
namespace {

constexpr std::int64_t most_counted = 200'000;  // rounds of all ranks

// The loads of one round, in blocks. A block between hosts counts as remote.beta blocks.
class RoundLoad {
 public:
  RoundLoad(const Hosts& hosts, const RemoteRates& remote)
      : hosts_(hosts),
        remote_(remote),
        ranks_(2 * hosts.size()),
        machines_(2 * hosts.size()),
        remote_messages_(2 * hosts.size()) {}

  void add(int from, int to, double blocks) {
    const auto source = static_cast<std::size_t>(from), target = static_cast<std::size_t>(to);
    const bool leaves = hosts_[source] != hosts_[target];
    const double load = leaves ? blocks * remote_.beta : blocks;
    startup_ = std::max(startup_, 1.0);
    raise(ranks_, 2 * source, load);
    raise(ranks_, 2 * target + 1, load);
    if (!leaves) return;
    // Within a host one copy serves all receivers; between hosts every message has its own
    // start-up.
    startup_ = std::max({startup_, remote_.alpha * ++remote_messages_[2 * source],
                         remote_.alpha * ++remote_messages_[2 * target + 1]});
    raise(machines_, 2 * static_cast<std::size_t>(hosts_[source]), load);
    raise(machines_, 2 * static_cast<std::size_t>(hosts_[target]) + 1, load);
  }

  // Adds the round to `sum`, in blocks, and forgets it.
  void take(Terms& sum) {
    sum.alpha += startup_;
    sum.beta += longest_;
    startup_ = longest_ = 0;
    std::fill(ranks_.begin(), ranks_.end(), 0.0);
    std::fill(machines_.begin(), machines_.end(), 0.0);
    std::fill(remote_messages_.begin(), remote_messages_.end(), 0);
  }

 private:
  void raise(std::vector<double>& loads, std::size_t index, double load) {
    longest_ = std::max(longest_, loads[index] += load);
  }

  const Hosts& hosts_;
  const RemoteRates& remote_;
  std::vector<double> ranks_, machines_;  // out and in alternate
  std::vector<int> remote_messages_;
  double startup_ = 0, longest_ = 0;
};

void add_sends(const schedule::Round& round, int rank, RoundLoad& load) {
  for (const schedule::Op& op : round.ops) {
    if (op.what != schedule::Do::send) continue;
    for (int i = 0; i < op.to.count; ++i) {
      const int to = op.to.first + i * op.to.stride;
      if (to != op.to.except && to != rank)
        load.add(rank, to, static_cast<double>(schedule::block_count(op.blocks)));
    }
  }
}

double ratio(const machine::Profile& profile, const char* key, double within) {
  static const machine::Profile builtin = machine::load("host");
  const auto own = profile.more.find(key);
  const machine::Number& number = own != profile.more.end() ? own->second : builtin.more.at(key);
  return within > 0 ? std::max(1.0, number.value / within) : 1.0;
}

}  // namespace

Hosts numbered_hosts(std::span<const int> host_of_rank) {
  Hosts hosts;
  std::vector<int> seen;
  for (const int host : host_of_rank) {
    const auto found = std::find(seen.begin(), seen.end(), host);
    hosts.push_back(static_cast<int>(found - seen.begin()));
    if (found == seen.end()) seen.push_back(host);
  }
  return seen.size() > 1 ? hosts : Hosts();
}

int host_count(const Hosts& hosts) {
  return hosts.empty() ? 1 : *std::max_element(hosts.begin(), hosts.end()) + 1;
}

std::vector<int> mesh_of(const Hosts& hosts) {
  if (hosts.empty()) return {};
  const int p = static_cast<int>(hosts.size()), rows = host_count(hosts);
  if (p % rows != 0) return {};
  for (int rank = 0; rank < p; ++rank) {
    if (hosts[static_cast<std::size_t>(rank)] != rank / (p / rows)) return {};
  }
  return {rows, p / rows};
}

std::vector<int> sizes_of(const Hosts& hosts) {
  std::vector<int> sizes;
  if (!std::is_sorted(hosts.begin(), hosts.end())) return sizes;
  for (const int host : hosts) {
    if (static_cast<std::size_t>(host) == sizes.size()) sizes.push_back(0);
    ++sizes.back();
  }
  return sizes;
}

RemoteRates remote_rates_of(const machine::Profile& profile) {
  return {ratio(profile, "hosts.alpha", profile.alpha.value),
          ratio(profile, "hosts.beta", profile.beta.value)};
}

HostTerms host_terms(const schedule::Generator& generator, const schedule::Shape& shape,
                     const Hosts& hosts, const RemoteRates& remote, const Terms& flat) {
  const int rounds = generator.rounds(shape);
  if (std::int64_t{rounds} * shape.p > most_counted)
    return {.terms = {flat.alpha * remote.alpha, flat.beta * remote.beta, flat.gamma},
            .counted = false};
  RoundLoad load(hosts, remote);
  Terms sum;
  schedule::Round round;
  for (int t = 0; t < rounds; ++t) {
    for (int rank = 0; rank < shape.p; ++rank) {
      round.ops.clear();
      generator.emit(round, shape, schedule::Rank{rank}, t);
      add_sends(round, rank, load);
    }
    load.take(sum);
  }
  const int parts = std::max(1, generator.buffers(shape).parts);
  return {{sum.alpha, sum.beta / parts, flat.gamma}};
}

}  // namespace tutti::selection
