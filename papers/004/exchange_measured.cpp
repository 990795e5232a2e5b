// SPDX-License-Identifier: BSD-3-Clause
// Paper 004 measured here, by programs of NX: messages (section 2), and the six implementations of
// the complete exchange (section 6). examples/complete_exchange.c and papers/programs/nx/messages.c
// are the programs.
#include <fmt/format.h>

#include <functional>
#include <map>
#include <sstream>
#include <tuple>

#include "base/error.hpp"
#include "papers/common/effort.hpp"
#include "papers/common/runs.hpp"
#include "support/child.hpp"
#include "support/host_facts.hpp"

namespace tutti::papers {
namespace exchange_measured_items {
namespace {

constexpr int most_nodes = 16;

int exchanges() {
  return by_effort(30, 3);
}
std::string measured_by() {
  return fmt::format("{} runs of a program of NX", exchanges());
}

int messages_of_each() {
  return by_effort(20, 3);
}
std::string by_messages() {
  return fmt::format("median of {} messages of NX", messages_of_each());
}

struct Times {
  double longest = 0, mean = 0, shortest = 0, median = 0;
};
using Exchanges = std::map<std::pair<std::string, int>, Times>;  // by implementation and bytes

void read(const std::vector<std::string>& words,
          const std::function<void(std::istringstream&)>& line) {
  const int code = read_lines({words, {}}, [&](const std::string& text) {
    std::istringstream parts(text);
    line(parts);
  });
  if (code != 0) base::fail(base::Status::system_error, "{} ended with {}", words.front(), code);
}

// Returns the times on this many nodes, which are measured once for all items.
const Exchanges& exchanges_on(int nodes) {
  static std::map<int, Exchanges> known;
  Exchanges& found = known[nodes];
  if (!found.empty()) return found;
  read({helper_program("tutti-nx-exchange"), "-sz", std::to_string(nodes),
        std::to_string(exchanges()), by_effort("0.5", "0.01"), "0.001", "16", "64", "4096"},
       [&](std::istringstream& line) {
         std::string name, word;
         int bytes = 0;
         Times times;
         if (line >> name >> bytes >> word >> word >> times.longest >> word >> times.mean >> word >>
             times.shortest >> word >> times.median)
           found[{name, bytes}] = times;
       });
  return found;
}

template <class Body>
void for_each_cube(const Body& body) {
  for (int nodes = 2; nodes <= most_nodes; nodes *= 2) body(nodes, exchanges_on(nodes));
}

const char* yes(bool holds) {
  return holds ? "yes" : "no";
}

void add_note(Result& result) {
  const HostFacts host = host_facts();
  result.notes.push_back(
      fmt::format("Measured on {}, {} processors, {}, {}. With more nodes than "
                  "processors, nodes wait for each other's processor.",
                  host.processor, host.processors, host.system, host.date));
}

Result section_6_2(const Item&) {
  Result result;
  for_each_cube([&](int nodes, const Exchanges& found) {
    for (const int bytes : {16, 64}) {
      const double ratio =
          found.at({"standard_F", bytes}).median / found.at({"standard_U", bytes}).median;
      result.row(fmt::format("p = {}, {} B: standard_F over standard_U, medians", nodes, bytes), {},
                 ratio, "", measured_by());
      result.says(fmt::format("p = {}, {} B: standard_U is the faster", nodes, bytes), ratio > 1,
                  measured_by());
    }
  });
  add_note(result);
  return result;
}

Result section_6_3(const Item&) {
  Result result;
  for_each_cube([&](int nodes, const Exchanges& found) {
    const Times &linear = found.at({"linear", 4096}), &stable = found.at({"stable", 4096});
    result.row(fmt::format("p = {}, 4096 B: linear over stable, longest", nodes), {},
               linear.longest / stable.longest, "", measured_by());
    result.row(fmt::format("p = {}, 4096 B: linear over stable, medians", nodes), {},
               linear.median / stable.median, "", measured_by());
    result.row(fmt::format("p = {}, 4096 B: stable is the faster", nodes),
               nodes >= 32 ? Value("yes") : Value(), yes(linear.longest > stable.longest), "",
               measured_by());
  });
  add_note(result);
  result.notes.emplace_back(
      "The paper says so of 32 to 128 nodes. Here no link is shared, and while a node is idle for "
      "the sake of others, these may lack its processor.");
  return result;
}

Result section_6_4(const Item& item) {
  Result result;
  for_each_cube([&](int nodes, const Exchanges& found) {
    result.row(fmt::format("p = {}, 64 B: pairwise_F over pairwise_U, medians", nodes),
               item.printed.number("u_over_f"),
               found.at({"pairwise_F", 64}).median / found.at({"pairwise_U", 64}).median, "",
               measured_by());
    const Times &with = found.at({"pairwise_F", 4096}), &without = found.at({"pairwise_G", 4096});
    result.row(fmt::format("p = {}, 4096 B: longest less shortest, with pairs", nodes), {},
               with.longest - with.shortest, "us", measured_by());
    result.row(fmt::format("p = {}, 4096 B: longest less shortest, without", nodes), {},
               without.longest - without.shortest, "us", measured_by());
  });
  add_note(result);
  return result;
}

using Key = std::tuple<std::string, int, int>;  // type, or "once"; links or messages; bytes

std::map<Key, double> messages() {
  std::map<Key, double> found;
  read({helper_program("tutti-nx-messages"), "-sz", std::to_string(most_nodes),
        std::to_string(messages_of_each()), "400", "200", "1000", "1000"},
       [&](std::istringstream& line) {
         std::string word, kind;
         int number = 0, bytes = 0;
         double median = 0;
         if (line >> word >> kind >> number >> bytes >> median)
           found[{kind, number, bytes}] = median;
       });
  return found;
}

Result section_2(const Item&) {
  Result result;
  const Printed& law = printed("004-figure-2");
  const std::map<Key, double> found = messages();
  for (const char* type : {"forced", "unforced"}) {
    const double near = found.at({type, 1, 200});
    const double beta = (found.at({type, 1, 400}) - near) / 200;
    const double hop = (found.at({type, 4, 200}) - near) / 3;
    const auto row = [&](const char* what, const char* key, double ours) {
      result.row(fmt::format("{}, {}", type, what), law.number(fmt::format("{}.{}", type, key)),
                 ours, "us", by_messages());
    };
    row("constant", "alpha", near - 200 * beta - hop);
    row("per byte", "beta", beta);
    row("per link", "hop", hop);
  }
  result.row("eight messages of 1000 bytes over one", printed("004-figure-4").number("ratio"),
             found.at({"once", 8, 1000}) / found.at({"once", 1, 1000}), "", by_messages());
  add_note(result);
  result.notes.emplace_back(
      "The paper's eight messages share a link, and it says that they take more than seven times "
      "as long. Here they share processors.");
  return result;
}

constexpr Run runs[] = {
    {"004-section-2", section_2, Side::here},
    {"004-section-6.2", section_6_2, Side::here},
    {"004-section-6.3", section_6_3, Side::here},
    {"004-section-6.4", section_6_4, Side::here},
};

}  // namespace
}  // namespace exchange_measured_items

std::span<const Run> exchange_measured() {
  return exchange_measured_items::runs;
}

}  // namespace tutti::papers
