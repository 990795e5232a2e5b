// SPDX-License-Identifier: BSD-3-Clause
// The complete exchange as the programs use it: by an algorithm that the user has named, or by
// tutti's choice, with the time that it takes.
#pragma once

#include <tutti/tutti.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace exchange {

// A failed call of tutti ends the program with tutti's message.
class Exchange {
 public:
  // With an empty name, tutti chooses the algorithm.
  explicit Exchange(std::string algorithm) : algorithm_(std::move(algorithm)) {}

  [[nodiscard]] static int rank() { return tutti_rank(tutti_world()); }
  [[nodiscard]] static int ranks() { return tutti_size(tutti_world()); }

  // Sends the r-th of equal parts of the input to rank r, whose part is the r-th of the output.
  template <class T>
  void equal(std::span<const T> input, std::span<T> output) {
    equal_bytes(input.data(), output.data(), static_cast<std::int64_t>(input.size_bytes()));
  }

  // Values of several ranks, those of the first rank first.
  template <class T>
  struct Parts {
    std::vector<T> values;
    std::vector<std::int64_t> counts;  // by rank

    // Makes memory for as many values as the counts say.
    void resize() {
      values.resize(
          static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
    }
  };
  // Sends each rank its part. The output has the counts of what arrives, and memory for it.
  template <class T>
  void varied(const Parts<T>& input, Parts<T>& output) {
    varied_bytes(input.values.data(), input.counts, output.values.data(), output.counts, sizeof(T));
  }

  // Seconds in exchanges since the last restart().
  [[nodiscard]] double seconds() const { return seconds_; }
  void restart() { seconds_ = 0; }

 private:
  // The time that an object lives is part of seconds().
  class Passage;
  [[nodiscard]] tutti_plan plan(std::int64_t bytes) const;
  void equal_bytes(const void* input, void* output, std::int64_t bytes);
  void varied_bytes(const void* input, const std::vector<std::int64_t>& input_counts, void* output,
                    const std::vector<std::int64_t>& output_counts, std::size_t size);
  void padded_bytes(const void* input, const std::vector<std::int64_t>& input_counts, void* output,
                    const std::vector<std::int64_t>& output_counts, std::size_t size);

  std::string algorithm_;
  double seconds_ = 0;
};

// The largest value of any rank.
double largest(double value);
// The sum over all ranks, modulo 2^64.
std::uint64_t sum(std::uint64_t value);

}  // namespace exchange
