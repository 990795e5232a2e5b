// SPDX-License-Identifier: BSD-3-Clause
// Writes charts as text.
#include <fmt/format.h>

#include <algorithm>

#include "draw/chart.hpp"

namespace tutti::draw {
namespace {

using machine::Topology;

constexpr int last_letter_step = 32;  // its letter is w, because x marks usage

enum class HeaderPart { labels, rule };

std::size_t cell_width(const Chart& chart) {
  const bool narrow = chart.marks == Marks::usage || chart.steps <= last_letter_step;
  return narrow ? 1 : fmt::formatted_size("{}", chart.steps);
}

class Writer {
 public:
  Writer(const Chart& chart, const Topology& topology) : chart_(chart), topology_(topology) {
    const auto ports = static_cast<std::size_t>(topology.ports());
    const std::size_t cell = cell_width(chart);
    const std::size_t cells = ports * cell + (cell > 1 && ports > 0 ? ports - 1 : 0);
    group_width_ = std::max(topology.label(0).size(), cells);
    label_width_ = 2 * topology.label(0).size() + 2;
  }

  std::string write() {
    line([&](const Chart::Group& group) { return header(group, HeaderPart::labels); }, 0);
    const std::size_t groups = chart_.halves.front().size();
    for (std::size_t g = 0; g < groups; ++g) {
      if (!chart_.exchanges)
        line([&](const Chart::Group& group) { return header(group, HeaderPart::rule); }, g);
      std::size_t rows = 0;
      for (const auto& half : chart_.halves) rows = std::max(rows, half[g].rows.size());
      for (std::size_t r = 0; r < rows; ++r)
        line([&](const Chart::Group& group) { return row(group, r); }, g);
    }
    return std::move(text_);
  }

 private:
  // Writes one line of all halves, with four blanks between them and none at the end.
  template <class Part>
  void line(const Part& part, std::size_t group) {
    std::string whole;
    for (const auto& half : chart_.halves)
      whole += (whole.empty() ? "" : "    ") + part(half[group]);
    whole.erase(whole.find_last_not_of(' ') + 1);
    text_ += whole + "\n";
  }

  // Returns the labels of the columns, or the rule below them.
  std::string header(const Chart::Group& group, HeaderPart part) const {
    std::string text(label_width_ + 1, ' ');
    for (int node = group.first_node; node <= group.last_node; ++node)
      text += fmt::format(
          " {:<{}}",
          part == HeaderPart::labels ? topology_.label(node) : std::string(group_width_, '-'),
          group_width_);
    return text;
  }

  std::string row(const Chart::Group& group, std::size_t index) const {
    if (index >= group.rows.size()) return std::string(label_width_, ' ');
    const Chart::Row& row = group.rows[index];
    std::string text = row.label + " ";
    for (int node = group.first_node; node <= group.last_node; ++node)
      text += fmt::format(" {:<{}}", cells(row, node), group_width_);
    return text;
  }

  std::string cells(const Chart::Row& row, int node) const {
    std::string text;
    for (int port = 0; port < topology_.ports(); ++port) {
      const int link = topology_.index({node, port});
      const bool used = std::find(row.links.begin(), row.links.end(), link) != row.links.end();
      if (port > 0 && cell_width(chart_) > 1) text += '|';
      text += cell_text(chart_, used ? row.step : 0);
    }
    return text;
  }

  const Chart& chart_;
  const Topology& topology_;
  std::size_t group_width_;
  std::size_t label_width_;
  std::string text_;
};

}  // namespace

std::string cell_text(const Chart& chart, int step) {
  const std::size_t width = cell_width(chart);
  if (step == 0) return std::string(width, '.');
  if (chart.marks == Marks::usage) return "x";
  if (width == 1 && step > 9) return std::string(1, static_cast<char>('a' + step - 10));
  return fmt::format("{:.>{}}", step, width);
}

std::string to_text(const Chart& chart, const Topology& topology) {
  return Writer(chart, topology).write();
}

}  // namespace tutti::draw
