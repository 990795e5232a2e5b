// SPDX-License-Identifier: BSD-3-Clause
// Finds equal rounds of a film, the rule that the messages of a round follow, and the rounds that
// are drawn.
#pragma once

#include <string>
#include <vector>

#include "draw/film.hpp"

namespace tutti::draw {

// A rule says to which ranks every rank r sends. k is a distance, or the one rank that sends or
// receives. A shift goes around the ranks. A step does not: a rank whose receiver would be above
// the last rank does not send.
struct Rule {
  enum class Kind { none, local, step, shift, exchange, all, to_one, from_one } kind = Kind::none;
  int k = 0;
};

// Returns the rules of all rounds. All distances have the same sign, the one with the smaller sum.
[[nodiscard]] std::vector<Rule> rules_of(const Film& film);
// Returns a rule as "r → r + 1", and "" for Kind::none.
[[nodiscard]] std::string to_text(const Rule& rule);

// Says which receivers of a round add the blocks that they get.
enum class Adds { nobody, all, some };
[[nodiscard]] Adds adds(const Film::Round& round);

// A scene is a round with the strip after it, or a gap: rounds that are not drawn, with the strip
// after the last of them.
struct Scene {
  int round = 0;       // index of the round, or of the last one of a gap
  int skipped = 0;     // number of rounds in a gap, 0 for a round
  bool alike = false;  // the rounds of the gap equal the round before it
};

// Returns the scenes of a film. More than four equal rounds in a row become the first two, a gap
// and the last one. If there are still more than `most` scenes, a gap takes the middle. With `most`
// = 0 all rounds are scenes.
[[nodiscard]] std::vector<Scene> scenes_of(const Film& film, std::size_t most);

// Cuts scenes of these widths into bands of at most `most` and returns the first scene of each. A
// band repeats the strip before its first scene, which with its labels is `first` wide. A new band
// also begins at scene `turn`, if it is not 0 and that needs no further band.
[[nodiscard]] std::vector<std::size_t> bands_of(const std::vector<double>& widths, double first,
                                                double most, std::size_t turn);
// Returns the first scene in which not the same receivers add as in the scene before, or 0.
[[nodiscard]] std::size_t turn_of(const Film& film, const std::vector<Scene>& scenes);

}  // namespace tutti::draw
