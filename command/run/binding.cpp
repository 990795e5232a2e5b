// SPDX-License-Identifier: BSD-3-Clause
// Distributes the ranks over parts of the machine that the kernel shows in /sys.
#include "run/binding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/processors.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {
namespace {

namespace fs = std::filesystem;

using Parts = std::vector<std::vector<int>>;

// Reads "4" or "0-3"; nothing if the word is neither or runs backwards.
std::optional<std::pair<int, int>> range_in(std::string_view word) {
  std::pair<int, int> range{};
  const char* end = word.data() + word.size();
  auto read = std::from_chars(word.data(), end, range.first);
  if (read.ec != std::errc() || word.front() == '-') return std::nullopt;
  if (read.ptr == end) return std::pair(range.first, range.first);
  if (*read.ptr != '-' || read.ptr + 1 == end || read.ptr[1] == '-') return std::nullopt;
  read = std::from_chars(read.ptr + 1, end, range.second);
  if (read.ec != std::errc() || read.ptr != end || range.second < range.first) return std::nullopt;
  return range;
}

std::string line_of(const fs::path& path) {
  std::string line;
  std::getline(std::ifstream(path), line);
  return line;
}

// Returns the lowest number in a list of the kernel such as "0-3,8"; nothing if there is no list.
std::optional<int> lowest_in(const fs::path& path) {
  const auto range = range_in(words_of(line_of(path)).front());
  return range ? std::optional(range->first) : std::nullopt;
}

bool contains(const fs::path& path, int processor) {
  const std::vector<std::string> words = words_of(line_of(path));
  return std::any_of(words.begin(), words.end(), [processor](const std::string& word) {
    const auto range = range_in(word);
    return range && range->first <= processor && processor <= range->second;
  });
}

// These are the parts that have a processor in common, the largest first. A Place names each by its
// lowest processor.
constexpr std::array<const char*, 5> levels = {"socket", "numa", "l3", "core", "thread"};
using Place = std::array<int, levels.size()>;

int lowest_with_l3(const fs::path& processor, int itself) {
  for (int index = 0;; ++index) {
    const fs::path cache = processor / "cache" / fmt::format("index{}", index);
    const std::string level = line_of(cache / "level");
    if (level.empty()) return itself;
    if (level == "3") return lowest_in(cache / "shared_cpu_list").value_or(itself);
  }
}

int lowest_with_memory(const fs::path& folder, int itself) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "node", none)) {
    const fs::path list = entry.path() / "cpulist";
    if (contains(list, itself)) return lowest_in(list).value_or(itself);
  }
  return itself;
}

// A processor about which the kernel says nothing is a part of its own.
Place place_of(int number, const std::string& folder) {
  const fs::path processor = fs::path(folder) / "cpu" / fmt::format("cpu{}", number);
  const fs::path topology = processor / "topology";
  return {lowest_in(topology / "core_siblings_list").value_or(number),
          lowest_with_memory(folder, number), lowest_with_l3(processor, number),
          lowest_in(topology / "thread_siblings_list").value_or(number), number};
}

Parts parts_at(std::size_t level, const Processors& machine) {
  std::vector<Place> places;
  for (const int number : machine.usable) places.push_back(place_of(number, machine.folder));
  std::sort(places.begin(), places.end());
  Parts parts;
  std::map<int, std::size_t> part_with;
  for (const Place& place : places) {
    const auto [found, is_new] = part_with.emplace(place[level], parts.size());
    if (is_new) parts.emplace_back();
    parts[found->second].push_back(place.back());
  }
  if (parts.empty()) base::fail(base::Status::system_error, "there are no processors to bind to");
  return parts;
}

Parts listed(const std::string& list, const Processors& machine) {
  Parts parts;
  const std::vector<int>& usable = machine.usable;
  for (const std::string& word : words_of(list)) {
    const auto range = range_in(word);
    if (!range) {
      base::fail(base::Status::invalid_argument,
                 "--bind: '{}' is neither a processor nor a range such as 0-3", word);
    }
    for (int processor = range->first; processor <= range->second; ++processor) {
      if (std::find(usable.begin(), usable.end(), processor) == usable.end()) {
        base::fail(base::Status::invalid_argument,
                   "--bind: processor {} is none of those that can be used: {}", processor,
                   fmt::join(usable, ", "));
      }
      parts.push_back({processor});
    }
  }
  return parts;
}

Parts parts_of(const std::string& what, const Processors& machine) {
  constexpr std::string_view list = "list:";
  const auto* level = std::find(levels.begin(), levels.end(), what);
  if (level != levels.end())
    return parts_at(static_cast<std::size_t>(level - levels.begin()), machine);
  if (what.starts_with(list)) return listed(what.substr(list.size()), machine);
  base::fail(base::Status::invalid_argument, "--bind is '{}' but must be {}", what, bindings);
}

}  // namespace

Processors these_processors() {
  return {"/sys/devices/system", base::own_processors()};
}

std::vector<std::vector<int>> bind_ranks(const std::string& what, int ranks,
                                         const Processors& machine) {
  if (what == "none") return {};
  const Parts parts = parts_of(what, machine);
  std::vector<std::vector<int>> bound;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank)
    bound.push_back(parts[rank % parts.size()]);
  return bound;
}

}  // namespace tutti::tools
