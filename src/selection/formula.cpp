// SPDX-License-Identifier: BSD-3-Clause
// Evaluates formulas by recursive descent.
#include "selection/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "algorithms/hybrid.hpp"

namespace tutti::selection {
namespace {

using Number = std::int64_t;

Number floor_div(Number a, Number b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

Number power(Number base, Number exponent) {
  Number result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

// Returns the smallest e with base^e >= n.
Number ceil_log(Number base, Number n) {
  Number e = 0;
  for (Number reached = 1; reached < n; reached *= base) ++e;
  return e;
}

Number call(const std::string& name, const std::vector<Number>& a) {
  if (name == "ceil_log2" && a.size() == 1) return ceil_log(2, a[0]);
  if (name == "floor_log2" && a.size() == 1) return ceil_log(2, a[0] + 1) - 1;
  if (a.size() != 2)
    throw std::runtime_error(fmt::format("unknown function {} of {} arguments", name, a.size()));
  if (name == "ceil_log") return ceil_log(a[0], a[1]);
  if (name == "pow") return power(a[0], a[1]);
  if (name == "min") return std::min(a[0], a[1]);
  if (name == "max") return std::max(a[0], a[1]);
  if (name == "floor_div") return floor_div(a[0], a[1]);
  if (name == "ceil_div") return -floor_div(-a[0], a[1]);
  if (name == "mod") return a[0] - a[1] * floor_div(a[0], a[1]);
  throw std::runtime_error(fmt::format("unknown function {}", name));
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \n") - first + 1));
}

}  // namespace

std::string to_text(const Quantity& q) {
  if (q.complete == 0 && q.operation == 0 && q.send == 0) return fmt::format("{}", q.number);
  return fmt::format("{} Tc + {} To + {} Ts{}", q.complete, q.operation, q.send,
                     q.number == 0 ? "" : fmt::format(" + {}", q.number));
}

Variables variables_of(const schedule::Shape& shape) {
  Variables variables{{"p", shape.p},      {"Nb", shape.branches},
                      {"Nr", shape.rings}, {"K", shape.segments},
                      {"cut", shape.cut},  {"k", static_cast<Number>(shape.factors.size())}};
  // On a mesh the dimension of a factor only says which digit of the rank it is, so formulas see
  // its size.
  for (std::size_t j = 0; j < shape.factors.size(); ++j)
    variables[fmt::format("f{}", j)] = algorithms::size_of(shape.factors[j]);
  return variables;
}

class Evaluation {
 public:
  Evaluation(const CostFormulas& costs, const Variables& variables, std::string_view text)
      : costs_(costs), variables_(variables), rest_(text) {}

  Quantity whole() {
    const Quantity value = comparison();
    if (!trimmed(rest_).empty()) throw std::runtime_error(fmt::format("left over: '{}'", rest_));
    return value;
  }

 private:
  bool accept(std::string_view token) {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token))
      throw std::runtime_error(fmt::format("'{}' expected before '{}'", token, rest_));
  }

  Quantity comparison() {
    const Quantity left = sum();
    if (accept("==")) return {0, 0, 0, left == sum()};
    if (accept(">=")) return {0, 0, 0, left >= sum()};
    if (accept(">")) return {0, 0, 0, left > sum()};
    return left;
  }

  Quantity sum() {
    Quantity total = product();
    for (;;) {
      const bool positive = accept("+");
      if (!positive && !accept("-")) return total;
      total = plus(total, product(), positive ? 1 : -1);
    }
  }

  static Quantity plus(const Quantity& a, const Quantity& b, Number sign) {
    return {a.complete + sign * b.complete, a.operation + sign * b.operation,
            a.send + sign * b.send, a.number + sign * b.number};
  }

  static Number pure(const Quantity& q) {
    if (q.complete != 0 || q.operation != 0 || q.send != 0)
      throw std::runtime_error("a time where a number is needed");
    return q.number;
  }

  Quantity product() {
    Quantity total = factor();
    while (accept("*")) {
      Quantity other = factor();
      if (other.complete != 0 || other.operation != 0 || other.send != 0) std::swap(total, other);
      const Number times = pure(other);
      total = {total.complete * times, total.operation * times, total.send * times,
               total.number * times};
    }
    return total;
  }

