// SPDX-License-Identifier: BSD-3-Clause
// Complete exchanges by tutti's collectives, with errors in the name of bsp_sync (delivery.hpp).
#include "delivery.hpp"

#include <numeric>

#include "direct.hpp"
#include "errors.hpp"

namespace tutti::bsp {
namespace {

constexpr const char* during_sync = "bsp_sync";

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace

void exchange_words(const Peers& peers, void* from, void* to, std::size_t words_each) {
  const auto words = static_cast<std::int64_t>(words_each * peers.count());
  const tutti_data input = tutti_array(from, words, TUTTI_INT64);
  const tutti_data output = tutti_array(to, words, TUTTI_INT64);
  if (peers.reach_windows) return check(during_sync, tutti_alltoall, peers.group, &input, &output);
  tutti_request request{0};
  check(during_sync, tutti_ialltoall, peers.group, &input, &output, &request);
  complete(during_sync, request);
}

void exchange_words(const Peers& peers, void* from, const std::vector<std::int64_t>& from_counts,
                    void* to, const std::vector<std::int64_t>& to_counts) {
  const tutti_data input = tutti_array(from, sum(from_counts), TUTTI_INT64);
  const tutti_data output = tutti_array(to, sum(to_counts), TUTTI_INT64);
  if (peers.reach_windows) {
    return check(during_sync, tutti_alltoallv, peers.group, &input, &output, from_counts.data(),
                 to_counts.data());
  }
  tutti_request request{0};
  check(during_sync, tutti_ialltoallv, peers.group, &input, &output, from_counts.data(),
        to_counts.data(), &request);
  complete(during_sync, request);
}

void exchange_bytes(const Peers& peers, std::vector<std::byte>& from,
                    const std::vector<std::int64_t>& from_counts, std::vector<std::byte>& to,
                    const std::vector<std::int64_t>& to_counts) {
  to.resize(static_cast<std::size_t>(sum(to_counts)));
  const tutti_data input = tutti_array(from.data(), sum(from_counts), TUTTI_BYTE);
  const tutti_data output = tutti_array(to.data(), sum(to_counts), TUTTI_BYTE);
  check(during_sync, tutti_alltoallv, peers.group, &input, &output, from_counts.data(),
        to_counts.data());
}

void StreamDelivery::exchange(const Peers& peers, std::vector<Stream>& streams) {
  const std::size_t count = peers.count();
  told_.resize(count);
  heard_.resize(count);
  found_.resize(count);
  for (std::size_t pid = 0; pid < count; ++pid) {
    const std::uint64_t name = streams[pid].seal();
    told_[pid] = peers.reach_windows ? name : streams[pid].length();
  }
  exchange_words(peers, told_.data(), heard_.data(), 1);
  if (peers.reach_windows) {
    for (std::size_t pid = 0; pid < count; ++pid) {
      found_[pid] = heard_[pid] == 0 ? nullptr : peers.resolve(pid, heard_[pid]);
    }
    return;
  }
  sent_counts_.assign(told_.begin(), told_.end());
  received_counts_.assign(heard_.begin(), heard_.end());
  sent_.resize(static_cast<std::size_t>(sum(sent_counts_)));
  std::byte* at = sent_.data();
  for (std::size_t pid = 0; pid < count; at += told_[pid++]) streams[pid].flatten(at);
  exchange_bytes(peers, sent_, sent_counts_, received_, received_counts_);
  at = received_.data();
  for (std::size_t pid = 0; pid < count; at += heard_[pid++]) {
    found_[pid] = heard_[pid] == 0 ? nullptr : reinterpret_cast<const StreamBlock*>(at);
  }
}

}  // namespace tutti::bsp
