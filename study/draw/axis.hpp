// SPDX-License-Identifier: BSD-3-Clause
// Axes of plots: where a number stands, and which numbers have a tick and a label with its unit.
#pragma once

#include <string>
#include <vector>

namespace tutti::draw {

enum class Scale { logarithmic, linear };

// The unit of the numbers of an axis. Labels of times and bytes take the prefix that makes them
// short: 10 ms, 64 KiB. Ranks have ticks at powers of two.
enum class Unit { number, ranks, bytes, percent, nanoseconds, microseconds, milliseconds, seconds };

struct Axis {
  std::string name;
  Unit unit = Unit::number;
  Scale scale = Scale::logarithmic;
};

// Returns the axis of numbers whose unit has these words: "us" makes an axis of times, "%" one of
// shares. Other words are the name of the axis; those that begin with "bytes" make one of bytes.
[[nodiscard]] Axis axis_of(const std::string& words, Scale scale = Scale::logarithmic);

// Returns a short text of a number with its unit, such as "1.5 MiB", "12.5 µs" or "10 million".
[[nodiscard]] std::string label_of(double value, Unit unit);

struct Tick {
  double value;
  std::string label;  // empty for an inner tick
};

// The scale of an axis over the numbers that were included. Linear scales begin at 0.
class Ruler {
 public:
  // No more labels than `most` are given.
  Ruler(Axis axis, int most) : axis_(std::move(axis)), most_(most) {}

  // Throws Error(invalid_argument) if the number cannot stand on the axis: one that is not positive
  // on a logarithmic axis, or a negative one on a linear axis.
  void include(double value);
  // Leaves some room beyond the numbers of a logarithmic axis, so that no curve touches the frame.
  void widen();
  // Makes both rulers as long as the longer one.
  void share_with(Ruler& other);

  [[nodiscard]] bool empty() const { return high_ < low_; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  // Returns the place of a number, 0 to 1.
  [[nodiscard]] double place(double value) const;
  // Returns the number at a place.
  [[nodiscard]] double at(double place) const;
  [[nodiscard]] std::vector<Tick> ticks() const;

 private:
  [[nodiscard]] bool logarithmic() const { return axis_.scale == Scale::logarithmic; }
  [[nodiscard]] double first() const;
  [[nodiscard]] double last() const;
  [[nodiscard]] double step() const;
  [[nodiscard]] std::vector<Tick> linear_ticks() const;
  [[nodiscard]] std::vector<Tick> even_ticks(double from, double to, double step) const;
  [[nodiscard]] std::vector<Tick> decades() const;
  [[nodiscard]] std::vector<Tick> powers_of_two() const;

  Axis axis_;
  int most_;
  double low_ = 1e300, high_ = -1;
};

}  // namespace tutti::draw
