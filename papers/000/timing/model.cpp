// SPDX-License-Identifier: BSD-3-Clause
// Takes the steps of schedules from the verifier, and what paper 000 says of rings in a loop.
#include "papers/000/timing/model.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "papers/000/timing/fit.hpp"

namespace tutti::papers {
namespace {

using schedule::Operation;
using schedule::Shape;
using schedule::Time;

// The schedule behind a TOP; `rings` is 0 for trees.
struct Topology {
  const char* algorithm = nullptr;
  Shape shape;
  int rings = 0;
};

std::optional<Topology> topology_of(const std::string& top, int p) {
  const int most = std::max(p - 1, 1);
  if (top == "I") return Topology{"increasing_ring", {.p = p}, 1};
  if (top == "D") return Topology{"decreasing_ring", {.p = p}, 1};
  if (top == "S") return Topology{"split_ring", {.p = p}, std::min(2, most)};
  if (top == "F") return Topology{"fully_connected", {.p = p}, 0};
  if (top == "H") return Topology{"hypercube", {.p = p}, 0};
  if (top.size() == 2 && top[0] == 'M' && top[1] >= '1' && top[1] <= '9') {
    const int rings = std::min(top[1] - '0', most);
    return Topology{"multiring", {.p = p, .rings = rings}, rings};
  }
  if (top.size() == 1 && top[0] >= '1' && top[0] <= '9')
    return Topology{"tree", {.p = p, .branches = top[0] - '0'}, 0};
  return {};
}

// Section 4.3.1: after the first broadcast, a ring waits for one communication and for the sends to
// the other rings.
Time next_in_rings(int rings) {
  return {1, 0, rings - 1};
}

const TimingSeries& series_here(const Timings& timings, const char* program, const char* library,
                                int p) {
  const TimingSeries* found = find_series(timings, program, library, "", p);
  if (found == nullptr || found->runs.empty())
    base::fail(base::Status::invalid_argument, "{} was not measured", program);
  return *found;
}

}  // namespace

std::optional<TopologyTime> broadcast_time(const std::string& top, int p) {
  const std::optional<Topology> topology = topology_of(top, p);
  if (!topology) return {};
  const schedule::Counts counts =
      counts_of(Operation::broadcast, topology->algorithm, topology->shape);
  if (topology->rings == 0) return TopologyTime{counts.longest, counts.longest, counts.root};
  return TopologyTime{counts.longest, next_in_rings(topology->rings), counts.root};
}

std::optional<TopologyTime> sum_time(const std::string& top, int p) {
  const std::optional<Topology> topology = topology_of(top == "H" ? "1" : top, p);
  if (!topology || topology->rings > 0) return {};
  const schedule::Counts counts =
      counts_of(Operation::allreduce, topology->algorithm, topology->shape);
  return TopologyTime{counts.longest, counts.longest, counts.root};
}

Time overlapped_exchange(int p) {
  return counts_of(Operation::allreduce, "bidirectional_exchange", {.p = p}).longest;
}

BlacsMachine measured_machine(const Timings& timings) {
  BlacsMachine machine{"here", "here", "", {}, {}, {}, {}};
  machine.complete = fit_of(series_here(timings, "Tc", "blacs", 2));
  machine.send = fit_of(series_here(timings, "Ts", "blacs", 2));
  machine.operation = fit_of(series_here(timings, "To", "", 1));
  return machine;
}

Line average_of(const TopologyTime& time, int reps, const BlacsMachine& machine) {
  const double part = 1.0 / reps;
  return part * predicted(time.first, machine) + (1 - part) * predicted(time.next, machine);
}

std::optional<TopologyTime> time_of_series(const TimingSeries& series) {
  if (series.top == "p") return {};
  return series.program == "Tbs" ? broadcast_time(series.top, series.p)
                                 : sum_time(series.top, series.p);
}

double prediction_error(const std::vector<TimingPoint>& observed, const Line& predicted,
                        ErrorOver over, Whose whose) {
  double largest = 0;
  for (const TimingPoint& point : observed) {
    if (point.n <= 0) continue;
    const double seen = whose == Whose::source ? point.source : point.us;
    const double told = predicted.at(point.n);
    largest =
        std::max(largest, std::abs(seen - told) / (over == ErrorOver::observed ? seen : told));
  }
  return 100 * largest;
}

}  // namespace tutti::papers
