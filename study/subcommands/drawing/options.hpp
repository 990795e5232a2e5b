// SPDX-License-Identifier: BSD-3-Clause
// The options of `tutti draw`, and its two kinds of pictures.
#pragma once

#include <string>

#include "draw/film_text.hpp"
#include "draw/svg_page.hpp"
#include "support/call.hpp"

namespace tutti::tools {

struct DrawOptions {
  CallOptions call;
  std::string as;
  std::string steps;
  std::string svg;
  std::string html;
  bool force = false;
  bool all = false;
  bool ascii = false;
};

constexpr int most_ranks_of_film = 128;  // more ranks get a map
constexpr int most_ranks_drawn = 1024;

[[nodiscard]] inline draw::Fit fit_of(const DrawOptions& options) {
  return options.all ? draw::Fit::full : draw::Fit::screen;
}
// Asks the terminal for its width and for colours, and the locale for signs beyond ASCII.
[[nodiscard]] draw::TextForm text_form(const DrawOptions& options);

// Returns the number of ranks, which is by default that of the nodes, and at most `most`.
[[nodiscard]] int ranks_on(const CallOptions& call, int nodes, int most);

// Returns true if a picture goes to standard output, where nothing else may then be.
[[nodiscard]] bool takes_output(const DrawOptions& options);
// Says which files were written. Returns false, and says nothing, if none was.
bool say_what_was_written(const DrawOptions& options);

// Each draws, writes or prints, and returns the exit code: 1 if the schedule is wrong, and drawn to
// its fault.
int draw_film(const DrawOptions& options);
int draw_links(const DrawOptions& options);

}  // namespace tutti::tools
