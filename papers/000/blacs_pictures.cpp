// SPDX-License-Identifier: BSD-3-Clause
// Paper 000: its pictures of messages between processes, drawn for eight ranks from the schedules
// that the library runs.
#include <fmt/format.h>

#include <string_view>

#include "papers/000/blacs_model.hpp"
#include "papers/common/drawn_rounds.hpp"
#include "papers/common/formulas.hpp"
#include "papers/common/runs.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace blacs_pictures_items {
namespace {

using schedule::Operation;
using schedule::Shape;

struct Subject {
  const char* figure;
  Operation operation;
  const char* algorithm;
  Shape shape;
};
const Subject subjects[] = {
    {"12", Operation::broadcast, "increasing_ring", {.p = 8}},
    {"13", Operation::broadcast, "decreasing_ring", {.p = 8}},
    {"14", Operation::broadcast, "split_ring", {.p = 8}},
    {"15", Operation::broadcast, "multiring", {.p = 8, .rings = 3}},
    {"16", Operation::broadcast, "hypercube", {.p = 8}},
    {"17", Operation::broadcast, "tree", {.p = 8, .branches = 1}},
    {"18", Operation::broadcast, "tree", {.p = 8, .branches = 2}},
    {"19", Operation::broadcast, "tree", {.p = 8, .branches = 3}},
    {"36", Operation::reduce, "fully_connected", {.p = 5, .branches = 4}},
    {"37", Operation::reduce, "tree", {.p = 8, .branches = 1}},
    {"38", Operation::reduce, "tree", {.p = 8, .branches = 4}},
    {"39", Operation::allreduce, "bidirectional_exchange", {.p = 8}},
};

const Subject& subject_of(const Item& item) {
  for (const Subject& subject : subjects) {
    if (item.number == subject.figure) return subject;
  }
  return subjects[0];
}

bool is_ring(const Subject& subject) {
  return std::string_view(subject.algorithm).ends_with("ring");
}

Result picture(const Item& item) {
  const Subject& subject = subject_of(item);
  const auto& [figure, operation, algorithm, shape] = subject;
  const schedule::Counts counts = counts_of(operation, algorithm, shape);
  Result result = drawn_rounds(item, algorithm_named(operation, algorithm), shape);
  const bool model = item.printed.has("model");
  // The last step of this tree has fewer senders than branches, which the formula leaves out.
  const bool is_bound = item.number == "38";
  const auto root = model ? Value(to_text(time_by(item.printed.text("model"), "root",
                                                  selection::variables_of(shape))))
                          : Value();
  result.row("steps", {}, static_cast<double>(counts.rounds), "", counted);
  result.row("messages", {}, static_cast<double>(counts.messages), "", counted);
  if (is_bound) {
    const schedule::Time& least = counts.root;
    const schedule::Time bound =
        time_by(item.printed.text("model"), "root", selection::variables_of(shape));
    result.says(fmt::format("the destination takes no more of each than {}", to_text(bound)),
                least.complete <= bound.complete && least.operation <= bound.operation &&
                    least.send <= bound.send,
                counted);
  }
  result.row("time of the source or destination", is_bound ? Value() : root, to_text(counts.root),
             "", counted);
  result.row("time of the last processor", {}, to_text(counts.longest), "", counted);
  if (!model)
    result.notes.push_back(
        fmt::format("The figure prints no time. Section {} beside it does: 000-section-{} compares "
                    "the times of the source and of the last processor.",
                    is_ring(subject) ? "4.3.1" : "4.3.2", is_ring(subject) ? "4.3.1" : "4.3.2"));
  if (is_bound) {
    result.notes.emplace_back(
        "The formula of 5.4.1 takes every node to have all its branches: an upper bound here.");
  }
  return result;
}

constexpr Run runs[] = {
    {"000-figure-12", picture}, {"000-figure-13", picture}, {"000-figure-14", picture},
    {"000-figure-15", picture}, {"000-figure-16", picture}, {"000-figure-17", picture},
    {"000-figure-18", picture}, {"000-figure-19", picture}, {"000-figure-36", picture},
    {"000-figure-37", picture}, {"000-figure-38", picture}, {"000-figure-39", picture},
};

}  // namespace
}  // namespace blacs_pictures_items

std::span<const Run> blacs_pictures() {
  return blacs_pictures_items::runs;
}

}  // namespace tutti::papers