  std::string word(int (*belongs)(int)) {
    std::string text;
    while (!rest_.empty() &&
           (belongs(static_cast<unsigned char>(rest_.front())) != 0 || rest_.front() == '_')) {
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    return text;
  }

  Quantity factor() {
    if (accept("(")) {
      const Quantity inner = comparison();
      expect(")");
      return inner;
    }
    if (const std::string digits = word(std::isdigit); !digits.empty())
      return {0, 0, 0, std::stoll(digits)};
    const std::string name = word(std::isalnum);
    if (name.empty())
      throw std::runtime_error(fmt::format("a name or number is missing before '{}'", rest_));
    return accept("(") ? function(name) : named(name);
  }

  // Returns the texts of the arguments, up to the closing parenthesis.
  std::vector<std::string_view> argument_texts() {
    std::vector<std::string_view> texts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '(') ++depth;
      const bool closes = rest_[i] == ')' && depth-- == 0;
      if (!closes && (rest_[i] != ',' || depth > 0)) continue;
      texts.push_back(rest_.substr(begin, i - begin));
      begin = i + 1;
      if (!closes) continue;
      rest_.remove_prefix(begin);
      return texts;
    }
    throw std::runtime_error(fmt::format("')' missing after '{}'", rest_));
  }

  Quantity value(std::string_view text) const {
    return Evaluation(costs_, variables_, text).whole();
  }
  Number number(std::string_view text) const { return pure(value(text)); }

  Quantity function(const std::string& name) {
    const std::vector<std::string_view> texts = argument_texts();
    if (name == "if" && texts.size() == 3)
      return number(texts[0]) != 0 ? value(texts[1]) : value(texts[2]);
    if ((name == "sum" || name == "product") && texts.size() == 4)
      return repeated(name == "sum", texts);
    if (name == "f" && texts.size() == 1) return named(fmt::format("f{}", number(texts[0])));
    std::vector<Number> numbers;
    for (const std::string_view text : texts) numbers.push_back(number(text));
    return {0, 0, 0, call(name, numbers)};
  }

  Quantity repeated(bool add, const std::vector<std::string_view>& texts) const {
    Quantity total{0, 0, 0, add ? 0 : 1};
    Variables variables = variables_;
    const Number last = number(texts[2]);
    for (Number j = number(texts[1]); j <= last; ++j) {
      variables[trimmed(texts[0])] = j;
      const Quantity term = Evaluation(costs_, variables, texts[3]).whole();
      total = add ? plus(total, term, 1) : Quantity{0, 0, 0, total.number * pure(term)};
    }
    return total;
  }

  Quantity named(const std::string& name) const {
    if (name == "Tc") return {1, 0, 0, 0};
    if (name == "To") return {0, 1, 0, 0};
    if (name == "Ts") return {0, 0, 1, 0};
    if (const auto it = variables_.find(name); it != variables_.end()) return {0, 0, 0, it->second};
    if (const auto it = costs_.definitions_.find(name); it != costs_.definitions_.end())
      return Evaluation(costs_, variables_, it->second).whole();
    return costs_.evaluate(name, variables_);
  }

  const CostFormulas& costs_;
  const Variables& variables_;
  std::string_view rest_;
};

CostFormulas::CostFormulas(std::string_view line) {
  bool defining = false;
  while (!line.empty()) {
    const auto end = std::min(line.find(';'), line.size());
    std::string item = trimmed(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
    if (item.starts_with("where ")) {
      defining = true;
      item = trimmed(item.substr(6));
    }
    if (item.empty()) continue;
    const auto space = item.find(' ');
    if (space == std::string::npos)
      throw std::runtime_error(fmt::format("'{}' has no formula", item));
    const std::string name = item.substr(0, space);
    std::string formula = trimmed(item.substr(space));
    if (defining) {
      if (!formula.starts_with("="))
        throw std::runtime_error(fmt::format("'{}' is no definition", item));
      definitions_[name] = trimmed(formula.substr(1));
    } else {
      const bool bound = formula.starts_with("<=");
      given_[name] = {bound ? trimmed(formula.substr(2)) : formula, bound};
    }
  }
}

Quantity CostFormulas::evaluate(const std::string& name, const Variables& variables) const {
  const auto it = given_.find(name);
  if (it == given_.end()) throw std::runtime_error(fmt::format("unknown name '{}'", name));
  return Evaluation(*this, variables, it->second.text).whole();
}

}  // namespace tutti::selection
