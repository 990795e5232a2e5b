// SPDX-License-Identifier: BSD-3-Clause
// Chooses ticks: powers of ten or two on logarithmic axes, even steps on linear ones.
#include "draw/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/error.hpp"

namespace tutti::draw {
namespace {

struct Prefix {
  double size;
  const char* name;
};

// Returns two digits of a number that fmt would write with an exponent, without zeros behind them.
std::string tiny_number(double value) {
  if (value <= 0) return "0";
  std::string text =
      fmt::format("{:.{}f}", value, 1 + static_cast<int>(-std::floor(std::log10(value))));
  return text.substr(0, text.find_last_not_of('0') + 1);
}

// Returns all digits of an eighth, and three of other numbers; ticks are eighths or shorter.
std::string short_number(double value) {
  const double rounded = std::round(value * 8) / 8;
  if (std::abs(value - rounded) < 1e-6 * value) value = rounded;
  if (value >= 1000) return fmt::format("{:.0f}", value);
  if (value < 1e-3) return tiny_number(value);
  return value == rounded ? fmt::format("{:.6g}", value) : fmt::format("{:.3g}", value);
}

// Returns the number over the largest size that is not above it, with the name of that size.
template <std::size_t n>
std::string with_prefix(double value, const std::array<Prefix, n>& prefixes) {
  if (value == 0) return "0";
  const Prefix* best = prefixes.data();
  for (const Prefix& prefix : prefixes)
    if (value >= prefix.size * (1 - 1e-9)) best = &prefix;
  return fmt::format("{} {}", short_number(value / best->size), best->name);
}

constexpr std::array<Prefix, 4> times{{{1e-3, "ns"}, {1, "µs"}, {1e3, "ms"}, {1e6, "s"}}};
constexpr std::array<Prefix, 5> sizes{
    {{1, "B"}, {1024, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}}};
constexpr std::array<Prefix, 2> large_numbers{{{1e6, "million"}, {1e9, "billion"}}};

// Returns a number with thousands apart, such as 40 000.
std::string grouped(double value) {
  if (value >= 1e6) return with_prefix(value, large_numbers);
  if (value < 1e-3) return tiny_number(value);
  if (value < 1e4) return fmt::format("{:.4g}", value);
  const auto whole = static_cast<long>(std::lround(value));
  return fmt::format("{} {:03}", whole / 1000, whole % 1000);
}

// Returns the largest of 1, 2 and 5 times a power of ten that is at most the number.
double round_below(double value) {
  const double power = std::pow(10, std::floor(std::log10(value) + 1e-9));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= value * (1 + 1e-9)) return factor * power;
  return power;
}

double power_of_two_above(double value) {
  return std::exp2(std::ceil(std::log2(value) - 1e-9));
}

bool is_binary(Unit unit) {
  return unit == Unit::bytes || unit == Unit::ranks;
}

constexpr double tiny = 1e-9;

}  // namespace

Axis axis_of(const std::string& words, Scale scale) {
  struct Words {
    std::string_view words;
    const char* name;
    Unit unit;
  };
  static constexpr std::array<Words, 7> known{{{"ns", "time", Unit::nanoseconds},
                                               {"us", "time", Unit::microseconds},
                                               {"ms", "time", Unit::milliseconds},
                                               {"s", "time", Unit::seconds},
                                               {"%", "share", Unit::percent},
                                               {"ranks", "ranks", Unit::ranks},
                                               {"nodes", "nodes", Unit::ranks}}};
  for (const Words& one : known)
    if (one.words == words) return {one.name, one.unit, scale};
  return {words, words.starts_with("bytes") ? Unit::bytes : Unit::number, scale};
}

std::string label_of(double value, Unit unit) {
  switch (unit) {
    case Unit::bytes:
      return with_prefix(value, sizes);
    case Unit::percent:
      return grouped(value) + " %";
    case Unit::nanoseconds:
      return with_prefix(value * 1e-3, times);
    case Unit::microseconds:
      return with_prefix(value, times);
    case Unit::milliseconds:
      return with_prefix(value * 1e3, times);
    case Unit::seconds:
      return with_prefix(value * 1e6, times);
    case Unit::number:
    case Unit::ranks:
      break;
  }
  return grouped(value);
}

void Ruler::include(double value) {
  if (logarithmic() && !(value > 0))
    base::fail(base::Status::invalid_argument, "{} cannot stand on a logarithmic axis", value);
  if (!(value >= 0))
    base::fail(base::Status::invalid_argument, "{} cannot stand on an axis from 0 on", value);
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
}

