// SPDX-License-Identifier: BSD-3-Clause
// Collects what a failure monitor has to watch, and starts it. Where it cannot be a process apart,
// the program forks it.
#include "launch/monitor_start.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "launch/apart.hpp"
#include "launch/attempt.hpp"
#include "launch/failure_monitor.hpp"
#include "launch/mpi_segment.hpp"
#include "launch/neighbours.hpp"
#include "launch/silence.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using transport::wire::WireJob;

constexpr const char* process_name = "tutti-monitor";

struct Seat {
  int machine = 0, pid = 0, descriptor = -1;
  ListenPlace place{};
};

struct WatchedRank {
  int rank = 0, pid = 0;
  int segment = -1;  // descriptor
};

struct Watch {
  std::vector<WatchedRank> ranks;
  bool whole = false;  // one segment has all ranks of the job, and a standstill ends the job
  int life = -1;       // closes when the rank that has started the monitor ends
  Neighbours neighbours{};
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

// Runs the monitor in this process, which may be a fork of the program.
[[noreturn]] void be_monitor(const Watch& watch, OperationName operation_name,
                             const ReceivedApart& received) {
  std::map<int, Mapping> segments;  // key: descriptor
  std::vector<MonitoredRank> ranks;
  try {
    for (const WatchedRank& one : watch.ranks) {
      if (!segments.contains(one.segment))
        segments.emplace(one.segment, Mapping::open(one.segment));
      ranks.push_back({one.rank, one.pid, &segments.at(one.segment)});
    }
  } catch (const std::exception&) {
    ::_exit(1);  // the job runs without a monitor
  }
  be_failure_monitor({std::move(ranks), watch.whole ? &segments.begin()->second : nullptr,
                      watch.life, watch.neighbours},
                     operation_name, received);
}

// Forks twice, so that the monitor is not a child for which the program might wait. If a fork
// fails, the job runs without a monitor.
void fork_monitor(const Watch& watch, OperationName operation_name) {
  const pid_t between = ::fork();
  if (between == 0) {
    if (::fork() == 0) be_monitor(watch, operation_name, {});
    ::_exit(0);
  }
  // Failure is harmless: the program then has a child that has ended, for which it may wait.
  if (between > 0) ::waitpid(between, nullptr, 0);
}

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

ApartStart start_of(const Watch& watch) {
  ApartStart start{.name = process_name, .stays_child = false};
  const auto neighbours = watch.neighbours.words();
  start.words.push_back(
      fmt::format("{} {} {}", watch.whole ? 1 : 0, watch.life, neighbours.size()));
  start.words.insert(start.words.end(), neighbours.begin(), neighbours.end());
  start.descriptors = {watch.life, watch.neighbours.listener};
  for (const WatchedRank& one : watch.ranks) {
    start.words.push_back(fmt::format("{} {} {}", one.rank, one.pid, one.segment));
    start.descriptors.push_back(one.segment);
  }
  return start;
}

std::optional<Watch> watch_of(const std::vector<std::string>& words) {
  if (words.size() < 2) return std::nullopt;
  Watch watch;
  int whole = 0;
  std::size_t hosts = 0;
  if (std::sscanf(words.front().c_str(), "%d %d %zu", &whole, &watch.life, &hosts) != 3 ||
      hosts >= words.size())
    return std::nullopt;
  watch.whole = whole != 0;
  const auto ranks = words.begin() + 1 + static_cast<std::ptrdiff_t>(hosts);
  auto neighbours = Neighbours::of({words.begin() + 1, ranks});
  if (!neighbours) return std::nullopt;
  watch.neighbours = *std::move(neighbours);
  for (auto i = static_cast<std::size_t>(ranks - words.begin()); i < words.size(); ++i) {
    WatchedRank one;
    if (std::sscanf(words[i].c_str(), "%d %d %d", &one.rank, &one.pid, &one.segment) != 3)
      return std::nullopt;
    watch.ranks.push_back(one);
  }
  return watch;
}

// Starts the monitor of this machine. Returns the descriptor whose end it waits for.
Descriptor watch_machine(const WireJob& job, const Mapping& mapping, const std::vector<Seat>& seats,
                         int listener, OperationName operation_name) {
  Segments segments(mapping, job.hosts().of(job.rank()));
  const transport::shm::SegmentHeader& header = mapping.header();
  DescriptorPair life = socket_pair(SOCK_STREAM);
  Watch watch{.ranks = {},
              .whole = header.ranks_here == header.world_size &&
                       header.policy == transport::shm::DeathPolicy::together,
              .life = life.second.get(),
              .neighbours = neighbours_of(job, seats, listener)};
  for (int rank = 0; rank < job.size(); ++rank) {
    const Seat& seat = seats[static_cast<std::size_t>(rank)];
    if (seat.machine != job.hosts().machine()) continue;
    const int host = job.hosts().of(rank);
    const int segment = segments.of(host, seats[static_cast<std::size_t>(host)]);
    if (segment >= 0) watch.ranks.push_back({rank, seat.pid, segment});
  }
  if (!watch.ranks.empty() && !start_apart(start_of(watch)).runs)
    fork_monitor(watch, operation_name);
  return std::move(life.first);
}

}  // namespace

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

// The process that the program has started ends at once, and the monitor goes on as its child.
void serve_as_failure_monitor(int argc, char** argv, OperationName operation_name) {
  const auto received = received_apart(process_name, argc, argv);
  if (!received) return;
  const auto watch = watch_of(received->words);
  if (!watch || ::fork() != 0) ::_exit(watch ? 0 : 1);
  be_monitor(*watch, operation_name, *received);
}

}  // namespace tutti::launch
