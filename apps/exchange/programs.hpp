// SPDX-License-Identifier: BSD-3-Clause
// The programs that use the complete exchange (Bokhari 1991, section 3). Each sets up its data, can
// run again and again, and compares its last result with what one process would have computed. In a
// run all ranks compute and exchange in turn, so that its time can be predicted from the
// computations alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "exchange.hpp"
#include "numbers.hpp"

namespace exchange {

class Program {
 public:
  virtual ~Program() = default;
  // Sets the input of a run up, which is no part of the run.
  virtual void begin() {}
  // The exchanges of a run. The ranks compute before each of them and after the last.
  [[nodiscard]] virtual int exchanges() const = 0;
  // Computes what comes before an exchange, which has the number `stage`, or after the last.
  virtual void compute(int stage) = 0;
  // Makes an exchange. All ranks call it.
  virtual void exchange(int stage) = 0;
  // Computes the result once. All ranks call it. Calls tell(part), from 0 to 1, after an exchange.
  template <class Tell>
  void run(Tell&& tell) {
    for (int stage = 0; stage < exchanges(); ++stage) {
      compute(stage);
      exchange(stage);
      tell(static_cast<double>(stage + 1) / (exchanges() + 1));
    }
    compute(exchanges());
  }

  // Takes the place of an exchange in a prediction. It puts values of this rank where those of
  // others would arrive, so that the next computation has as much to do.
  virtual void pretend(int stage) = 0;
  // The bytes that leave a rank for others in an exchange, and those that arrive there.
  struct Moved {
    double out, in;
  };
  [[nodiscard]] virtual Moved moved(int stage, int rank) = 0;
  // Returns the computation of a rank in a stage over that of the rank with most.
  [[nodiscard]] virtual double share(int stage, int rank) const = 0;

  // Returns the largest error of this rank's part of the result, relative to the largest value; 0
  // if all bits are equal.
  [[nodiscard]] virtual double error() const = 0;
  // Returns a number that all bits of this rank's part of the result determine. The sum over the
  // ranks does not depend on how many there are.
  [[nodiscard]] virtual std::uint64_t digest() const = 0;
  // The largest error that is no fault.
  [[nodiscard]] virtual double tolerance() const { return 0; }
};

// Transposes a matrix of doubles.
std::unique_ptr<Program> matrix_transpose(Exchange& exchange, std::size_t size);
// Transforms a complex matrix by Fourier in two dimensions: rows, then columns as transposed rows.
std::unique_ptr<Program> fourier_transform(Exchange& exchange, std::size_t size);
// Makes steps of the heat equation on a square by alternating directions (ADI).
std::unique_ptr<Program> heat_equation(Exchange& exchange, std::size_t size);
// Looks up random entries of a table that is distributed: `size` of them on each rank.
std::unique_ptr<Program> table_look_up(Exchange& exchange, std::size_t size);
// Multiplies a matrix, of which each rank has columns, by a vector.
std::unique_ptr<Program> matrix_vector(Exchange& exchange, std::size_t size);

using support::mixed;

}  // namespace exchange
