// SPDX-License-Identifier: BSD-3-Clause
// Paper 002: what our PVM answers in a job of seven tasks: how it reduces within a host (figure 5),
// and what the manual pages of the appendix say of results and errors.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "draw/svg.hpp"
#include "machine/topology.hpp"
#include "papers/common/drawn_rounds.hpp"
#include "papers/common/runs.hpp"
#include "pvm/folder.hpp"
#include "support/child.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace pvm_answers_items {
namespace {

constexpr const char* asked = "asked of our PVM in a job of 7 tasks on hosts of 6 and 1";

struct Case {
  int members = 0;
  int native = 0;
  int sends = 0;  // by PVM's own plan, within the host
  int sum = -1;
};
struct Answers {
  std::map<std::string, Case> cases;
  std::string values;                 // of the illustration
  std::map<std::string, int> errors;  // by routine and cause
};

void read(const std::string& line, Answers& answers) {
  std::istringstream words(line);
  std::string first, routine, cause;
  words >> first;
  if (first == "values") {
    std::getline(words >> std::ws, answers.values);
  } else if (first == "error") {
    words >> routine >> cause;
    words >> answers.errors[routine + " " + cause];
  } else if (first == "sum") {
    words >> cause;
    words >> answers.cases[cause].sum;
  } else {
    int native = 0, sends = 0;
    words >> native >> sends;
    Case& one = answers.cases[first];
    one.members += 1;
    one.native += native;
    one.sends += sends;
  }
}

// All entries ask the same job.
const Answers& answers() {
  static const Answers known = [] {
    Answers answers;
    const std::string probe = (pvm_folder() / "bin/pvm-probe").string();
    const ChildCommand command{
        {command_path(), "run", "-n", "7", "--timeout", "60", probe, "cases"},
        {{"TUTTI_HOSTS", "0,0,0,0,0,0,1"}}};
    const int code = read_lines(command, [&](const std::string& line) { read(line, answers); });
    if (code != 0) base::fail(base::Status::system_error, "pvm-probe cases ended with {}", code);
    return answers;
  }();
  return known;
}

// The reduction of `members` tasks, of which all but the last share a host. Where the system
// reduces within that host, PVM does not define the messages there, and none are drawn.
std::string picture_of(const std::string& title, int members, bool native) {
  const int hosts[] = {members - 1, 1};
  schedule::Shape shape;
  shape.p = members;
  shape.factors = hosts;
  traffic::Messages messages =
      traffic::messages_of(algorithm_named(schedule::Operation::reduce, "coordinators"), shape);
  if (native)
    std::erase_if(messages, [&](const traffic::Message& message) {
      return std::max(message.from, message.to) < hosts[0];
    });
  const auto line = machine::parse_topology(fmt::format("line:{}", members));
  return draw::rounds_svg(traffic::routed(std::move(messages), *line), *line, title);
}

// The partition has six nodes in the figure, and another host takes part here. The values are
// powers of two, so that the sum tells who took part.
Result figure_5(const Item& item) {
  Result result;
  constexpr const char* names[] = {"a", "b", "c"};
  constexpr int sums[] = {127, 95, 127};  // of seven tasks; in case b the sixth one is no member
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const Case& one = answers().cases.at(names[i]);
    const std::string name = fmt::format("5 {}, {}", names[i], item.printed.texts("cases").at(i));
    const std::string label = name + ": ";
    result.row(label + "the system's reduction is used", item.printed.texts("native").at(i),
               one.native > 0 ? "yes" : "no", "", asked);
    result.row(label + "messages of PVM within the host", item.printed.numbers("messages").at(i),
               static_cast<double>(one.sends), "", asked, exact());
    result.says(label + "all members and nobody else are in the sum", one.sum == sums[i], asked);
    add_drawing(result, item, picture_of(name, one.members, one.native > 0), names[i]);
  }
  result.notes.emplace_back(
      "The pictures have the members' numbers. The last one is on the second host.");
  result.notes.emplace_back(
      "Our system's reduction is a plan that the runtime chooses for the tasks of the host. A "
      "second host takes part, as in figure 6: on one host alone, members send to the root.");
  return result;
}

Result section_a_3(const Item& item) {
  Result result;
  result.row("instances 0, 1 and 2 sum five integers at root 1", item.printed.text("values"),
             answers().values, "", asked);
  return result;
}

// The codes of pvm3.h.
std::string name_of(int code) {
  constexpr std::pair<int, const char*> names[] = {
      {0, "PvmOk"}, {-2, "PvmBadParam"}, {-20, "PvmNotInGroup"}, {-21, "PvmNoInst"}};
  for (const auto& [number, name] : names)
    if (number == code) return name;
  return fmt::format("{}", code);
}

Result section_a(const Item& item) {
  Result result;
  for (const std::string routine : {"scatter", "gather", "reduce"}) {
    for (const auto& [cause, label] : {std::pair{"outside", "the calling task is not in the group"},
                                       std::pair{"type", "the type of data is not appropriate"}})
      result.row(fmt::format("pvm_{}: {}", routine, label), item.printed.text(cause),
                 name_of(answers().errors.at(routine + " " + cause)), "", asked);
    result.row(fmt::format("pvm_{}: an error of the system", routine), item.printed.text("system"),
               {}, "", "");
  }
  result.row("pvm_reduce: PvmSum of PVM_BYTE, at the root", item.printed.text("type"),
             name_of(answers().errors.at("reduce bytes")), "", asked);
  result.notes.emplace_back(
      "The paper's library returned what ours does, not what its manual pages say.");
  result.notes.emplace_back(
      "The type that is not appropriate is 999, which is no type at all. For pvm_reduce the page "
      "speaks of a type that does not suit the function, as PvmSum and PvmProduct are not for "
      "PVM_BYTE: that is asked as well. No call brings about an error of the system.");
  return result;
}

constexpr Run runs[] = {
    {"002-figure-5", figure_5}, {"002-section-A", section_a}, {"002-section-A.3", section_a_3}};

}  // namespace
}  // namespace pvm_answers_items

std::span<const Run> pvm_answers() {
  return pvm_answers_items::runs;
}

}  // namespace tutti::papers
