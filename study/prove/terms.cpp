// SPDX-License-Identifier: BSD-3-Clause
// Makes terms. Numbers stay numbers as long as they meet no unknown.
#include "path.hpp"

namespace tutti::prove {
namespace {

constexpr const char* looks_at_setting = "it looks at a setting, and the proof is for all of them";

int unsimplified = 0;

const TermPointer& unreadable_term() {
  static const TermPointer the = std::make_shared<const Term>(Term{context().int_val(1)});
  return the;
}

}  // namespace

z3::context& context() {
  static z3::context the;
  return the;
}

Int unreadable() {
  return {1, unreadable_term()};
}

z3::expr expression_of(const Int& a) {
  if (a.term() == unreadable_term()) throw Unsupported{looks_at_setting};
  return a.is_number() ? context().int_val(a.number()) : a.term()->expression;
}

z3::expr expression_of(const Truth& a) {
  return a.is_value() ? context().bool_val(a.value()) : a.term()->expression;
}

bool is_same(const Int& a, const Int& b) {
  if (a.is_number() || b.is_number())
    return a.is_number() && b.is_number() && a.number() == b.number();
  return z3::eq(expression_of(a), expression_of(b));
}

Unsimplified::Unsimplified() {
  ++unsimplified;
}
Unsimplified::~Unsimplified() {
  --unsimplified;
}

Int int_of(std::int64_t number, const z3::expr& expression) {
  if (unsimplified > 0) return {number, std::make_shared<const Term>(Term{expression})};
  const z3::expr simple = expression.simplify();
  std::int64_t value = 0;
  if (simple.is_numeral() && simple.is_numeral_i64(value)) return {value, nullptr};
  return {number, std::make_shared<const Term>(Term{simple})};
}

Truth truth_of(bool value, const z3::expr& expression) {
  if (unsimplified > 0) return {value, std::make_shared<const Term>(Term{expression})};
  const z3::expr simple = expression.simplify();
  if (simple.is_true()) return true;
  if (simple.is_false()) return false;
  return {value, std::make_shared<const Term>(Term{simple})};
}

Truth both(const Truth& a, const Truth& b) {
  if (a.is_value() && b.is_value()) return a.value() && b.value();
  return truth_of(a.value() && b.value(), expression_of(a) && expression_of(b));
}

Truth either(const Truth& a, const Truth& b) {
  if (a.is_value() && b.is_value()) return a.value() || b.value();
  return truth_of(a.value() || b.value(), expression_of(a) || expression_of(b));
}

Truth negated(const Truth& a) {
  return a.is_value() ? Truth(!a.value()) : truth_of(!a.value(), !expression_of(a));
}

Int if_else(const Truth& condition, const Int& a, const Int& b) {
  if (condition.is_value()) return condition.value() ? a : b;
  return int_of(condition.value() ? a.number() : b.number(),
                z3::ite(expression_of(condition), expression_of(a), expression_of(b)));
}

}  // namespace tutti::prove

namespace tutti::schedule {

using prove::expression_of;
using prove::int_of;
using prove::truth_of;

FactorList FactorList::unreadable() {
  FactorList list;
  list.is_readable_ = false;
  return list;
}
void FactorList::look() const {
  if (!is_readable_) throw prove::Unsupported{prove::looks_at_setting};
}
std::size_t FactorList::size() const {
  look();
  return 0;
}
const int* FactorList::begin() const {
  look();
  return nullptr;
}
const int* FactorList::end() const {
  return begin();
}
int FactorList::operator[](std::size_t) const {
  look();
  throw prove::Unsupported{"a factor that is not there"};
}

Int operator-(const Int& a) {
  return Int(0) - a;
}
Int operator+(const Int& a, const Int& b) {
  const std::int64_t number = a.number() + b.number();
  if (a.is_number() && b.is_number()) return prove::noted({number, nullptr});
  return prove::noted(int_of(number, expression_of(a) + expression_of(b)));
}
Int operator-(const Int& a, const Int& b) {
  const std::int64_t number = a.number() - b.number();
  if (a.is_number() && b.is_number()) return prove::noted({number, nullptr});
  return prove::noted(int_of(number, expression_of(a) - expression_of(b)));
}

Int& Int::operator+=(const Int& other) {
  return *this = *this + other;
}
Int& Int::operator-=(const Int& other) {
  return *this = *this - other;
}
Int& Int::operator*=(const Int& other) {
  return *this = *this * other;
}
Int& Int::operator++() {
  return *this = *this + 1;
}

Truth operator<(const Int& a, const Int& b) {
  const bool value = a.number() < b.number();
  if (a.is_number() && b.is_number()) return value;
  return truth_of(value, expression_of(a) < expression_of(b));
}
Truth operator==(const Int& a, const Int& b) {
  const bool value = a.number() == b.number();
  if (a.is_number() && b.is_number()) return value;
  return truth_of(value, expression_of(a) == expression_of(b));
}
Truth operator<=(const Int& a, const Int& b) {
  return prove::negated(b < a);
}
Truth operator>(const Int& a, const Int& b) {
  return b < a;
}
Truth operator>=(const Int& a, const Int& b) {
  return prove::negated(a < b);
}
Truth operator!=(const Int& a, const Int& b) {
  return prove::negated(a == b);
}

Truth implies(const Truth& a, const Truth& b) {
  return prove::either(prove::negated(a), b);
}
Truth all(std::initializer_list<Truth> list) {
  Truth result = true;
  for (const Truth& part : list) result = prove::both(result, part);
  return result;
}

}  // namespace tutti::schedule
