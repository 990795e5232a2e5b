// SPDX-License-Identifier: BSD-3-Clause
// The result of reproducing a table or figure: the paper's figures, ours, and the source of every
// parameter.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tutti::papers {

// Empty if the paper has no figure, or if we have none.
using Value = std::variant<std::monostate, double, std::string>;

struct Row {
  std::string label;
  Value paper;
  Value ours;
  std::string unit;    // unit of both; empty for texts and bare numbers
  std::string source;  // the way ours is computed
};

// A parameter that our figures depend on.
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
  std::string picture;  // text in the form of `tutti draw`; may be empty

  void row(std::string label, Value paper, Value ours, std::string unit, std::string source) {
    rows.push_back(
        {std::move(label), std::move(paper), std::move(ours), std::move(unit), std::move(source)});
  }
};

}  // namespace tutti::papers
