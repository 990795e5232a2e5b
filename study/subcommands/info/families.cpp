// SPDX-License-Identifier: BSD-3-Clause
// Reads families.txt, which is a part of the command. The list of algorithms names the members.
#include "info/families.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "algorithms/families.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "schedule/printer.hpp"
#include "selection/names.hpp"

namespace tutti::tools {
namespace {

using schedule::Generator;

constexpr const char* texts =
#include "families.inc"
    ;

[[noreturn]] void refuse(const std::string& line) {
  base::fail(base::Status::invalid_argument, "families.txt has a line '{}' that is not understood",
             line);
}

// Cuts a text at a separator with spaces around it.
std::vector<std::string> pieces_of(const std::string& text, const std::string& separator) {
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos;
       end = text.find(separator, begin)) {
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

// Reads "broadcast tree:branches=2".
selection::Forced plan_named(const std::string& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) refuse(text);
  return selection::parse_plan(selection::operation_named(text.substr(0, space)),
                               text.substr(space + 1));
}

void take(Family& family, const std::string& key, const std::string& value) {
  if (key == "title") {
    family.title = value;
  } else if (key == "when") {
    family.when = value;
  } else if (key == "steps") {
    family.steps = pieces_of(value, " | ");
  } else if (key == "picture") {
    const std::size_t space = value.rfind(' ');
    const auto ranks = base::number_in<int>(value.substr(space + 1));
    if (!ranks) refuse(value);
    family.picture = plan_named(value.substr(0, space));
    family.ranks = *ranks;
  } else {
    refuse(key);
  }
}

void add_members(std::vector<Family>& all) {
  const auto add = [&all](const Generator& member, const char* name) {
    const auto family = std::find_if(all.begin(), all.end(),
                                     [name](const Family& one) { return one.name == name; });
    if (family == all.end())
      base::fail(base::Status::invalid_argument, "families.txt has no family {}, of {} {}", name,
                 schedule::to_text(member.operation), member.name);
    family->members.push_back(&member);
  };
#define TUTTI_ALGORITHM(operation, name, family, proof) \
  add(algorithms::operation##_##name, #family);
#include "algorithms/registry.def"
#undef TUTTI_ALGORITHM
}

std::vector<Family> read() {
  std::vector<Family> all;
  std::istringstream lines(texts);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("family ")) {
      all.emplace_back().name = line.substr(7);
      continue;
    }
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || all.empty()) refuse(line);
    take(all.back(), line.substr(0, colon), line.substr(colon + 2));
  }
  add_members(all);
  return all;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = read();
  return all;
}

const Family* family_of(const Generator& generator) {
  for (const Family& family : families())
    if (std::find(family.members.begin(), family.members.end(), &generator) != family.members.end())
      return &family;
  return nullptr;
}

}  // namespace tutti::tools
