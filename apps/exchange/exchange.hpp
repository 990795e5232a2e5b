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

#include "recorder.hpp"

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
  };
  // Sends each rank its part. `arriving` has the counts of the answer, if they are known.
  template <class T>
  Parts<T> varied(const Parts<T>& input, const std::vector<std::int64_t>& arriving) {
    Parts<T> output{{}, arriving.empty() ? counts_of_others(input.counts) : arriving};
    output.values.resize(static_cast<std::size_t>(
        std::accumulate(output.counts.begin(), output.counts.end(), std::int64_t{0})));
    varied_bytes(input.values.data(), input.counts, output.values.data(), output.counts, sizeof(T));
    return output;
  }

  // Seconds in exchanges since the last restart().
  [[nodiscard]] double seconds() const { return seconds_; }
  void restart() { seconds_ = 0; }

  // From now on the recorder is told of each exchange.
  void record(Recorder& recorder) { recorder_ = &recorder; }

 private:
  // The time that an object lives is part of seconds(), and the recorder is told of it.
  class Passage;
  [[nodiscard]] tutti_plan plan(std::int64_t bytes) const;
  void equal_bytes(const void* input, void* output, std::int64_t bytes);
  void varied_bytes(const void* input, const std::vector<std::int64_t>& input_counts, void* output,
                    const std::vector<std::int64_t>& output_counts, std::size_t size);
  void padded_bytes(const void* input, const std::vector<std::int64_t>& input_counts, void* output,
                    const std::vector<std::int64_t>& output_counts, std::size_t size);
  std::vector<std::int64_t> counts_of_others(const std::vector<std::int64_t>& counts);

  std::string algorithm_;
  double seconds_ = 0;
  Recorder* recorder_ = nullptr;
};

// The largest value of any rank.
double largest(double value);
// The sum over all ranks, modulo 2^64.
std::uint64_t sum(std::uint64_t value);

}  // namespace exchange
