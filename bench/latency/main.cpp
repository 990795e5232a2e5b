// SPDX-License-Identifier: BSD-3-Clause
// bench_lat measures how much longer the library's operations of 8 bytes take than a bare exchange
// of two cache lines, between the same two processes in the same run. If it is started by hand, it
// starts itself under `tutti run -n 2`.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "latency/bare_exchange.hpp"
#include "latency/operations.hpp"
#include "latency/samples.hpp"
#include "tutti/tutti.h"
#include "tutti/tutti_runtime.h"

namespace tutti::bench {
namespace {

constexpr int exit_slow = 1;      // --limit was exceeded
constexpr int exit_usage = 2;     // the command line makes no sense
constexpr int exit_skipped = 77;  // nothing can be measured here

struct Options {
  int pairs = 600;
  int iterations = 400;  // few, so that a busy machine interrupts few pairs
  double limit = 0;      // 0 means no limit
  bool json = false;
};

constexpr const char* usage =
    "usage: bench_lat [--json] [--pairs N] [--iterations N] [--limit RATIO]\n"
    "  --pairs N        pairs of a bare and a library sample per operation (600)\n"
    "  --iterations N   exchanges per sample (400)\n"
    "  --limit RATIO    exit code 1 when the median ratio of an operation is larger\n";

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--json") {
      options.json = true;
    } else if (name == "--pairs" && i + 1 < argc) {
      options.pairs = std::atoi(argv[++i]);
    } else if (name == "--iterations" && i + 1 < argc) {
      options.iterations = std::atoi(argv[++i]);
    } else if (name == "--limit" && i + 1 < argc) {
      options.limit = std::atof(argv[++i]);
    } else {
      return false;
    }
  }
  return options.pairs > 0 && options.iterations > 0 && options.limit >= 0;
}

int start_under_launcher(int argc, char** argv) {
  std::vector<char*> arguments;
  std::string words[] = {TUTTI_COMMAND_PATH, "run", "-n", "2", "/proc/self/exe"};
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
  if (length > 0) words[4].assign(self, static_cast<std::size_t>(length));
  for (std::string& word : words) arguments.push_back(word.data());
  for (int i = 1; i < argc; ++i) arguments.push_back(argv[i]);
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  fmt::print(stderr, "bench_lat: cannot start {}: {}\n", TUTTI_COMMAND_PATH, std::strerror(errno));
  return exit_usage;
}

// Returns the time per operation on this rank. Both ranks do the same work, so one of them
// suffices.
template <class Work>
double microseconds_each(int count, Work&& work) {
  const double start = tutti_bench_seconds();
  work();
  return (tutti_bench_seconds() - start) * 1e6 / count;
}

class Bench {
 public:
  Bench(BareShared& shared, int rank, const Options& options)
      : bare_(shared, rank), rank_(rank), options_(options) {}

  Result measure(const Measured& operation) {
    std::vector<Sample> samples;
    (void)sample(operation, First::bare);  // the first sample makes rings, plans and caches
    for (int i = 0; i < options_.pairs; ++i)
      samples.push_back(sample(operation, i % 2 == 0 ? First::bare : First::ours));
    return summarize(operation.name, samples);
  }
  [[nodiscard]] bool good() const { return good_; }

 private:
  enum class First { bare, ours };
  Sample sample(const Measured& operation, First first) {
    const double before = bare_.line_time();
    Sample sample{};
    if (first == First::bare) sample.bare_us = time_bare();
    sample.ours_us = microseconds_each(options_.iterations, [&] {
      good_ = operation.repeat(rank_, options_.iterations) && good_;
    });
    if (first == First::ours) sample.bare_us = time_bare();
    sample.placement = tutti_bench_placement(before, bare_.line_time());
    return sample;
  }
  double time_bare() {
    return microseconds_each(options_.iterations, [&] {
      for (int i = 0; i < options_.iterations; ++i) {
        good_ = static_cast<int>(bare_.exchange(2.0 * i + rank_)) == 2 * i + 1 - rank_ && good_;
      }
    });
  }

  BareExchange bare_;
  int rank_;
  Options options_;
  bool good_ = true;
};

int measure_all(const Options& options) {
  const int rank = tutti_rank(tutti_world());
  void* memory = nullptr;
  if (tutti_record("bench_lat", sizeof(BareShared) + alignof(BareShared), &memory) != TUTTI_OK) {
    fmt::print(stderr, "bench_lat: {}\n", tutti_error_text());
    return exit_usage;
  }
  // Records need not begin at a cache line. The segment begins at a page in both processes, so both
  // round up to the same address.
  std::size_t space = sizeof(BareShared) + alignof(BareShared);
  auto* shared =
      static_cast<BareShared*>(std::align(alignof(BareShared), sizeof(BareShared), memory, space));
  Bench bench(*shared, rank, options);
  std::vector<Result> results;
  bool slow = false;
  for (const Measured& operation : measured_operations()) {
    results.push_back(bench.measure(operation));
    slow = slow || (options.limit > 0 && results.back().all.ratio > options.limit);
  }
  if (rank == 0) fmt::print("{}", options.json ? as_json(results) : as_table(results));
  if (!bench.good()) {
    fmt::print(stderr, "bench_lat: rank {} saw a wrong result or an error: {}\n", rank,
               tutti_error_text());
    return exit_usage;
  }
  return slow && rank == 0 ? exit_slow : 0;
}

int run(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    fmt::print(stderr, "{}", usage);
    return exit_usage;
  }
  if (tutti_processors() < 2) {
    fmt::print(
        stderr,
        "bench_lat: two processors are needed: on one, every exchange is a switch of processes\n");
    return exit_skipped;
  }
  if (tutti_init() != TUTTI_OK) {
    fmt::print(stderr, "bench_lat: {}\n", tutti_error_text());
    return exit_usage;
  }
  if (tutti_launched() == 0) return start_under_launcher(argc, argv);
  if (tutti_size(tutti_world()) != 2) {
    fmt::print(stderr, "bench_lat: two ranks are needed, not {}\n", tutti_size(tutti_world()));
    return exit_usage;
  }
  const int code = measure_all(options);
  (void)tutti_finalize();
  return code;
}

}  // namespace
}  // namespace tutti::bench

int main(int argc, char** argv) {
  return tutti::bench::run(argc, argv);
}