void Ruler::widen() {
  if (!logarithmic()) return;
  const double room = std::max(std::pow(high_ / low_, 0.04), 1.08);
  low_ /= room;
  high_ *= room;
}

void Ruler::share_with(Ruler& other) {
  low_ = other.low_ = std::min(low_, other.low_);
  high_ = other.high_ = std::max(high_, other.high_);
}

// A linear axis has four to eight steps of 1, 2 or 5 times a power of ten, or of a power of two if
// it has more than 1 KiB.
double Ruler::step() const {
  const double high = high_ > 0 ? high_ : 1;
  if (axis_.unit == Unit::bytes && high > 1024) return power_of_two_above(high / 8);
  return std::min(round_below(high / 4), round_below(high / most_) * 10);
}

double Ruler::first() const {
  return logarithmic() ? low_ : 0;
}

double Ruler::last() const {
  if (!logarithmic()) return std::max(std::ceil(high_ / step() - tiny), 1.0) * step();
  return high_ > low_ * (1 + tiny) ? high_ : low_ * 2;
}

double Ruler::place(double value) const {
  if (!logarithmic()) return value / last();
  return std::log(value / first()) / std::log(last() / first());
}

double Ruler::at(double place) const {
  return logarithmic() ? first() * std::pow(last() / first(), place) : place * last();
}

// Returns ticks at the multiples of a step, and four or five inner ones between each two.
std::vector<Tick> Ruler::even_ticks(double from, double to, double step) const {
  std::vector<Tick> ticks;
  const double mantissa = step / std::pow(10, std::floor(std::log10(step) + tiny));
  const int parts = is_binary(axis_.unit) || mantissa < 4 ? 4 : 5;
  const double fine = step / parts;
  const auto begin = static_cast<long>(std::ceil(from / fine - tiny));
  for (long i = begin; static_cast<double>(i) * fine <= to + tiny * step; ++i) {
    const double value = static_cast<double>(i) * fine;
    ticks.push_back({value, i % parts == 0 ? label_of(value, axis_.unit) : ""});
  }
  return ticks;
}

std::vector<Tick> Ruler::linear_ticks() const {
  return even_ticks(0, last(), step());
}

// Over many decades only some powers have labels. Over few of them 2 and 5 have labels, too.
std::vector<Tick> Ruler::decades() const {
  std::vector<Tick> ticks;
  const auto begin = static_cast<int>(std::floor(std::log10(first()) + tiny)),
             end = static_cast<int>(std::ceil(std::log10(last()) - tiny));
  const int powers = static_cast<int>(std::floor(std::log10(last()) + tiny) -
                                      std::ceil(std::log10(first()) - tiny)) +
                     1;
  const int every = (powers - 1) / most_ + 1;
  for (int power = begin; power <= end; ++power) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * std::pow(10, power);
      if (value < first() * (1 - tiny) || value > last() * (1 + tiny)) continue;
      const bool has_label =
          digit == 1 ? power % every == 0 : powers < 3 && (digit == 2 || digit == 5);
      if (every == 1 || digit == 1)
        ticks.push_back({value, has_label ? label_of(value, axis_.unit) : ""});
    }
  }
  return ticks;
}

std::vector<Tick> Ruler::powers_of_two() const {
  std::vector<Tick> ticks;
  const auto begin = static_cast<int>(std::ceil(std::log2(first()) - tiny)),
             end = static_cast<int>(std::floor(std::log2(last()) + tiny));
  int every = 1;
  for (const int candidate : {10, 5, 4, 2, 1})
    if ((end - begin) / candidate < most_) every = candidate;
  for (int power = begin; power <= end; ++power) {
    const double value = std::exp2(power);
    ticks.push_back({value, power % every == 0 ? label_of(value, axis_.unit) : ""});
  }
  return ticks;
}

std::vector<Tick> Ruler::ticks() const {
  if (!logarithmic()) return linear_ticks();
  std::vector<Tick> ticks = is_binary(axis_.unit) ? powers_of_two() : decades();
  const auto labels = std::count_if(ticks.begin(), ticks.end(),
                                    [](const Tick& tick) { return !tick.label.empty(); });
  if (labels >= 3) return ticks;
  return even_ticks(first(), last(), round_below((last() - first()) / 3));
}

}  // namespace tutti::draw
