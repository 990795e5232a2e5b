// SPDX-License-Identifier: BSD-3-Clause
#include "subsequence.hpp"

#include <algorithm>
#include <limits>

namespace llcs {
namespace {

template <class Code>
class Search {
 public:
  // `pairs` is about how many the search has to compare if no cut is lucky.
  Search(BitKernel<Code>& kernel, double pairs, const std::function<void(double)>& tell)
      : kernel_(kernel), pairs_(pairs), tell_(tell) {}

  void find(std::span<const Code> x, std::span<const Code> y) {
    // Equal ends belong to some longest subsequence.
    std::size_t head = 0, tail = 0;
    const std::size_t most = std::min(x.size(), y.size());
    while (head < most && x[head] == y[head]) found_.push_back(x[head++]);
    while (tail < most - head && x[x.size() - 1 - tail] == y[y.size() - 1 - tail]) ++tail;
    middle(x.subspan(head, x.size() - head - tail), y.subspan(head, y.size() - head - tail));
    found_.insert(found_.end(), x.end() - static_cast<std::ptrdiff_t>(tail), x.end());
  }
  [[nodiscard]] std::vector<Code> take() { return std::move(found_); }

 private:
  void middle(std::span<const Code> x, std::span<const Code> y) {
    if (x.empty() || y.empty()) return;
    if (x.size() == 1) {
      if (std::ranges::find(y, x[0]) != y.end()) found_.push_back(x[0]);
      return;
    }
    const std::size_t half = x.size() / 2;
    const std::size_t at = best_cut(x.first(half), x.subspan(half), y);
    find(x.first(half), y.first(at));
    find(x.subspan(half), y.subspan(at));
  }

  // Returns the cut of y for which the lengths of both halves have the largest sum.
  std::size_t best_cut(std::span<const Code> before, std::span<const Code> after,
                       std::span<const Code> y) {
    const std::vector<std::uint64_t> upper = column(before, y);
    const std::vector<Code> turned_x(after.rbegin(), after.rend()), turned_y(y.rbegin(), y.rend());
    const std::vector<std::uint64_t> lower = column(turned_x, turned_y);
    const auto step = [](const std::vector<std::uint64_t>& column, std::size_t j) {
      return static_cast<std::int64_t>(~column[j / 64] >> (j % 64) & 1);
    };
    // At cut 0 all of y belongs to the lower half.
    std::int64_t sum = static_cast<std::int64_t>(zeros(lower, y.size())), best = sum;
    std::size_t at = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      sum += step(upper, j) - step(lower, y.size() - 1 - j);
      if (sum <= best) continue;
      best = sum;
      at = j + 1;
    }
    return at;
  }

  // Returns the complements of the differences of the last column of the table of x and y.
  std::vector<std::uint64_t> column(std::span<const Code> x, std::span<const Code> y) {
    std::vector<std::uint64_t> right(words_of(y.size()), std::numeric_limits<std::uint64_t>::max());
    std::vector<std::uint8_t> carries(x.size());
    kernel_.run(x, y, right.data(), carries.data());
    done_ += static_cast<double>(x.size()) * static_cast<double>(y.size());
    tell_(std::min(1.0, done_ / pairs_));
    return right;
  }

  BitKernel<Code>& kernel_;
  double pairs_, done_ = 0;
  const std::function<void(double)>& tell_;
  std::vector<Code> found_;
};

}  // namespace

template <class Code>
std::vector<Code> longest_subsequence(std::span<const Code> x, std::span<const Code> y,
                                      BitKernel<Code>& kernel,
                                      const std::function<void(double)>& tell) {
  Search<Code> search(kernel, 2.0 * static_cast<double>(x.size()) * static_cast<double>(y.size()),
                      tell);
  search.find(x, y);
  return search.take();
}
template std::vector<std::uint8_t> longest_subsequence(std::span<const std::uint8_t> x,
                                                       std::span<const std::uint8_t> y,
                                                       BitKernel<std::uint8_t>& kernel,
                                                       const std::function<void(double)>& tell);
template std::vector<std::uint32_t> longest_subsequence(std::span<const std::uint32_t> x,
                                                        std::span<const std::uint32_t> y,
                                                        BitKernel<std::uint32_t>& kernel,
                                                        const std::function<void(double)>& tell);

}  // namespace llcs
