// SPDX-License-Identifier: BSD-3-Clause
// Chooses cells as large as the number of blocks and ranks allows.
#include "draw/film_look.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tutti::draw {

double name_width(std::string_view name) {
  constexpr double digit = 0.64;
  constexpr std::array<double, 26> capitals = {.68, .69, .70, .77, .63, .58, .77, .75, .30,
                                               .30, .66, .56, .86, .75, .79, .60, .79, .70,
                                               .64, .61, .73, .68, .99, .69, .61, .69};
  double wide = 0;
  for (const char c : name) wide += c >= 'A' && c <= 'Z' ? capitals[at(c - 'A')] : digit;
  return wide;
}

bool few_enough_for_letters(const Film& film) {
  constexpr int most_letters = 16;
  return film.p <= most_letters && film.slots <= most_letters;
}

CellLook look_of(const Film& film, bool letters) {
  CellLook look;
  look.letters = letters;
  const int slots = film.slots;
  if (letters) {
    const bool exchange = film.operation == schedule::Operation::alltoall;
    look.w = slots <= 5 ? 30 : slots <= 8 ? 24 : exchange ? 25 : 15;
    look.h = slots > 8 ? film.reduces() ? 20 : 16 : 24;
  } else {
    look.w = std::clamp(std::floor(224.0 / slots), 2.0, 40.0);
    look.h = look.pitch = std::clamp(std::floor(224.0 / film.p), 2.0, 12.0);
  }
  return look;
}

const char* class_of(State state, bool letters) {
  switch (state) {
    case State::own:
      return "own";
    case State::partial:
    case State::held:
      return "part";
    case State::complete:
      return "done";
    case State::gone:
      return letters ? "gone" : "hatch";
    case State::empty:
      break;
  }
  return "gone";
}

}  // namespace tutti::draw
