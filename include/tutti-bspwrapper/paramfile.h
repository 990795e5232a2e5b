// SPDX-License-Identifier: BSD-3-Clause
// BSPParam of P. Krusche's thesis (paper 003, appendix B.1), there a module of Perl: reads the gaps
// that the functions of BSPBenchmark.h write, and computes the parameters of the BSP model with
// start-up and overhead from them (3.2 to 3.6).
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace BSPWrapper {

// Seconds per word of a superstep in which each process sends `count` messages of `size` words.
struct BSPSample {
  double size = 1;
  double count = 1;
  double g = 0;
  [[nodiscard]] double Words() const { return size * count; }
};

struct BSPGap {
  double g_inf = 0;          // (3.2), seconds per word
  double g_small = 0;        // (3.3)
  double h_half = 0;         // (3.4), words
  double overhead = 0;       // o of (3.6), words
  double error_bsp = 0;      // mean of (g - formula (2.5))^2 over the samples; g in us per word
  double error_bspstar = 0;  // mean of (g - formula (2.6))^2 over the samples; g in us per word

  // The gap by formula (2.5), and with the size of messages by (2.6).
  [[nodiscard]] double At(double h) const { return (h_half / h + 1) * g_inf; }
  [[nodiscard]] double At(double h, double size) const {
    return (h_half / h + overhead / size + 1) * g_inf;
  }
};

namespace detail {

template <class Weight>
double WeightedGap(const std::vector<BSPSample>& samples, const Weight& weight) {
  double sum = 0, weights = 0;
  for (const BSPSample& sample : samples) {
    sum += sample.g * weight(sample);
    weights += weight(sample);
  }
  return weights > 0 ? sum / weights : 0;
}

}  // namespace detail

// Computes the parameters from samples. More sizes and counts make them better.
inline BSPGap FitGap(const std::vector<BSPSample>& samples) {
  BSPGap gap;
  if (samples.empty()) return gap;
  double least_h = samples.front().Words(), least_size = samples.front().size;
  for (const BSPSample& sample : samples) {
    least_h = std::min(least_h, sample.Words());
    least_size = std::min(least_size, sample.size);
  }
  const auto cube = [](const BSPSample& sample) { return std::pow(sample.Words(), 3); };
  const auto inverse = [](const BSPSample& sample) { return std::pow(sample.Words(), -3); };
  const auto many = [least_size](const BSPSample& sample) {
    return sample.size == least_size ? sample.count * sample.count : 0;
  };
  gap.g_inf = detail::WeightedGap(samples, cube);
  gap.g_small = detail::WeightedGap(samples, inverse);
  gap.h_half = (gap.g_small / gap.g_inf - 1) * least_h;
  gap.overhead = (detail::WeightedGap(samples, many) / gap.g_inf - 1) * least_size;
  for (const BSPSample& sample : samples) {
    const double plain = (sample.g - gap.At(sample.Words())) * 1e6;
    const double star = (sample.g - gap.At(sample.Words(), sample.size)) * 1e6;
    gap.error_bsp += plain * plain / static_cast<double>(samples.size());
    gap.error_bspstar += star * star / static_cast<double>(samples.size());
  }
  return gap;
}

// The parameters of a file. Its lines have the size of the messages, their number and the gap, as
// BSPBenchmark writes them into bspprobe_ARCH_pP_FUNCTION_random.dat.
class BSPParam : public BSPGap {
 public:
  BSPParam() = default;
  explicit BSPParam(const std::string& file) { Read(file); }

  // Throws std::runtime_error if the file cannot be read or has another line.
  void Read(const std::string& file) {
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error("BSPParam: cannot read '" + file + "'");
    samples.clear();
    for (std::string line; std::getline(stream, line);) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      BSPSample sample;
      std::string more;
      std::istringstream fields(line);
      if (!(fields >> sample.size >> sample.count >> sample.g) || fields >> more ||
          sample.size <= 0 || sample.count <= 0)
        throw std::runtime_error("BSPParam: '" + line + "' in '" + file + "' is no sample");
      samples.push_back(sample);
    }
    static_cast<BSPGap&>(*this) = FitGap(samples);
  }

  std::vector<BSPSample> samples;
};

}  // namespace BSPWrapper

using BSPWrapper::BSPParam;
