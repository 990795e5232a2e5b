// SPDX-License-Identifier: BSD-3-Clause
// Obligation on the numbers that a generator computes: all fit the machine's int, if there are no
// more ranks than some_shape() says.
#include <cstdint>
#include <limits>

#include "statement.hpp"

namespace tutti::prove {
namespace {

constexpr int largest_exponent = 30;

// The results of operators since a generator was called; nullptr if nobody collects them.
std::vector<Int>* collected = nullptr;
int own_numbers = 0;

// Collects numbers while it lives.
class Collection {
 public:
  Collection() { collected = &numbers; }
  ~Collection() { collected = nullptr; }
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;
  std::vector<Int> numbers;
};

std::vector<Int> numbers_of_round(const Step& step) {
  Collection collection;
  const Shape& shape = step.memory.shape();
  const Generator& generator = *step.subject.generator;
  static_cast<void>(step.round_of(step.me, {Steps::any}));
  static_cast<void>(generator.rounds(shape));
  static_cast<void>(generator.buffers(shape));
  return collection.numbers;
}

}  // namespace

OwnNumbers::OwnNumbers() {
  ++own_numbers;
}
OwnNumbers::~OwnNumbers() {
  --own_numbers;
}

Int noted(Int result) {
  if (collected != nullptr && own_numbers == 0) collected->push_back(result);
  return result;
}

void Path::bound_powers() {
  const Int largest = Int(std::int64_t{1} << largest_exponent, nullptr);
  for (const Power& power : powers_) {
    const Domain domain = shift_by(power.exponent);
    learn(domain, schedule::implies(power.exponent <= largest_exponent, power.value <= largest));
    learn(domain, schedule::implies(power.exponent >= largest_exponent, power.value >= largest));
  }
}

void numbers_fit(const Subject& subject) {
  const Step step(subject, {Steps::none});
  const std::vector<Int> numbers = numbers_of_round(step);
  path().bound_powers();
  Truth fit = true;
  for (const Int& number : numbers)
    fit = schedule::all({fit, std::numeric_limits<int>::min() <= number,
                         number <= std::numeric_limits<int>::max()});
  path().require(fit, "numbers fit an int");
}

}  // namespace tutti::prove
