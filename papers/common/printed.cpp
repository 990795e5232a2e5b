// SPDX-License-Identifier: BSD-3-Clause
// Reads the files of data/, which are compiled into tutti-papers.
#include "papers/common/printed.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/error.hpp"
#include "machine/toml_text.hpp"

namespace tutti::papers {
namespace {

struct File {
  std::string_view name;
  std::string_view text;
};
constexpr File paper_files[] = {
#include "reproduce_papers.inc"
};
constexpr File chart_files[] = {
#include "reproduce_charts.inc"
};

constexpr std::array kinds{"table", "figure", "statement"};
constexpr std::array states{"impossible",  "open",   "drawn",  "beyond", "erratum",
                            "contradicts", "fitted", "agrees", "partly"};

template <class... Args>
[[noreturn]] void reject(fmt::format_string<Args...> text, Args&&... args) {
  base::fail(base::Status::invalid_argument, "data of the papers: {}",
             fmt::format(text, std::forward<Args>(args)...));
}

void flatten(Printed& out, const std::string& path, const toml::node& node) {
  const auto below = [&](std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  };
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, value] : *table) flatten(out, below(key.str()), value);
  } else if (const toml::array* list = node.as_array()) {
    for (std::size_t i = 0; i < list->size(); ++i)
      flatten(out, below(std::to_string(i)), *list->get(i));
  } else if (const auto number = node.value<double>()) {
    out.set(path, *number);
  } else if (const auto text = node.value<std::string>()) {
    out.set(path, *text);
  } else {
    reject("{} is neither a number nor a text", path);
  }
}

std::string needed(const toml::table& table, const char* key, const std::string& where) {
  const auto text = table[key].value<std::string>();
  if (!text) reject("{} has no {}", where, key);
  return *text;
}

bool has_mark(const toml::table& table, const char* key) {
  const auto mark = table[key].value<bool>();
  return mark && *mark;
}

// All other states follow from the rows.
std::optional<State> declared(const toml::table& table, const std::string& item) {
  const auto state = table["state"].value<std::string>();
  if (!state) return {};
  for (const State one : {State::impossible, State::open, State::drawn, State::beyond})
    if (*state == to_text(one)) return one;
  reject("{} declares the state '{}', which follows from its rows", item, *state);
}

Item item_of(const std::string& paper, Kind kind, const toml::table& table) {
  Item item;
  item.paper = paper;
  item.kind = kind;
  item.number = needed(table, "number", paper);
  item.name = kind == Kind::statement ? fmt::format("{}-{}", paper, item.number)
                                      : fmt::format("{}-{}-{}", paper, to_text(kind), item.number);
  item.subject = needed(table, "subject", item.name);
  item.declared = declared(table, item.name);
  item.why = item.declared ? needed(table, "why", item.name) : table["why"].value_or(std::string());
  if (const toml::table* words = table["reworded"].as_table())
    item.reworded = {needed(*words, "before", item.name), needed(*words, "now", item.name),
                     needed(*words, "paper", item.name)};
  item.virtual_time = table["virtual_time"].value<bool>();
  item.time = has_mark(table, "time");
  item.added = has_mark(table, "added");
  item.headline = table["headline"].value_or(std::string());
  if (const toml::array* names = table["same_numbers"].as_array())
    for (const toml::node& name : *names) item.same_numbers.push_back(name.value_or(std::string()));
  if (const toml::table* values = table["values"].as_table()) flatten(item.printed, "", *values);
  return item;
}

Paper paper_of(const File& file) {
  const toml::table table = machine::read_toml(file.text, std::string(file.name));
  Paper paper{std::string(file.name), needed(table, "title", std::string(file.name)), {}};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const toml::array* items = table[kinds[kind]].as_array();
    if (items == nullptr) continue;
    for (const toml::node& node : *items) {
      paper.items.push_back(item_of(paper.name, static_cast<Kind>(kind), *node.as_table()));
    }
  }
  return paper;
}

std::vector<Paper> read_all() {
  std::vector<Paper> all;
  for (const File& file : paper_files) all.push_back(paper_of(file));
  return all;
}

}  // namespace

const std::variant<double, std::string>& Printed::at(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) reject("there is no value '{}'", key);
  return found->second;
}

double Printed::number(const std::string& key) const {
  const double* number = std::get_if<double>(&at(key));
  if (number == nullptr) reject("'{}' is no number", key);
  return *number;
}

const std::string& Printed::text(const std::string& key) const {
  const std::string* text = std::get_if<std::string>(&at(key));
  if (text == nullptr) reject("'{}' is no text", key);
  return *text;
}

std::vector<double> Printed::numbers(const std::string& list) const {
  std::vector<double> found;
  while (has(fmt::format("{}.{}", list, found.size())))
    found.push_back(number(fmt::format("{}.{}", list, found.size())));
  return found;
}

std::vector<std::string> Printed::texts(const std::string& list) const {
  std::vector<std::string> found;
  while (has(fmt::format("{}.{}", list, found.size())))
    found.push_back(text(fmt::format("{}.{}", list, found.size())));
  return found;
}

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all = read_all();
  return all;
}

const Printed& printed(std::string_view item) {
  for (const Paper& paper : papers()) {
    for (const Item& candidate : paper.items) {
      if (candidate.name == item) return candidate.printed;
    }
  }
  reject("there is no item '{}'", item);
}

std::string chart(std::string_view name) {
  for (const File& file : chart_files) {
    if (file.name != name) continue;
    std::string_view text = file.text;
    while (text.starts_with('#')) text.remove_prefix(text.find('\n') + 1);
    return std::string(text);
  }
  reject("there is no chart '{}'", name);
}

const char* to_text(Kind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

const char* to_text(State state) {
  return states[static_cast<std::size_t>(state)];
}

}  // namespace tutti::papers
