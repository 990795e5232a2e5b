// SPDX-License-Identifier: BSD-3-Clause
// The papers' figures, read from the files of data/. They are never shown as ours.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tutti::papers {

// The values of one table or figure by their path in the file, such as "i860.system.alpha". The
// elements of a list are "key.0", "key.1" and so on.
class Printed {
 public:
  void set(const std::string& key, std::variant<double, std::string> value) {
    values_[key] = std::move(value);
  }

  // These throw base::Error if there is no such value.
  [[nodiscard]] double number(const std::string& key) const;
  [[nodiscard]] const std::string& text(const std::string& key) const;
  [[nodiscard]] std::vector<double> numbers(const std::string& list) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& list) const;

  [[nodiscard]] bool has(const std::string& key) const { return values_.contains(key); }
  [[nodiscard]] const std::map<std::string, std::variant<double, std::string>>& all() const {
    return values_;
  }

 private:
  [[nodiscard]] const std::variant<double, std::string>& at(const std::string& key) const;

  std::map<std::string, std::variant<double, std::string>> values_;
};

enum class Kind { table, figure, statement };
// In the order in which they are asked for (verdict.hpp). Data can declare the first four.
enum class State {
  impossible,   // nothing can be compared; the data say why
  open,         // what would be compared is not there yet
  drawn,        // ours is shown, and the paper prints nothing that a model could give
  beyond,       // the paper conjectures it, and nobody ran it: ours is shown
  erratum,      // the paper contradicts itself: both sides of the rows that fail are its own
  contradicts,  // a statement of the paper's fails, or more than a quarter of the rows
  fitted,       // a parameter comes from these very numbers
  agrees,       // each row lies within its tolerance
  partly        // all else
};

// A question that was asked too strictly at first, and the sentence of the paper, in our words,
// that the new one follows. All are empty for most items.
struct Reworded {
  std::string before, now, paper;
};

// A table, a figure, or a statement of the text that has figures in it.
struct Item {
  std::string name;   // "000-table-9", "001-costs"
  std::string paper;  // "000"
  Kind kind = Kind::table;
  std::string number;  // the paper's own number
  std::string subject;
  std::optional<State> declared;  // impossible, open, drawn or beyond
  std::string why;                // the reason for that, or for a contradiction
  // A contradiction waits for the paper's own programs in the simulator, or not; empty if there is
  // none.
  std::optional<bool> virtual_time;
  bool time = false;   // it is about times, not only about structure and counts
  bool added = false;  // it is none of the first 217 names
  Reworded reworded;
  std::string headline;  // the row that stands for a headline of its paper; empty for most items
  std::vector<std::string> same_numbers;  // exhibits whose numbers it shows, such as its tables
  Printed printed;
};

struct Paper {
  std::string name;
  std::string title;
  std::vector<Item> items;  // in the order of the file
};

// All papers. Throws base::Error if a file has a mistake.
[[nodiscard]] const std::vector<Paper>& papers();

// Returns the values of an item. Throws base::Error if no item has this name.
[[nodiscard]] const Printed& printed(std::string_view item);

// A chart of a paper by the name of its file, without the comments at its top.
[[nodiscard]] std::string chart(std::string_view name);

[[nodiscard]] const char* to_text(Kind kind);
[[nodiscard]] const char* to_text(State state);

}  // namespace tutti::papers
