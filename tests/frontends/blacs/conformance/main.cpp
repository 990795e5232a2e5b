// SPDX-License-Identifier: BSD-3-Clause
// The conformance driver of the BLACS tests every routine, type, shape, topology, scope and root on
// a list of grids. Usage:
//
//   blacs_conformance [--grids 1x1,2x2,2x3] [--seed N] [--fraction F]
//                     [--parts transfer,broadcast,combine,special]
//
// It runs with any BLACS: the same source is linked against both of tutti's and against
// ScaLAPACK's. It prints one line of counts.
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "harness.hpp"
#include "names.hpp"

namespace conformance {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

[[noreturn]] void usage(const std::string& option) {
  std::fprintf(stderr, "blacs_conformance: %s is not understood\n", option.c_str());
  std::exit(2);
}

std::vector<Shape> parse_grids(const std::string& text) {
  std::vector<Shape> grids;
  std::istringstream list(text);
  for (std::string item; std::getline(list, item, ',');) {
    Shape shape{};
    if (std::sscanf(item.c_str(), "%dx%d", &shape.rows, &shape.columns) != 2) usage(item);
    grids.push_back(shape);
  }
  return grids;
}

// Returns the sum of the counts of all processes, on every process.
Tally total(const Tally& mine, int processes) {
  const Grid all = make_grid({1, processes});
  int counts[] = {static_cast<int>(mine.passed), static_cast<int>(mine.failed)};
  Names<int>::sum(Interface::c, all.context, {'A', '1'}, {2, 1, counts, 2, {}}, {-1, -1});
  end_grid(all);
  return {counts[0], counts[1]};
}

int run(const Options& options) {
  const auto [me, processes] = begin();
  Tally tally;
  const auto wanted = [&](const char* part) {
    return options.parts.find(part) != std::string::npos;
  };
  for (const Shape shape : options.grids) {
    if (shape.rows * shape.columns > processes) {
      if (me == 0)
        std::printf("skipped %dx%d: only %d processes\n", shape.rows, shape.columns, processes);
      continue;
    }
    const Grid grid = make_grid(shape);
    if (!grid.inside()) continue;
    // Each grid has its own sampler, because processes outside of a grid do not count its cases.
    Sampler sampler(
        mix(options.seed) + static_cast<std::uint64_t>(shape.rows * 1000 + shape.columns),
        options.fraction);
    if (wanted("transfer")) transfer_cases(grid, sampler, tally);
    if (wanted("broadcast")) broadcast_cases(grid, sampler, tally);
    if (wanted("combine")) combine_cases(grid, sampler, tally);
    end_grid(grid);
  }
  if (wanted("special")) special_cases(me, processes, options.fraction, tally);
  const Tally all = total(tally, processes);
  if (me == 0) std::printf("%ld passed, %ld failed\n", all.passed, all.failed);
  finish();
  return all.failed == 0 && tally.failed == 0 ? 0 : 1;
}

}  // namespace

bool Sampler::next() {
  const std::uint64_t draw = mix(seed_ ^ mix(++number_));
  bits_ = mix(draw);
  return static_cast<double>(draw >> 11) * 0x1p-53 < fraction_;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 >= argc) usage(name);
    const std::string value = argv[i + 1];
    if (name == "--grids") {
      options.grids = parse_grids(value);
    } else if (name == "--seed") {
      options.seed = std::stoull(value);
    } else if (name == "--fraction") {
      options.fraction = std::stod(value);
    } else if (name == "--parts") {
      options.parts = value;
    } else {
      usage(name);
    }
  }
  return options;
}

}  // namespace conformance

int main(int argc, char** argv) {
  return conformance::run(conformance::parse(argc, argv));
}
