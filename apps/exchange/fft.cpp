// SPDX-License-Identifier: BSD-3-Clause
#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "digest.hpp"
#include "transposing.hpp"

namespace exchange {
namespace {

using Complex = std::complex<double>;
using Plan = std::unique_ptr<fftw_plan_s, decltype(&fftw_destroy_plan)>;

fftw_complex* fftw(Complex* values) {
  return reinterpret_cast<fftw_complex*>(values);
}

// Returns a plan for `count` lines of `size` values each, in place. FFTW_ESTIMATE plans without
// measuring, so that all runs use the same plan.
Plan lines(Complex* values, std::size_t count, std::size_t size) {
  const int n = static_cast<int>(size);
  fftw_plan plan = fftw_plan_many_dft(1, &n, static_cast<int>(count), fftw(values), nullptr, 1, n,
                                      fftw(values), nullptr, 1, n, FFTW_FORWARD, FFTW_ESTIMATE);
  return {plan, fftw_destroy_plan};
}

Complex input(std::size_t place) {
  const auto part = [](std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-53 - 0.5;
  };
  return {part(mixed(2 * place)), part(mixed(2 * place + 1))};
}

class FourierTransform final : public Transposing<Complex> {
 public:
  FourierTransform(Exchange& exchange, std::size_t size)
      : Transposing(exchange, size),
        matrix_(rows_),
        plan_(lines(matrix_.values.data(), rows_.count, size)) {}

  void begin() override {
    for (std::size_t i = 0; i < matrix_.values.size(); ++i)
      matrix_.values[i] = input(rows_.first * rows_.size + i);
  }
  // Each direction ends with a transposition.
  [[nodiscard]] int exchanges() const override { return 2; }
  void compute(int stage) override {
    if (stage > 0) transposer_.unpack(matrix_);
    if (stage == exchanges()) return;
    if (rows_.count > 0) fftw_execute(plan_.get());
    transposer_.pack(matrix_);
  }

  // Compares with FFTW's own transform of the whole matrix.
  [[nodiscard]] double error() const override {
    const std::size_t n = rows_.size;
    std::vector<Complex> whole(n * n);
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = input(i);
    const Plan plan(fftw_plan_dft_2d(static_cast<int>(n), static_cast<int>(n), fftw(whole.data()),
                                     fftw(whole.data()), FFTW_FORWARD, FFTW_ESTIMATE),
                    fftw_destroy_plan);
    fftw_execute(plan.get());
    double most = 0, wrong = 0;
    for (const Complex& value : whole) most = std::max(most, std::abs(value));
    for (std::size_t i = 0; i < matrix_.values.size(); ++i)
      wrong = std::max(wrong, std::abs(matrix_.values[i] - whole[rows_.first * n + i]));
    return wrong / most;
  }
  [[nodiscard]] double tolerance() const override { return 1e-12; }
  [[nodiscard]] std::uint64_t digest() const override {
    std::uint64_t total = 0;
    const std::size_t before = rows_.first * rows_.size;
    for (std::size_t i = 0; i < matrix_.values.size(); ++i)
      total += digest_of(2 * (before + i), matrix_.values[i].real()) +
               digest_of(2 * (before + i) + 1, matrix_.values[i].imag());
    return total;
  }

 private:
  Matrix<Complex> matrix_;
  Plan plan_;
};

}  // namespace

std::unique_ptr<Program> fourier_transform(Exchange& exchange, std::size_t size) {
  return std::make_unique<FourierTransform>(exchange, size);
}

}  // namespace exchange
