// SPDX-License-Identifier: BSD-3-Clause
// The pieces of pictures of films: strips of cells, the messages between two of them, and a legend
// of the marks that were used. The picture of a whole film and the pages that show one round at a
// time are made of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "draw/film.hpp"
#include "draw/film_look.hpp"
#include "draw/rules.hpp"
#include "draw/svg_pen.hpp"

namespace tutti::draw {

class FilmCanvas {
 public:
  // The rows are high enough for all of these scenes.
  // The rows are high enough for all of these scenes. Ranks have numbers only if `labels` has no
  // room for words.
  FilmCanvas(const Film& film, const CellLook& look, std::vector<Scene> scenes, double labels = 54);

 protected:
  static constexpr double margin = 16, heading_height = 36;

  [[nodiscard]] double strip_width() const { return film_.slots * look_.w; }
  // Returns the width between two strips.
  [[nodiscard]] double zone(const Scene& scene) const;
  [[nodiscard]] double row(int rank) const { return rows_ + rank * look_.pitch; }
  [[nodiscard]] double middle(int rank) const { return row(rank) + look_.h / 2; }
  [[nodiscard]] int number(int round) const { return film_.rounds[at(round)].number; }

  void rank_labels(double x);
  // `kind` is a class of the style in svg_pen.cpp.
  void paragraph(const std::string& words, std::string_view kind = "");
  void headed_strip(double x, std::size_t index);
  // Draws the strip after a round, or that it is wrong.
  void strip_after(double x, int round);
  void round(double x, double wide, int round);

  // An entry of the key: a mark and its meaning.
  struct Entry {
    enum class Mark { cell, fresh, plus, lead, wrong, missing } mark;
    std::string words;
    Item example{};  // of a cell
  };
  // Returns entries for the marks that were drawn since the last call.
  [[nodiscard]] std::vector<Entry> key();
  // Draws the mark of an entry at the left of this place.
  void mark(const Entry& entry, Point at);
  void legend();

  const Film& film_;
  Reel reel_;
  CellLook look_;
  double labels_;  // width of the names of the ranks
  std::vector<Rule> rules_;
  std::vector<Scene> scenes_;
  SvgPen pen_{0};
  double width_ = 640, y_ = 0;
  double rows_ = 0;   // top of the cells of rank 0
  double above_ = 0;  // room above that for the blocks of messages

 private:
  [[nodiscard]] bool narrow() const { return look_.w < 20; }
  void fit_rows();
  [[nodiscard]] double chip_width(const Film::Message& message) const;
  // Calls f with each item and its corner. Items of one cell hang below each other.
  template <class F>
  void for_each_item(double x, std::size_t index, F f);
  void strip(double x, std::size_t index);
  void grid(double x);
  // Writes the letter of an item. A partial sum also has the number of its terms, if there is room,
  // and a bar whose ticks say from which ranks they are.
  void label(Point at, const Item& item);
  void wrong_cells(double x, std::size_t index);
  // Draws the blocks of a message as small cells and returns the x where they end.
  double chips(Point at, const Film::Message& message);
  std::vector<DrawnArrow> arrows(double x, double wide, int round);
  void messages(double x, double wide, int round);

  std::map<State, Item> seen_;  // states that are drawn, with the first item of each
  bool follows_ = false, fresh_ = false, plus_ = false, led_ = false;
  bool wrong_ = false, missing_ = false;
};

}  // namespace tutti::draw
