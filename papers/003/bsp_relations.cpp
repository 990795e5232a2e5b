// SPDX-License-Identifier: BSD-3-Clause
// Paper 003: what one of its tables says of another one. Both sides of these rows are the thesis's.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bsp_model/thesis.hpp"
#include "papers/003/bsp_communication.hpp"
#include "papers/003/bsp_model.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace bsp_relations_items {
namespace {

constexpr const char* machines[] = {"skua", "argus", "aracari"};
constexpr double rounding = 0.5;  // of the last digit

std::string machine_of(const Item& item) {
  return machines[(item.number.back() - '1') / 3];
}

// ---- rates of processors ----

Tolerance rounded(double value, double last_digit) {
  return {.relative = std::max(Tolerance().relative, rounding * last_digit / value),
          .absolute = 0,
          .reason = "10 %, or the rounding of a time that is printed with one or two digits"};
}

// Table 4.2: F is 1 / f.
Result table_4_2(const Item& item) {
  Result result;
  for (const char* machine : machines) {
    const double ns = item.printed.number(fmt::format("{}.ns", machine));
    result.row(fmt::format("{}: operations", machine),
               item.printed.number(fmt::format("{}.giga", machine)), 1 / ns, "G op/s",
               "1 / f of the same line");
  }
  result.within_paper_from(0);
  return result;
}

constexpr std::pair<const char*, const char*> algorithms[] = {{"standard", "by table"},
                                                              {"bit_parallel", "by bits"}};

// Table 5.3: f is 1 / F, in the unit that it names.
Result table_5_3(const Item& item) {
  Result result;
  for (const char* machine : machines)
    for (const auto& [key, words] : algorithms)
      result.row(fmt::format("{}, {}: time of an operation", machine, words),
                 item.printed.number(fmt::format("{}.{}_ns", machine, key)),
                 1e3 / item.printed.number(fmt::format("{}.{}", machine, key)), "ns",
                 "1 / F of the same line");
  result.within_paper_from(0);
  return result;
}

// Table 5.4: the speedups are ratios of the rates of table 5.3. Those of gno11 stand beside it.
Result table_5_4(const Item& item) {
  Result result;
  const Printed& rates = printed("003-table-5.3");
  for (const char* machine : machines)
    result.row(fmt::format("{}: bits over table", machine), item.printed.number(machine),
               rates.number(fmt::format("{}.bit_parallel", machine)) /
                   rates.number(fmt::format("{}.standard", machine)),
               "", "rates of table 5.3");
  result.row("gno11: bits over table", item.printed.number("gno11"),
             item.printed.number("gno11_bits") / item.printed.number("gno11_table"), "",
             "rates of the same line");
  result.within_paper_from(0);
  result.row("skua: bits over table without blocks", item.printed.number("skua_without_blocks"), {},
             "", "");
  result.notes.emplace_back(
      "The rate of the standard algorithm without blocks on skua is not printed.");
  return result;
}

// Tables C.1, C.4 and C.7: the rate is 1 / f, and the average is that of both rates. The times of
// the file are those of the thesis, in us.
Result speeds(const Item& item) {
  Result result;
  const std::vector<double> printed_rates = item.printed.numbers("mega");
  std::size_t i = 0;
  for (const auto& fields : tools::thesis_rows("f", machine_of(item))) {
    const double us = std::stod(fields[4]), rate = printed_rates.at(i);
    const std::string label = fields[2] + ", " + fields[3];
    result.row(label + ": rate", rate, 1 / us, "M op/s", "1 / f of the same line",
               rounded(us, 0.0001));
    if (fields[3].starts_with("Average"))
      result.row(label + ": mean of both rates", rate,
                 (printed_rates.at(i - 2) + printed_rates.at(i - 1)) / 2, "M op/s",
                 "the two lines above");
    ++i;
  }
  result.within_paper_from(0);
  return result;
}

// ---- the summary ----

// The mean efficiency of a library in some tables, in %.
double efficiency_of(const std::vector<std::string>& tables, const std::string& library) {
  double sum = 0;
  int cells = 0;
  for (const std::string& table : tables)
    for (const BspCell& cell : bsp_cells(table))
      if (cell.library == library) {
        sum += cell.efficiency;
        ++cells;
      }
  return sum / cells;
}

// The number by which a library is judged in a criterion of table 6.1. A lower one is better.
double judged(const CommunicationTables& tables, const std::string& library,
              const std::string& key) {
  if (key == "put_get") return tables.gap(library, {"put", "get"});
  if (key == "send") return tables.gap(library, {"send"});
  if (key == "latency") return tables.latency(library);
  const auto table = [&](BspProgram program) { return bsp_table(program, tables.machine()); };
  if (key == "product")
    return 1 / efficiency_of({table(BspProgram::customized), table(BspProgram::fixed)}, library);
  return 1 /
         efficiency_of({table(key == "standard" ? BspProgram::standard : BspProgram::bit_parallel)},
                       library);
}

constexpr double hardly = 0.005;  // a part of a number: so close that the plain order is left

// Three bullets for the best, one for the worst, and as many for what is close to these. The thesis
// does not print how close that is.
double bullets(double value, double best, double worst, double close) {
  if (value <= (1 + close) * best) return 3;
  return value * (1 + close) >= worst ? 1 : 2;
}

// A row of which the paper alone decides is the same by either reading of what is close.
void add_bullets(Result& result, const std::string& label, double theirs, const char* source,
                 const std::array<double, 2>& by_readings) {
  Row& row = result.row(label + ": bullets", theirs, by_readings[0], "", source, exact());
  row.within_paper = by_readings[0] == by_readings[1];
}

void add_notes_of_bullets(Result& result, int by_order, int depend) {
  result.notes.push_back(fmt::format(
      "Ours are bullets by the means of the thesis's own tables, geometric ones of gaps and "
      "latencies and arithmetic ones of efficiencies. The thesis gives the same number where "
      "results are close, and does not say what is close: {} % are taken here, our reading and not "
      "the paper's. If {} % were, {} of the {} rows would agree; {} rows have another number then, "
      "and only the others are marked as within the paper.",
      100 * Tolerance().relative, 100 * hardly, by_order, result.rows.size(), depend));
  result.notes.emplace_back(
      "A footnote of the thesis to PUB's two bullets for aracari and bits: best performance until "
      "a drop at h = 2048 bytes. A mean of efficiencies has no place for a drop.");
}

Result table_6_1(const Item& item) {
  Result result;
  int by_order = 0, depend = 0;  // rows that agree by the plain order, and rows that it changes
  constexpr std::pair<const char*, const char*> criteria[] = {
      {"put_get", "gap of put and get, tables C"},
      {"send", "gap of send, tables C"},
      {"latency", "latency, tables C"},
      {"product", "efficiencies, tables D and E"},
      {"standard", "efficiencies, table F"},
      {"bit_parallel", "efficiencies, table G"}};
  for (const std::string machine : machines) {
    const CommunicationTables tables(machine);
    for (const auto& [key, source] : criteria) {
      std::vector<double> values;
      for (const std::string& library : tables.libraries())
        values.push_back(judged(tables, library, key));
      const auto [best, worst] = std::ranges::minmax(values);
      const std::vector<double> theirs = item.printed.numbers(fmt::format("{}.{}", machine, key));
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double close = bullets(values[i], best, worst, Tolerance().relative),
                     order = bullets(values[i], best, worst, hardly);
        add_bullets(result, fmt::format("{}, {}, {}", machine, key, tables.libraries()[i]),
                    theirs.at(i), source, {close, order});
        by_order += order == theirs.at(i) ? 1 : 0;
        depend += close == order ? 0 : 1;
      }
    }
  }
  add_notes_of_bullets(result, by_order, depend);
  return result;
}

