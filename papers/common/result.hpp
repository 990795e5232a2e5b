// SPDX-License-Identifier: BSD-3-Clause
// The result of reproducing a table or figure: the paper's figures, ours, how far they may lie
// apart, and the source of every parameter. papers/common/verdict.hpp derives the state from it.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "papers/common/chart.hpp"

namespace tutti::papers {

// Empty if the paper has no figure, or if we have none.
using Value = std::variant<std::monostate, double, std::string>;

// How far our number may lie from the paper's: the larger one of a part of the paper's number and
// an amount in the row's unit. Texts must be equal. A number other than the default needs a reason
// that is in the paper: a spread that it prints, its rounding, or a word such as "about".
struct Tolerance {
  double relative = 0.1;
  double absolute = 0;
  std::string reason = "the default";
};

// Our number must be the paper's. Numbers that are counted have this tolerance.
[[nodiscard]] inline Tolerance exact(std::string reason = "a count") {
  return {1e-9, 0, std::move(reason)};
}

struct Row {
  std::string label;
  Value paper;
  Value ours;
  std::string unit;    // unit of both; empty for texts and bare numbers
  std::string source;  // the way ours is computed
  Tolerance tolerance;
  bool statement = false;  // the paper says so in words; one that fails contradicts the paper
  bool fitted = false;     // a parameter of ours was fitted to this very number
  bool measured = false;   // ours is a measurement of this machine, which no model has to meet
  // The paper's number is shown because a model takes it or a picture needs it. Nothing of ours is
  // compared with it.
  bool input = false;
  // Ours is the paper's as well: another number of its own, or what its own formula, procedure or
  // table gives. Such a row that fails is an error of the paper.
  bool within_paper = false;
  std::string part{};   // rows of one part are also counted apart, such as "errors of prediction"
  std::string curve{};  // the curve of the exhibit's chart that the numbers belong to, if any
  double at = 0;        // their place on its x axis

  Row& on(std::string name, double x) {
    curve = std::move(name);
    at = x;
    return *this;
  }
};

// A parameter that our figures depend on. A source that names the exhibit itself, such as "fitted:
// to paper 001, table 2", makes the exhibit a fitted one.
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
  // The chart that the rows with a curve make.
  std::string x_axis;
  std::string y_axis = "ratio";  // of rows without a unit
  draw::Scale scale = draw::Scale::linear;
  std::vector<Chart> charts;  // what a figure of the paper shows; may be empty

  Row& row(std::string label, Value paper, Value ours, std::string unit, std::string source,
           Tolerance tolerance = {}) {
    Row& added = rows.emplace_back();
    added.label = std::move(label);
    added.paper = std::move(paper);
    added.ours = std::move(ours);
    added.unit = std::move(unit);
    added.source = std::move(source);
    added.tolerance = std::move(tolerance);
    return added;
  }

  // A number of the paper that is put in, and not compared.
  Row& given(std::string label, Value paper, std::string unit) {
    Row& added = row(std::move(label), std::move(paper), {}, std::move(unit), "");
    added.input = true;
    return added;
  }

  // Marks all rows from this one on.
  void within_paper_from(std::size_t first) {
    for (std::size_t i = first; i < rows.size(); ++i) rows[i].within_paper = true;
  }

  // A statement of the paper's text, which our figures confirm or not.
  Row& says(std::string label, bool holds, std::string source) {
    Row& said = row(std::move(label), "yes", holds ? "yes" : "no", "", std::move(source));
    said.statement = true;
    return said;
  }

  // The statement that one time is shorter than another one. The model's error is a part of the
  // longer time. Times that lie closer together are a tie, which does not confirm the statement.
  Row& says_shorter(std::string label, double shorter, double longer, std::string source,
                    Tolerance error) {
    const double least = error.relative * longer + error.absolute;
    Row& said = says(std::move(label), shorter < longer, std::move(source));
    if (std::abs(longer - shorter) <= least) said.ours = "tie";
    said.tolerance = std::move(error);
    return said;
  }
};

}  // namespace tutti::papers
