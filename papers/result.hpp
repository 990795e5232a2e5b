// SPDX-License-Identifier: BSD-3-Clause
// What reproducing a table or figure gives: the paper's figures beside ours, and where every
// parameter comes from.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tutti::papers {

// Nothing where the paper, or we, have no figure.
using Value = std::variant<std::monostate, double, std::string>;

struct Row {
  std::string label;
  Value paper;
  Value ours;
  std::string unit;    // of both; empty for texts and bare numbers
  std::string source;  // what ours is computed by
};

// Something that ours depends on.
struct Parameter {
  std::string name;
  Value value;
  std::string unit;
  std::string source;
};

struct Result {
  std::vector<Row> rows;
  std::vector<Parameter> parameters;
  std::vector<std::string>
      notes;            // a sentence each: what the paper does not say, where it contradicts itself
  std::string picture;  // as `tutti draw` prints it; may be empty

  void row(std::string label, Value paper, Value ours, std::string unit, std::string source) {
    rows.push_back(
        {std::move(label), std::move(paper), std::move(ours), std::move(unit), std::move(source)});
  }
};

}  // namespace tutti::papers
