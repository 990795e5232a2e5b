// SPDX-License-Identifier: BSD-3-Clause
// Draws the call graph of a BSP profile, in which each function is as wide as the time of the
// supersteps below it, and prints the same data as a table.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bsp/profile_cells.hpp"

namespace tutti::tools {
namespace {

struct Function {
  std::string name;
  Sum sum;
  std::vector<std::unique_ptr<Function>> calls;  // in the order of their first supersteps

  Function& called(const std::string& callee) {
    for (const auto& call : calls) {
      if (call->name == callee) return *call;
    }
    calls.push_back(std::make_unique<Function>());
    calls.back()->name = callee;
    return *calls.back();
  }
  [[nodiscard]] double seconds() const { return sum.all.cost.measured; }
};

std::unique_ptr<Function> tree_of(const std::vector<ProfiledStep>& steps,
                                  const BspMachine& machine) {
  auto root = std::make_unique<Function>();
  root->name = "program";
  for (const ProfiledStep& step : steps) {
    Function* at = root.get();
    at->sum.add(step, machine);
    for (std::size_t begin = 0; begin < step.path.size();) {
      const std::size_t end = std::min(step.path.find(';', begin), step.path.size());
      at = &at->called(step.path.substr(begin, end - begin));
      at->sum.add(step, machine);
      begin = end + 1;
    }
  }
  return root;
}

int depth_of(const Function& function) {
  int deepest = 0;
  for (const auto& call : function.calls) deepest = std::max(deepest, depth_of(*call));
  return deepest + 1;
}

constexpr double width = 1200, row_height = 20, letter_width = 7;

void draw(const Function& function, double left, int level, double scale, std::string& text) {
  const double wide = function.seconds() * scale, top = level * row_height;
  const std::string name = escaped(function.name);
  text += fmt::format(
      "<g><title>{}: {} supersteps, {:.2f} us</title><rect class=\"call\" x=\"{:.1f}\" "
      "y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
      name, function.sum.steps, function.seconds() * 1e6, left, top, wide, row_height);
  if (wide > letter_width * static_cast<double>(function.name.size()))
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", left + 3,
                        top + 0.7 * row_height, name);
  text += "</g>\n";
  for (const auto& call : function.calls) {
    draw(*call, left, level + 1, scale, text);
    left += call->seconds() * scale;
  }
}

void list(const Function& function, int level, std::string& text) {
  text += fmt::format("<tr><td class=\"site\" style=\"padding-left: {}em\">{}</td><td>{}</td>{}",
                      1 + 2 * level, escaped(function.name), function.sum.steps,
                      cells_of(function.sum));
  for (const auto& call : function.calls) list(*call, level + 1, text);
}

}  // namespace

std::string call_graph_of(const std::vector<ProfiledStep>& steps, const BspMachine& machine) {
  const auto root = tree_of(steps, machine);
  std::string text = "<h2>Call graph</h2>\n";
  if (root->seconds() > 0) {
    text += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\">\n",
        width, row_height * depth_of(*root));
    draw(*root, 0, 0, width / root->seconds(), text);
    text +=
        "</svg>\n<p>A function is as wide as the time of all supersteps that end below it.</p>\n";
  }
  text +=
      fmt::format("<table id=\"calls\"><tr><th class=\"site\">function</th><th>supersteps</th>{}",
                  columns_of_cells);
  list(*root, 0, text);
  return text + "</table>\n";
}

}  // namespace tutti::tools
