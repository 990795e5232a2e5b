// SPDX-License-Identifier: BSD-3-Clause
// Collects what a failure monitor has to watch, and starts it.
#include "launch/monitor_start.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "launch/attempt.hpp"
#include "launch/failure_monitor.hpp"
#include "launch/mpi_segment.hpp"
#include "launch/neighbours.hpp"
#include "launch/silence.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using transport::wire::WireJob;

// The places of what the monitor is told. From segments_at and ranks_at on there is one for each
// rank that it watches. The last words are its neighbours.
enum DescriptorPlace : std::size_t { life_at, listener_at, segments_at };
enum WordPlace : std::size_t { whole_at, ranks_at };
constexpr const char* is_whole = "whole";

struct Seat {
  int machine = 0, pid = 0, descriptor = -1;
  ListenPlace place{};
};

// The segments of all hosts of this machine, as descriptors. Hosts that TUTTI_HOSTS pretends on one
// machine have separate segments, but share one monitor.
class Segments {
 public:
  explicit Segments(const Mapping& own, int own_host) { own_ = {own_host, own.descriptor()}; }

  // Returns -1 if the segment cannot be opened. The ranks of the host are then not watched.
  int of(int host, const Seat& seat) {
    if (host == own_.host) return own_.descriptor;
    try {
      if (!others_.contains(host)) others_.emplace(host, find_segment(seat.pid, seat.descriptor));
      return others_.at(host).get();
    } catch (const base::Error&) {
      return -1;
    }
  }

 private:
  struct {
    int host, descriptor;
  } own_{};
  std::map<int, Descriptor> others_;  // key: the lowest rank of their host
};

// The other machines of the job, each with the place that its lowest rank has shown.
Neighbours neighbours_of(const WireJob& job, const std::vector<Seat>& seats, int listener) {
  Neighbours neighbours{.listener = listener, .secret = seats.front().place.secret};
  std::map<int, int> numbers;  // key: the lowest rank of the machine
  for (int rank = 0; rank < job.size(); ++rank) {
    const Seat& seat = seats[static_cast<std::size_t>(rank)];
    const int number =
        numbers.emplace(seat.machine, static_cast<int>(numbers.size())).first->second;
    if (seat.machine == job.hosts().machine()) {
      neighbours.own = number;
      continue;
    }
    auto& others = neighbours.others;
    const auto known = std::ranges::find(others, number, &OtherMachine::number);
    if (known != others.end()) {
      known->ranks.push_back(rank);
      continue;
    }
    const ListenPlace& place = seats[static_cast<std::size_t>(seat.machine)].place;
    OtherMachine other{.number = number, .name = place.name.data(), .port = place.port};
    for (const std::uint32_t address : place.addresses)
      if (address != 0) other.addresses.push_back(address);
    other.ranks.push_back(rank);
    others.push_back(std::move(other));
  }
  return neighbours;
}

void watch_ranks(Helper& helper) {
  const std::vector<std::string>& words = helper.words;
  Monitored watched{.life = helper.descriptors.at(life_at)};
  std::map<int, Mapping> segments;  // key: descriptor
  std::size_t word = ranks_at;
  for (std::size_t i = segments_at; i < helper.descriptors.size(); ++i, ++word) {
    const int segment = helper.descriptors[i];
    if (!segments.contains(segment)) segments.emplace(segment, Mapping::open(segment));
    MonitoredRank one{.mapping = &segments.at(segment)};
    if (std::sscanf(words.at(word).c_str(), "%d %d", &one.rank, &one.pid) != 2) return;
    watched.ranks.push_back(one);
  }
  auto neighbours =
      Neighbours::of({words.begin() + static_cast<std::ptrdiff_t>(word), words.end()});
  if (watched.ranks.empty() || !neighbours) return;
  watched.neighbours = *std::move(neighbours);
  if (words.at(whole_at) == is_whole) watched.whole = watched.ranks.front().mapping;
  be_failure_monitor(std::move(watched), helper);
}

// Starts the monitor of this machine. Returns the descriptor whose end it waits for.
Descriptor watch_machine(const WireJob& job, const Mapping& mapping, const std::vector<Seat>& seats,
                         int listener, OperationName operation_name) {
  Segments segments(mapping, job.hosts().of(job.rank()));
  const transport::shm::SegmentHeader& header = mapping.header();
  const bool whole = header.ranks_here == header.world_size &&
                     header.policy == transport::shm::DeathPolicy::together;
  DescriptorPair life = socket_pair(SOCK_STREAM);
  Helper helper{.words = {whole ? is_whole : ""},
                .descriptors = {life.second.get(), listener},
                .operation_name = operation_name};
  for (int rank = 0; rank < job.size(); ++rank) {
    const Seat& seat = seats[static_cast<std::size_t>(rank)];
    if (seat.machine != job.hosts().machine()) continue;
    const int host = job.hosts().of(rank);
    const int segment = segments.of(host, seats[static_cast<std::size_t>(host)]);
    if (segment < 0) continue;
    helper.words.push_back(fmt::format("{} {}", rank, seat.pid));
    helper.descriptors.push_back(segment);
  }
  const auto neighbours = neighbours_of(job, seats, listener).words();
  helper.words.insert(helper.words.end(), neighbours.begin(), neighbours.end());
  if (helper.descriptors.size() == segments_at) return {};
  // Failure is harmless: the job runs without a monitor.
  static_cast<void>(start_helper(failure_monitor, std::move(helper)));
  return std::move(life.first);
}

}  // namespace

constinit const HelperKind failure_monitor{"tutti-monitor", HelperTie::none, watch_ranks};

// Each rank keeps its memory open until all ranks have come to the end of this function.
Descriptor start_failure_monitor(const WireJob& job, const Mapping& mapping,
                                 OperationName operation_name) {
  Descriptor kept;
  MonitorListener listener;
  if (job.hosts().machine() == job.rank() && job.hosts().ranks_on_machine() < job.size() &&
      silence_of(mapping.tuning()))
    listener = listen_for_monitors();
  const auto seats =
      job.gather_all(Seat{job.hosts().machine(), ::getpid(), mapping.descriptor(), listener.place});
  Attempt started;
  if (job.hosts().machine() == job.rank())
    started = attempt(
        [&] { kept = watch_machine(job, mapping, seats, listener.socket.get(), operation_name); });
  agree(job, started);
  return kept;
}

}  // namespace tutti::launch
