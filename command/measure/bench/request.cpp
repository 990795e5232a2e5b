// SPDX-License-Identifier: BSD-3-Clause
// Reads the operations, sizes and algorithms that `tutti bench` is asked to measure.
#include "bench/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "algorithms/registry.hpp"
#include "base/control_group.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "driver/driver.h"
#include "selection/names.hpp"
#include "support/request.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::tools {
namespace {

const bench_operation* operation_of(const std::string& name) {
  const auto* const end = bench_operations + bench_operation_count;
  const auto* const found = std::find_if(
      bench_operations, end, [&](const bench_operation& op) { return op.name == name; });
  return found == end ? nullptr : found;
}

// Returns the driver's name of the operation that the user calls `name`.
std::string known_name(const std::string& name) {
  if (operation_of(name) != nullptr) return name;
  const auto meant = selection::operation_named(name);
  for (const bench_operation& op : bench_operations) {
    if (selection::operation_named(op.name) == meant) return op.name;
  }
  base::fail(base::Status::invalid_argument, "{} is not measured", name);
}

// Returns the bytes of all buffers of all ranks: the input, the output, and the data from which the
// input is rewritten before a call.
std::int64_t memory_needed(const bench_operation& op, std::int64_t bytes, int ranks) {
  const bench_cell cell{static_cast<int>(&op - bench_operations), bytes / bench_element};
  return (2 * bench_input_elements(&cell, ranks) + bench_output_elements(&cell, ranks)) *
         bench_element * ranks;
}

}  // namespace

std::vector<std::string> bench_operations_named(const std::string& list) {
  std::vector<std::string> names;
  if (list.empty() || list == "all") {
    for (const bench_operation& op : bench_operations) names.emplace_back(op.name);
    return names;
  }
  for (const std::string& word : words_of(list)) {
    std::string name = known_name(word);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::int64_t> bench_sizes(const std::string& text) {
  return sizes_named(text, {"--bytes", bench_element, 8});
}

BenchCells bench_cells(const std::vector<std::string>& operations, const Sizes& sizes, int ranks) {
  const std::int64_t limit = base::default_memory_limit();
  BenchCells result;
  for (const std::string& name : operations) {
    const bench_operation& op = *operation_of(name);
    const auto operation = selection::operation_named(name);
    for (std::size_t i = 0; i < sizes.values.size(); ++i) {
      const Extent extent =
          equal_blocks(sizes.extent(i, operation, ranks), operation, ranks, bench_element);
      const BenchCell cell{name, extent.block};
      const std::int64_t needed = memory_needed(op, cell.bytes, ranks);
      if (std::find(result.cells.begin(), result.cells.end(), cell) != result.cells.end()) continue;
      if (needed <= limit) {
        result.cells.push_back(cell);
      } else {
        result.left_out.push_back(
            fmt::format("{} of {} bytes needs {} MiB of buffers, more than the {} MiB to be had",
                        name, extent.bytes, needed >> 20, limit >> 20));
      }
    }
  }
  return result;
}

Forcing forcing(const std::vector<std::string>& operations, const std::string& algorithm) {
  Forcing forcing;
  if (algorithm.empty()) return {"", operations};
  const std::string name(algorithms::name_in(algorithm));
  for (const std::string& operation : operations) {
    if (algorithms::find(selection::operation_named(operation), name) == nullptr) continue;
    forcing.variable +=
        fmt::format("{}{}={}", forcing.variable.empty() ? "" : ",", operation, algorithm);
    forcing.operations.push_back(operation);
  }
  if (forcing.operations.empty()) {
    base::fail(base::Status::invalid_argument,
               "--algorithm: none of {} has '{}'{}; see tutti info --algorithms",
               fmt::join(operations, ", "), name, base::did_you_mean(name, algorithm_names()));
  }
  return forcing;
}

Extent extent_of(const BenchCell& cell, int ranks) {
  const Sizes blocks{Sizes::Of::block, {cell.bytes}};
  return blocks.extent(0, selection::operation_named(cell.op), ranks);
}

std::int64_t whole_vector(const std::string& operation, std::int64_t bytes, int ranks) {
  return extent_of({operation, bytes}, ranks).bytes;
}

}  // namespace tutti::tools
