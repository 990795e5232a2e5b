// SPDX-License-Identifier: BSD-3-Clause
// A film as text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "draw/film.hpp"

namespace tutti::draw {

struct TextForm {
  std::size_t width = 80;  // of lines
  bool ascii = false;
  bool all = false;  // rounds, also those that are like others
};

// Bands of strips with what is sent and received between them, then sentences and a key. Where a
// round does not fit into the width cells have one character; where that does not fit either there
// are only sentences.
[[nodiscard]] std::string film_text(const Film& film, const std::string& title,
                                    const TextForm& form);

// The lines without strips: what stands above them, and the sentences.
[[nodiscard]] std::vector<std::string> film_words(const Film& film, const TextForm& form);

}  // namespace tutti::draw
