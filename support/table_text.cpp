// SPDX-License-Identifier: BSD-3-Clause
// Lays out tables. Where a line of the terminal is too short, each row takes several lines, and so
// do the heads.
#include "support/table_text.hpp"

#include <algorithm>

namespace tutti::tools {
namespace {

using Line = std::vector<std::string>;
// The columns that stand side by side in one line.
using Group = std::vector<std::size_t>;

constexpr std::size_t indent = 4;  // of a row's further lines

std::vector<Group> groups_of(const std::vector<TextColumn>& columns, const Screen& on) {
  std::vector<Group> groups(1);
  std::size_t used = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t needed = columns[i].before.size() + columns[i].width;
    if (on.width && !groups.back().empty() && used + needed > *on.width) {
      groups.emplace_back();
      used = indent;
    }
    groups.back().push_back(i);
    used += needed;
  }
  return groups;
}

std::string in_column(const std::string& cell, const TextColumn& column, Colours colours) {
  const std::string room(column.width - std::min(column.width, cell.size()), ' ');
  std::string shown = cell;
  if (cell == "NO") shown = painted(cell, Paint::bad, colours);
  if (cell == "yes") shown = painted(cell, Paint::good, colours);
  return column.before + (column.align == Align::left ? shown + room : room + shown);
}

// Returns the cells of a group as a line, without blanks at its end.
std::string side_by_side(const Line& cells, const std::vector<TextColumn>& columns,
                         const Group& group, Colours colours) {
  std::string text;
  for (const std::size_t i : group) text += in_column(cells[i], columns[i], colours);
  return text.erase(text.find_last_not_of(' ') + 1);
}

// Returns a row as lines. The first one is not indented. A text that has a line for itself and is
// too long is broken between words.
std::vector<std::string> lines_of_row(const Line& cells, const std::vector<TextColumn>& columns,
                                      const std::vector<Group>& groups, const Screen& on,
                                      Colours colours) {
  std::vector<std::string> lines{side_by_side(cells, columns, groups.front(), colours)};
  const std::string blanks(indent, ' ');
  for (std::size_t i = 1; i < groups.size(); ++i) {
    const bool alone = groups[i].size() == 1 && columns[groups[i][0]].align == Align::left;
    if (!alone) {
      lines.push_back(blanks + side_by_side(cells, columns, groups[i], colours));
      continue;
    }
    const std::string& cell = cells[groups[i][0]];
    if (cell.empty()) continue;
    const std::size_t room = std::max(*on.width, 2 * indent) - indent;
    for (const std::string& part : lines_of(cell, room)) lines.push_back(blanks + part);
  }
  return lines;
}

}  // namespace

std::string text_of_lines(const std::vector<Line>& lines, std::vector<TextColumn> columns,
                          const std::vector<std::size_t>& best, const Screen& on) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (const Line& line : lines) columns[i].width = std::max(columns[i].width, line[i].size());
  const std::vector<Group> groups = groups_of(columns, on);
  std::string text;
  for (std::size_t row = 0; row < lines.size(); ++row) {
    const bool head = row == 0;
    const bool is_best = !head && std::find(best.begin(), best.end(), row - 1) != best.end();
    const Colours of_cells = head || is_best ? Colours::none : on.colours;
    for (const std::string& line : lines_of_row(lines[row], columns, groups, on, of_cells)) {
      if (head) text += painted(line, Paint::head, on.colours);
      if (is_best) text += painted(line, Paint::good, on.colours);
      if (!head && !is_best) text += line;
      text += '\n';
    }
  }
  return text;
}

}  // namespace tutti::tools
