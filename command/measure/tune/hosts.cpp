// SPDX-License-Identifier: BSD-3-Clause
// Measures messages between two hosts. Two processes on two hosts broadcast to each other in turn,
// which is one message per broadcast with any algorithm.
#include "tune/hosts.hpp"

#include <fmt/format.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/packages.hpp"
#include "bench/summary.hpp"
#include "driver/line_time.h"

namespace tutti::tools {
namespace {

constexpr std::int64_t message_sizes[] = {8, 64, 512, 4096, 32768, 65536, 262144, 1048576, 4194304};
constexpr int fewest_samples = 5, most_samples = 2000;

void must(tutti_status status) {
  if (status != TUTTI_OK) base::fail(base::Status::system_error, "{}", tutti_error_text());
}

// The measuring job. It lives as long as this object.
class TwoHosts {
 public:
  TwoHosts() {
    tutti_errors_push_return();  // errors become exceptions
    must(tutti_init());
    const tutti_group world = tutti_world();
    for (int rank = 1; rank < tutti_size(world) && partner_ == 0; ++rank) {
      if (tutti_host(world, rank) != tutti_host(world, 0)) partner_ = rank;
    }
    const int ranks[] = {0, partner_}, me = tutti_rank(world);
    if (partner_ != 0 && (me == 0 || me == partner_))
      must(tutti_group_create(world, 2, ranks, &pair_));
  }
  ~TwoHosts() { tutti_finalize(); }
  TwoHosts(const TwoHosts&) = delete;
  TwoHosts& operator=(const TwoHosts&) = delete;

  [[nodiscard]] bool apart() const { return partner_ != 0; }
  [[nodiscard]] bool takes_part() const { return pair_.id != 0; }
  [[nodiscard]] static bool first() { return tutti_rank(tutti_world()) == 0; }

  // Returns the time of a message there and back, in seconds.
  double round_trip(std::vector<std::byte>& message) const {
    const tutti_data data =
        tutti_array(message.data(), static_cast<std::int64_t>(message.size()), TUTTI_BYTE);
    const double begin = tutti_bench_seconds();
    must(tutti_bcast(pair_, &data, 0));
    must(tutti_bcast(pair_, &data, 1));
    return tutti_bench_seconds() - begin;
  }
  // Gives all ranks the count of rank 0.
  [[nodiscard]] int agreed(int count) const {
    const tutti_data data = tutti_array(&count, 1, TUTTI_INT32);
    must(tutti_bcast(pair_, &data, 0));
    return count;
  }

 private:
  int partner_ = 0;
  tutti_group pair_{0};
};

HostPoint measure(const TwoHosts& job, std::int64_t bytes, double seconds) {
  std::vector<std::byte> message(static_cast<std::size_t>(bytes));
  double guess = job.round_trip(message);
  guess = std::min(guess, job.round_trip(message));
  const int fits =
      static_cast<int>(std::min<double>(most_samples, seconds / std::max(guess, 1e-7)));
  const int count = job.agreed(std::max(fits, fewest_samples));
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(job.round_trip(message) * 1e6 / 2);
  return {bytes, figures_of(std::move(times)).median, count};
}

}  // namespace

std::optional<HostCosts> measure_between_hosts(double seconds,
                                               const std::function<void(double)>& progress) {
  const TwoHosts job;
  if (!job.apart()) {
    base::fail(base::Status::invalid_argument,
               "--hosts measures between machines: start it by an MPI with processes on two of "
               "them, such as mpiexec -n 2 tutti tune --hosts. Where there is no MPI, install {} "
               "or {}, and build tutti again",
               base::packages_for("openmpi"), base::packages_for("mpich"));
  }
  HostCosts costs;
  double done = 0;
  for (const std::int64_t bytes : message_sizes) {
    if (!job.takes_part()) break;
    costs.points.push_back(measure(job, bytes, seconds / std::size(message_sizes)));
    if (TwoHosts::first()) progress(done += 1.0 / std::size(message_sizes));
  }
  must(tutti_barrier(tutti_world()));
  if (!TwoHosts::first()) return std::nullopt;
  std::vector<Observation> observations;
  for (const HostPoint& point : costs.points) {
    observations.push_back({{1, 1, 0}, static_cast<double>(point.bytes), point.us});
  }
  costs.fit = fit(observations);
  return costs;
}

std::string hosts_text(const HostCosts& costs, const std::string& date) {
  std::string points;
  for (const HostPoint& point : costs.points) {
    points +=
        fmt::format("# {} bytes: {:.3f} us, median of {}\n", point.bytes, point.us, point.samples);
  }
  const std::string source = fmt::format(
      "messages of {} to {} bytes between two hosts, least relative squares, {} medians, relative "
      "error rms {:.0f} %, worst {:.0f} %",
      costs.points.front().bytes, costs.points.back().bytes, costs.fit.points, costs.fit.rms * 100,
      costs.fit.worst * 100);
  return fmt::format(
      "# Between hosts, by tutti tune --hosts on {}.\n{}[hosts]\n"
      "alpha = {{value = {:.6e}, status = \"fitted\", source = \"{}\"}}\n"
      "beta = {{value = {:.6e}, status = \"fitted\", source = \"{}\"}}\n",
      date, points, costs.fit.rates.alpha, source, costs.fit.rates.beta, source);
}

}  // namespace tutti::tools
