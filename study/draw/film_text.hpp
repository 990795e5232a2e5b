// SPDX-License-Identifier: BSD-3-Clause
// Writes a film as text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "draw/film.hpp"

namespace tutti::draw {

struct TextForm {
  std::size_t width = 80;  // characters of a line
  bool ascii = false;
  bool all = false;     // draws all rounds, also equal ones
  bool colour = false;  // what is wrong is red
};

// Writes bands of strips with the messages between them, then sentences and a key. If a round does
// not fit into the width, each cell has one character. If that does not fit either, only sentences
// are written.
[[nodiscard]] std::string film_text(const Film& film, const std::string& title,
                                    const TextForm& form);

// Returns the lines without strips: the heading and the sentences.
[[nodiscard]] std::vector<std::string> film_words(const Film& film, const TextForm& form);

}  // namespace tutti::draw
