// SPDX-License-Identifier: BSD-3-Clause
// Measures loops over memcpy and the kernels of data/, and a thread that sleeps and is woken.
#include "tune/local.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstring>
#include <thread>

#include "bench/summary.hpp"
#include "data/operator.hpp"
#include "driver/line_time.h"

namespace tutti::tools {
namespace {

constexpr std::array<std::size_t, 4> copied_sizes = {std::size_t{32} << 10, std::size_t{256} << 10,
                                                     std::size_t{2} << 20, std::size_t{16} << 20};
constexpr double sleep_us = 300;  // long enough for a thread to fall asleep on a futex

// Returns the median time of `work` in us. If `work` is short, a loop of calls is one sample.
template <class Work>
double median_us(std::size_t bytes, int repeats, Work&& work) {
  const int calls = static_cast<int>(std::max<std::size_t>(1, (std::size_t{1} << 20) / bytes));
  std::vector<double> times;
  work();  // warms pages and caches
  for (int i = 0; i < repeats; ++i) {
    const double start = tutti_bench_seconds();
    for (int call = 0; call < calls; ++call) work();
    times.push_back((tutti_bench_seconds() - start) * 1e6 / calls);
  }
  return figures_of(std::move(times)).median;
}

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
  // Failure is harmless: the loop around looks at the word again.
  (void)syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

// The sleeping side of the wake-up test. It waits until the number changes and then stores the time
// at which it saw the change.
struct Bell {
  std::atomic<std::uint32_t> number{0};
  std::atomic<double> heard{0};

  void listen(int times) {
    for (std::uint32_t seen = 0; seen < static_cast<std::uint32_t>(times);) {
      futex(number, FUTEX_WAIT_PRIVATE, seen);
      const double now = tutti_bench_seconds();
      const std::uint32_t current = number.load();
      if (current == seen) continue;
      seen = current;
      heard.store(now);
    }
  }
  double ring_us() {
    const double until = tutti_bench_seconds() + sleep_us * 1e-6;
    while (tutti_bench_seconds() < until) {
    }
    heard.store(0);
    const double start = tutti_bench_seconds();
    number.fetch_add(1);
    futex(number, FUTEX_WAKE_PRIVATE, INT_MAX);
    double end = 0;
    while ((end = heard.load()) == 0) std::this_thread::yield();
    return (end - start) * 1e6;
  }
};

double wake_median(int times) {
  Bell bell;
  std::vector<double> found;
  std::thread sleeper([&] { bell.listen(times); });
  for (int i = 0; i < times; ++i) found.push_back(bell.ring_us());
  sleeper.join();
  return figures_of(std::move(found)).median;
}

}  // namespace

int local_steps() {
  return static_cast<int>(2 * copied_sizes.size()) + 1;
}

LocalCosts measure_local(int repeats, const std::function<void()>& step) {
  LocalCosts costs;
  const std::size_t most = copied_sizes.back() / sizeof(double);
  std::vector<double> from(most, 1.0);
  std::vector<double> to(most, 0.0);
  const data::CombineFn add = data::kernel(data::Builtin::sum, data::Element::float64);
  for (const std::size_t bytes : copied_sizes) {
    costs.copy.push_back(
        {bytes, median_us(bytes, repeats, [&] { std::memcpy(to.data(), from.data(), bytes); })});
    step();
    const auto count = static_cast<std::int64_t>(bytes / sizeof(double));
    costs.combine.push_back({bytes, median_us(bytes, repeats, [&] {
                               add(to.data(), to.data(), from.data(), count, nullptr);
                             })});
    step();
  }
  costs.wakes = 5 * repeats;
  costs.wake_us = wake_median(costs.wakes);
  step();
  return costs;
}

}  // namespace tutti::tools
