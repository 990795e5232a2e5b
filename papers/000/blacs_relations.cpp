// SPDX-License-Identifier: BSD-3-Clause
// Paper 000, tables 5 and 6: what the messages of the BLACS cost, from those of the systems. Where
// sends of the system wait for their receives, the BLACS copy each message first (section 3.3).
#include <optional>
#include <string>

#include "papers/000/blacs_model.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace blacs_relations_items {
namespace {

void add_line(Result& result, const std::string& who, const Printed& table, const std::string& key,
              const std::optional<Line>& ours, const char* source) {
  const char* by = ours ? source : "";
  result.row(who + ", start-up", table.number(key + ".alpha"), ours ? Value(ours->alpha) : Value(),
             "us", by);
  result.row(who + ", per double", table.number(key + ".beta"), ours ? Value(ours->beta) : Value(),
             "us", by);
}

// Unforced messages of the iPSC/860, by the law that paper 004 prints for a path of one link.
Line law_of_paper_004() {
  const Printed& law = printed("004-figure-2");
  return {law.number("unforced.alpha") + law.number("unforced.hop"),
          8 * law.number("unforced.beta")};
}

// `part` is the line of a machine that the table has, and `law` that of the i860 by another paper.
Result relations(const Item& item, Line BlacsMachine::*part, const std::optional<Line>& law) {
  Result result;
  for (const BlacsMachine& machine : blacs_machines()) {
    add_line(result, machine.name + ", system", item.printed, machine.key + ".system",
             machine.key == "i860" ? law : std::nullopt, "the law of paper 004, section 2.2");
    if (item.printed.has(machine.key + ".local.alpha"))
      add_line(result, machine.name + ", system, locally blocking", item.printed,
               machine.key + ".local", {}, "");
    add_line(result, machine.name + ", BLACS", item.printed, machine.key + ".blacs",
             machine.*part + machine.copy,
             machine.copy.beta == 0 ? "the system's line" : "the system's line, and Tm of table 7");
  }
  result.notes.emplace_back(
      "What a message of the system takes is a measurement, for which no paper has another number "
      "but that of the iPSC/860: these rows are missing. Such programs as the paper's are timed "
      "here, shortly for this entry, and in full by `tutti reproduce --measure 000`.");
  return result;
}

Result table_5(const Item& item) {
  return relations(item, &BlacsMachine::complete, law_of_paper_004());
}
Result table_6(const Item& item) {
  return relations(item, &BlacsMachine::send, std::nullopt);
}

constexpr Run runs[] = {{"000-table-5", table_5}, {"000-table-6", table_6}};

}  // namespace
}  // namespace blacs_relations_items

std::span<const Run> blacs_relations() {
  return blacs_relations_items::runs;
}

}  // namespace tutti::papers
