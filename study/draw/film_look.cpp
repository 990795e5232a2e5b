// SPDX-License-Identifier: BSD-3-Clause
// Chooses cells as large as the number of blocks and ranks allows.
#include "draw/film_look.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::draw {

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
