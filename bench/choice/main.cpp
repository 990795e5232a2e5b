// SPDX-License-Identifier: BSD-3-Clause
// bench_choice measures what it costs to find the plan of a call whose shape is known, and what one
// micro-operation of a plan costs beyond the bytes it moves. It has one process and one thread,
// which owns both endpoints of a message, so cache lines stay where they are. bench_lat measures
// the latencies between processors.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "choice/subjects.hpp"

namespace tutti::bench {
namespace {

struct Options {
  int series = 200;
  int runs = 2000;  // runs of a subject in one series
  bool json = false;
};

constexpr const char* usage =
    "usage: bench_choice [--json] [--series N] [--runs N]\n"
    "  --series N   series of each subject, of which median and minimum are printed (200)\n"
    "  --runs N     runs in a series (2000)\n";

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--json") {
      options.json = true;
    } else if (name == "--series" && i + 1 < argc) {
      options.series = std::atoi(argv[++i]);
    } else if (name == "--runs" && i + 1 < argc) {
      options.runs = std::atoi(argv[++i]);
    } else {
      return false;
    }
  }
  return options.series > 0 && options.runs > 0;
}

void print_table(const std::vector<Figures>& all) {
  fmt::print("{:<44} {:>9} {:>9} {:>9}\n", "ns for each", "median", "minimum", "goal");
  for (const Figures& one : all) {
    fmt::print("{:<44} {:>9.1f} {:>9.1f} {:>9}\n", one.name, one.median_ns, one.minimum_ns,
               one.goal_ns);
  }
}

void print_json(const std::vector<Figures>& all) {
  std::string text;
  for (const Figures& one : all) {
    text +=
        fmt::format(R"({}{{"name":"{}","median_ns":{:.2f},"minimum_ns":{:.2f},"goal_ns":{}}})",
                    text.empty() ? "" : ",", one.name, one.median_ns, one.minimum_ns, one.goal_ns);
  }
  fmt::print("{{\"results\":[{}]}}\n", text);
}

}  // namespace
}  // namespace tutti::bench

int main(int argc, char** argv) {
  using namespace tutti::bench;
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    const std::vector<Figures> all = measure_all(options.series, options.runs);
    options.json ? print_json(all) : print_table(all);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_choice: {}\n", error.what());
    return 1;
  }
}
