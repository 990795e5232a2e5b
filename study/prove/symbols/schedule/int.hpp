// SPDX-License-Identifier: BSD-3-Clause
// The integers of schedules for proofs. This header stands for src/schedule/int.hpp where the
// sources of generators are compiled a second time. An Int is a number, or a term over the unknowns
// of a path (path.hpp). A comparison of terms may have both answers. Where the program needs one,
// the path takes one of those that are possible, and the program is run again with the other.
//
// Every Int has a number, too: in the bridge test (bridge.cpp) that is its value for the ranks and
// rounds at hand; elsewhere it means nothing unless the Int is a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

namespace tutti::prove {

struct Term;  // terms.hpp: a term of z3

// While one of these lives, numbers are those of the prover and not of a generator (numbers.cpp).
class OwnNumbers {
 public:
  OwnNumbers();
  ~OwnNumbers();
  OwnNumbers(const OwnNumbers&) = delete;
  OwnNumbers& operator=(const OwnNumbers&) = delete;
};

}  // namespace tutti::prove

namespace tutti::schedule {

using TermPointer = std::shared_ptr<const prove::Term>;

class Int {
 public:
  // The conversions are implicit because the sources write numbers.
  Int(int number = 0) : number_(number) {}
  Int(std::int64_t number, TermPointer term) : number_(number), term_(std::move(term)) {}

  [[nodiscard]] bool is_number() const { return term_ == nullptr; }
  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] const TermPointer& term() const { return term_; }

  Int& operator+=(const Int& other);
  Int& operator-=(const Int& other);
  Int& operator*=(const Int& other);
  Int& operator++();

 private:
  std::int64_t number_;
  TermPointer term_;
};

using Wide = Int;  // the integers of proofs have no end

// The factors of a shape. A proof holds for all of them, and none are known to it. So it makes them
// unreadable: whatever looks at them stops the proof. Elsewhere in this build there are none.
class FactorList {
 public:
  FactorList() = default;
  [[nodiscard]] static FactorList unreadable();

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const int* begin() const;
  [[nodiscard]] const int* end() const;
  int operator[](std::size_t) const;

 private:
  void look() const;
  bool is_readable_ = true;
};

class Truth {
 public:
  Truth(bool value = false) : value_(value) {}
  Truth(bool value, TermPointer term) : value_(value), term_(std::move(term)) {}

  // Returns the answer on this path.
  operator bool() const;

  [[nodiscard]] bool is_value() const { return term_ == nullptr; }
  [[nodiscard]] bool value() const { return value_; }
  [[nodiscard]] const TermPointer& term() const { return term_; }

 private:
  bool value_;
  TermPointer term_;
};

Int operator-(const Int& a);
Int operator+(const Int& a, const Int& b);
Int operator-(const Int& a, const Int& b);
Int operator*(const Int& a, const Int& b);
Int operator/(const Int& a, const Int& b);
Int operator%(const Int& a, const Int& b);
Int operator<<(const Int& a, const Int& b);
Int operator>>(const Int& a, const Int& b);
Int operator&(const Int& a, const Int& b);
Int operator^(const Int& a, const Int& b);
Truth operator<(const Int& a, const Int& b);
Truth operator<=(const Int& a, const Int& b);
Truth operator>(const Int& a, const Int& b);
Truth operator>=(const Int& a, const Int& b);
Truth operator==(const Int& a, const Int& b);
Truth operator!=(const Int& a, const Int& b);

Int ceil_log2(const Int& p);
Int bit_floor(const Int& n);

// These do not ask for an answer.
Truth implies(const Truth& a, const Truth& b);
Truth all(std::initializer_list<Truth> list);

}  // namespace tutti::schedule

#include "schedule/after.hpp"
#include "schedule/for_each.hpp"
