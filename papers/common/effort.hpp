// SPDX-License-Identifier: BSD-3-Clause
// How much the entries measure on this machine.
#pragma once

namespace tutti::papers {

// With the least effort, figures are rough: they show that an entry works.
enum class Effort { usual, least };
void set_effort(Effort effort);
[[nodiscard]] Effort effort();

// Returns one of two numbers, such as those of repetitions.
template <class Number>
[[nodiscard]] Number by_effort(Number usual, Number least) {
  return effort() == Effort::usual ? usual : least;
}

}  // namespace tutti::papers
