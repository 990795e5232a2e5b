// SPDX-License-Identifier: BSD-3-Clause
// The tables of paper 003 about its two programs, for this machine.
#include <fmt/format.h>

#include "papers/003/applications/report.hpp"

namespace tutti::papers {
namespace {

MeasuredTable product_speed(const Applications& all) {
  tools::Table table("f ns/operation>0.5f;  F = 1/f G/s>0.3f");
  const double f = f_of(all, BspProgram::customized);
  if (f > 0) table.add({f * 1e9, 1e-9 / f});
  return {
      "table 4.2",
      "the product of matrices on one process",
      std::move(table),
      {"An operation is a multiplication and an addition, as in the paper. The largest matrices "
       "count, and only the time in local products."}};
}

MeasuredTable character_speeds(const Applications& all) {
  tools::Table table("algorithm<0;  f ns/operation>0.6f;  F = 1/f G/s>0.3f");
  for (const auto& [program, name] : {std::pair{BspProgram::standard, "standard"},
                                      std::pair{BspProgram::bit_parallel, "bit-parallel"}}) {
    const double f = f_of(all, program);
    if (f > 0) table.add({name, f * 1e9, 1e-9 / f});
  }
  return {"table 5.3",
          "the common subsequence on one process",
          std::move(table),
          {"An operation compares two characters. Words of the bit-parallel algorithm have 64 "
           "bits."}};
}

MeasuredTable character_speedup(const Applications& all) {
  tools::Table table("speedup of one process>0.1f");
  const double bits = f_of(all, BspProgram::bit_parallel);
  const double standard = f_of(all, BspProgram::standard);
  if (bits > 0 && standard > 0) table.add({standard / bits});
  return {"table 5.4", "bit-parallel over standard", std::move(table), {}};
}

MeasuredTable efficiencies(const Applications& all, BspProgram program, const char* name,
                           const char* title) {
  tools::Table table(fmt::format(
      "p>3;  {}>5;  efficiency %>0.2f;  error %: g constant>0.1f;  {}>0.1f;  by process>0.1f",
      is_product(program) ? "q" : "alpha", words_of(extended_model(program))));
  for (const AppLine& line : lines_of(all, program))
    table.add(
        {line.p, line.parameter, line.efficiency, line.plain, line.extended, line.by_process});
  return {name, title, std::move(table), {}};
}

// G operations per second of the thesis's algorithm with the best q, and of the others.
MeasuredTable flop_rates(const Applications& all) {
  tools::Table table("p>3;  n>6;  blocks>0.2f;  best q>0;  split>0.2f;  SUMMA>0.2f");
  for (const AppRates& rates : all.rates) {
    for (const OtherProduct& other : all.others) {
      if (other.p != rates.p || other.mode != "split") continue;
      const AppRun* best = nullptr;
      for (const AppRun* run : runs_of(all, BspProgram::customized, rates.p))
        if (run->what.n == other.n && (best == nullptr || run->seconds < best->seconds)) best = run;
      if (best == nullptr) continue;
      const double giga = 1e-9 * operations_of(best->what);
      nlohmann::json summa;
      for (const OtherProduct& one : all.others)
        if (one.p == other.p && one.n == other.n && one.mode == "summa") summa = giga / one.seconds;
      table.add({other.p, other.n, giga / best->seconds, best->what.parameter, giga / other.seconds,
                 summa});
    }
  }
  return {"figure 4.11",
          "G multiply-adds per second of the thesis's algorithm and of others",
          std::move(table),
          {"The split and SUMMA of tutti-matmul stand where the paper has PBLAS."}};
}

}  // namespace

std::vector<MeasuredTable> application_tables(const Applications& all) {
  std::vector<MeasuredTable> tables;
  if (f_of(all, BspProgram::customized) > 0) {
    tables.push_back(product_speed(all));
    tables.push_back(efficiencies(all, BspProgram::customized, "table D",
                                  "the product, distributed in its blocks"));
    tables.push_back(efficiencies(all, BspProgram::fixed, "table E",
                                  "the product, distributed in one block for each process"));
    tables.push_back(flop_rates(all));
  }
  if (f_of(all, BspProgram::standard) > 0) {
    tables.push_back(character_speeds(all));
    tables.push_back(character_speedup(all));
    tables.push_back(efficiencies(all, BspProgram::standard, "table F",
                                  "the common subsequence, standard algorithm"));
    tables.push_back(efficiencies(all, BspProgram::bit_parallel, "table G",
                                  "the common subsequence, bit-parallel algorithm"));
  }
  for (MeasuredTable& table : tables)
    if (table.name.ends_with("D"))
      table.notes.emplace_back(
          "Efficiencies are the largest of all sizes, by (4.12). Errors are means over the sizes "
          "of "
          "|predicted - measured| / measured. The first two predictions are those of the thesis: "
          "(4.8), (4.9), (5.3) or (5.5) with f of one process, and g and l of `tutti probe`. The "
          "third adds up what each process does in the supersteps that the program writes before "
          "it runs (--predict), with local computations measured while all processes compute. An "
          "efficiency above 100 % means that one process alone, whose f counts, is slower at an "
          "operation: its blocks leave a cache in which those of several processes stay.");
  return tables;
}

std::string application_text(const Applications& all) {
  return all.machine + "\n" + text_of(application_tables(all));
}

nlohmann::json application_json(const Applications& all) {
  nlohmann::json out = json_of(all);
  out["tables"] = json_of(application_tables(all));
  return out;
}

const MeasuredPage& application_page() {
  static const MeasuredPage page{"003", "bsp-applications.md",
                                 "The programs of paper 003 on this machine"};
  return page;
}

}  // namespace tutti::papers
