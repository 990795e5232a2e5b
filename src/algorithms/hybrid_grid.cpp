// SPDX-License-Identifier: BSD-3-Clause
// Computes the digits of members, and writes sets of members as lists of blocks.
#include "algorithms/hybrid_grid.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/hybrid.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

constexpr int dimensions = 8;

// The numbers 0, stride, 2*stride, ...: `count` of them, relative to a first member.
struct Progression {
  int stride, count;
};

// The list stands for all sums of one number from each progression. Joins two progressions into one
// if the stride of one is stride * count of the other. Drops progressions of one number, and leaves
// the others sorted by stride.
void join(std::vector<Progression>& runs) {
  std::erase_if(runs, [](const Progression& run) { return run.count == 1; });
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return a.stride < b.stride; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[last].stride * runs[last].count == runs[i].stride) {
      runs[last].count *= runs[i].count;
    } else {
      runs[++last] = runs[i];
    }
  }
  if (!runs.empty()) runs.resize(last + 1);
}

}  // namespace

bool HybridGrid::fits(const Shape& s) {
  if (s.factors.size() > 31 || s.cut < 0 || s.cut > static_cast<int>(s.factors.size()))
    return false;
  std::int64_t members = 1;
  bool line = true;
  for (const int factor : s.factors) {
    if (factor < 0 || dimension_of(factor) >= dimensions || size_of(factor) < 2) return false;
    line = line && dimension_of(factor) == 0;
    members *= size_of(factor);
    if (members > 2 * static_cast<std::int64_t>(s.p)) return false;
  }
  return members == s.p ||
         (line && members > s.p && members - s.p < members / size_of(s.factors.front()));
}

HybridGrid::HybridGrid(const Shape& s) : factors_(static_cast<int>(s.factors.size())) {
  std::array<int, dimensions + 1> stride;
  stride.fill(1);
  for (const int factor : s.factors)
    stride[static_cast<std::size_t>(dimension_of(factor)) + 1] *= size_of(factor);
  for (std::size_t d = 1; d < stride.size(); ++d) stride[d] *= stride[d - 1];
  const int members = stride.back();
  for (std::size_t i = 0; i < s.factors.size(); ++i) {
    int& next = stride[static_cast<std::size_t>(dimension_of(s.factors[i]))];
    digits_[i] = {size_of(s.factors[i]), next};
    next *= digits_[i].size;
  }
  row_ = digits_[0].size;
  full_rows_ = members / row_ - (members - s.p);
  even_ = members == s.p;
}

int HybridGrid::rank_of(int member) const {
  const int row = member / row_, column = member % row_, smaller = row - full_rows_;
  return smaller < 0 ? member : member - smaller - (column == row_ - 1 ? 1 : 0);
}

int HybridGrid::member_of(int rank) const {
  const int beyond = rank - full_rows_ * row_;
  return beyond < 0 ? rank : rank + beyond / (row_ - 1);
}

int HybridGrid::members_of(int rank) const {
  const int member = member_of(rank);
  return member / row_ >= full_rows_ && member % row_ == row_ - 2 ? 2 : 1;
}

int HybridGrid::ranks_along(int member, int factor) const {
  return factor == 0 && member / row_ >= full_rows_ ? row_ - 1 : size(factor);
}

Blocks HybridGrid::by_rank(Buffer buffer, int member, int factor, int first, int last) const {
  int start = with_digit(member, factor, first);
  std::vector<Progression> runs{{digits_[static_cast<std::size_t>(factor)].stride, last - first}};
  for (int later = factor + 1; later < factors_; ++later) {
    start = with_digit(start, later, 0);
    runs.push_back({digits_[static_cast<std::size_t>(later)].stride, size(later)});
  }
  join(runs);
  Block block{buffer, 0};
  if (!runs.empty() && runs.front().stride == 1) {
    block.count = runs.front().count;
    runs.erase(runs.begin());
  }
  if (const auto longest = std::max_element(
          runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.count < b.count; });
      longest != runs.end()) {
    block.stride = longest->stride;
    block.times = longest->count;
    runs.erase(longest);
  }
  std::vector<int> starts{start};
  for (const Progression& run : runs) {
    const std::vector<int> before = starts;
    for (int i = 1; i < run.count; ++i)
      for (const int s : before) starts.push_back(s + i * run.stride);
  }
  Blocks blocks;
  for (const int s : starts) {
    block.first = s;
    append(blocks, block);
  }
  return blocks;
}

// Appends blocks of ranks for blocks of members. If some rows are smaller, the blocks lie within
// rows or are all there are. The last member of a smaller row has no block of its own.
void HybridGrid::append(Blocks& blocks, const Block& members) const {
  if (even_) return blocks.push_back(members);
  const int row = members.first / row_, column = members.first % row_;
  const int rows_apart = members.stride / row_;
  if (members.count > row_)
    return blocks.push_back({members.buffer, 0, rank_of(members.count - 1) + 1});
  const int full = row >= full_rows_ ? 0
                   : members.times == 1
                       ? 1
                       : std::min(members.times, (full_rows_ - 1 - row) / rows_apart + 1);
  if (full > 0)
    blocks.push_back({members.buffer, members.first, members.count, members.stride, full});
  const int count = std::min(members.count, row_ - 1 - column), rest = members.times - full;
  if (rest > 0 && count > 0)
    blocks.push_back({members.buffer, rank_of(members.first + full * members.stride), count,
                      members.stride - rows_apart, rest});
}

}  // namespace tutti::algorithms
