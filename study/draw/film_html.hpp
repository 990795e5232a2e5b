// SPDX-License-Identifier: BSD-3-Clause
// Writes a film as a page that shows one round at a time.
#pragma once

#include <string>

#include "draw/film.hpp"

namespace tutti::draw {

// Returns a page that needs no other file: a step for the start and one for each round, with what
// ranks hold before and after it, the messages, and the sentence of its phase. Buttons, a slider
// and keys go forth and back. Without scripts all steps stand below each other. The text is XML,
// too.
[[nodiscard]] std::string film_html(const Film& film, const std::string& title);

}  // namespace tutti::draw
