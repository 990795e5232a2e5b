// SPDX-License-Identifier: BSD-3-Clause
// Finds the rounds of a film that are alike, the rule that their messages follow, and the rounds
// that are drawn.
#pragma once

#include <string>
#include <vector>

#include "draw/film.hpp"

namespace tutti::draw {

// A rule that gives the receivers of rank r, for every r. k is a distance, or the one rank. A shift
// goes around the ranks. A step does not: ranks that it would lead beyond the last do not send.
struct Rule {
  enum class Kind { none, local, step, shift, exchange, all, to_one, from_one } kind = Kind::none;
  int k = 0;
};

// Returns the rules of all rounds. Distances have one sign: the one with which they are shorter in
// sum.
[[nodiscard]] std::vector<Rule> rules_of(const Film& film);
// "r → r + 1"; empty for Kind::none.
[[nodiscard]] std::string to_text(const Rule& rule);

// Tells which receivers add what they get.
enum class Adds { nobody, all, some };
[[nodiscard]] Adds adds(const Film::Round& round);

// One step of the picture, drawn beside the strip before it: a round and the strip after it, or a
// gap for rounds that are left out and the strip before the next one.
struct Scene {
  int round = 0;       // the round, or the last one of a gap
  int skipped = 0;     // rounds of a gap, else 0
  bool alike = false;  // a gap of rounds like those beside it
};

// Returns the scenes to draw. More than four equal rounds in a row become the first two, a gap and
// the last one. If that still gives more than `most` scenes, there is a gap in the middle as well.
// With `most` 0 all rounds are drawn.
[[nodiscard]] std::vector<Scene> scenes_of(const Film& film, std::size_t most);

// Bands: where lines of scenes begin, as indices. Each band repeats the strip before its first
// scene, `first` wide. If two bands do, the cut is where `turn` says (0: nowhere), if both then
// fit.
[[nodiscard]] std::vector<std::size_t> bands_of(const std::vector<double>& widths, double first,
                                                double most, std::size_t turn);
// The first scene in which receivers no longer add as in the scene before, else 0.
[[nodiscard]] std::size_t turn_of(const Film& film, const std::vector<Scene>& scenes);

}  // namespace tutti::draw