// Section 4.7: what the product needs on the fast networks.
Result section_4_7(const Item&) {
  Result result;
  const auto most = [](const char* table, const std::string& library, int p) {
    double found = 0;
    for (const BspCell& cell : bsp_cells(table))
      if (cell.p == p && (library.empty() || cell.library == library))
        found = std::max(found, cell.efficiency);
    return found;
  };
  result.says("customised distribution: better than the usual one, mean of skua",
              efficiency_of({"D.1"}, "Oxtool") > efficiency_of({"E.1"}, "Oxtool"),
              "tables D.1 and E.1");
  result.says(
      "skua: MPI has the best efficiencies",
      efficiency_of({"D.1", "E.1"}, "MPISHMEM") >
          std::max(efficiency_of({"D.1", "E.1"}, "Oxtool"), efficiency_of({"D.1", "E.1"}, "PUB")),
      "tables D.1 and E.1");
  result.says("skua: PUB has the worst",
              efficiency_of({"D.1", "E.1"}, "PUB") < efficiency_of({"D.1", "E.1"}, "Oxtool"),
              "tables D.1 and E.1");
  result.says("aracari: the best is Oxtool's",
              efficiency_of({"D.3", "E.3"}, "Oxtool") > efficiency_of({"D.3", "E.3"}, "MPIMPASS"),
              "tables D.3 and E.3");
  result.row("aracari, p = 4: the largest efficiency", 90.0, most("D.3", "", 4), "%", "table D.3",
             {.relative = 0.1, .absolute = 0, .reason = "the text says: up to 90 %"});
  result.says(
      "argus: Oxtool and PUB have an advantage over MPI",
      std::min(efficiency_of({"D.2", "E.2"}, "Oxtool"), efficiency_of({"D.2", "E.2"}, "PUB")) >
          efficiency_of({"D.2", "E.2"}, "MPIMPASS"),
      "tables D.2 and E.2");
  result.within_paper_from(0);
  return result;
}

constexpr Run runs[] = {
    {"003-table-4.2", table_4_2}, {"003-table-5.3", table_5_3},     {"003-table-5.4", table_5_4},
    {"003-table-6.1", table_6_1}, {"003-table-C.1", speeds},        {"003-table-C.4", speeds},
    {"003-table-C.7", speeds},    {"003-section-4.7", section_4_7},
};

}  // namespace
}  // namespace bsp_relations_items

std::span<const Run> bsp_relations() {
  return bsp_relations_items::runs;
}

}  // namespace tutti::papers
