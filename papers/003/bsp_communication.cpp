// SPDX-License-Identifier: BSD-3-Clause
// Paper 003, tables C.2 to C.9: what sections 3.2 and 3.3 say of them. Both sides are the thesis's.
#include "papers/003/bsp_communication.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bsp_model/thesis.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace {

double mean_of_logarithms(const std::vector<double>& logarithms) {
  double sum = 0;
  for (const double one : logarithms) sum += one;
  return std::exp(sum / static_cast<double>(logarithms.size()));
}

bool is_among(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

CommunicationTables::CommunicationTables(std::string machine)
    : machine_(std::move(machine)),
      libraries_{"Oxtool", "PUB", machine_ == "skua" ? "MPISHMEM" : "MPIMPASS"} {
  for (const auto& row : tools::thesis_rows("l", machine_)) {
    const bool all = std::ranges::all_of(libraries_, [&](const std::string& library) {
      return tools::thesis_latencies({machine_, library, row[3]}).has_value();
    });
    if (row[2] == "Oxtool" && all) processes_.push_back(row[3]);
  }
}

double CommunicationTables::latency(const std::string& library, const std::string& p,
                                    Latency kind) const {
  const auto found = tools::thesis_latencies({machine_, library, p});
  return 1e6 * found.value().at(static_cast<std::size_t>(kind));
}

double CommunicationTables::latency(const std::string& library) const {
  std::vector<double> logarithms;
  for (const std::string& p : processes_)
    for (const Latency kind : all_latencies)
      logarithms.push_back(std::log(latency(library, p, kind)));
  return mean_of_logarithms(logarithms);
}

bool CommunicationTables::has_lowest(const std::string& library, Latency kind) const {
  return std::ranges::all_of(processes_, [&](const std::string& p) {
    return std::ranges::all_of(libraries_, [&](const std::string& other) {
      return latency(library, p, kind) <= latency(other, p, kind);
    });
  });
}

double CommunicationTables::gap(const std::string& library, const Accesses& accesses) const {
  std::vector<double> logarithms;
  for (const auto& row : tools::thesis_rows("g", machine_))
    if (row[2] == library && is_among(processes_, row[3]) && is_among(accesses, row[5]))
      logarithms.push_back(std::log(1e3 * std::stod(row[6])));
  return mean_of_logarithms(logarithms);
}

double CommunicationTables::beside(const std::string& library, const Accesses& accesses,
                                   Beside column) const {
  const std::size_t field = column == Beside::h_half ? 7 : 8;
  double sum = 0;
  int rows = 0;
  for (const auto& row : tools::thesis_rows("g", machine_)) {
    if (row[2] != library || !is_among(accesses, row[5])) continue;
    sum += std::stod(row.at(field));
    ++rows;
  }
  return sum / rows;
}

namespace bsp_communication_items {
namespace {

constexpr const char *of_lines = "the lines of the table",
                     *of_means = "geometric means of its lines",
                     *of_arithmetic_means = "arithmetic means of its lines";

// Tables C.1 to C.3 are those of skua, and so on.
CommunicationTables tables_of(const Item& item) {
  constexpr const char* machines[] = {"skua", "argus", "aracari"};
  return CommunicationTables(machines[(item.number.back() - '1') / 3]);
}

// ---- section 3.3 ----

void say_latencies_of_skua(Result& result, const CommunicationTables& skua) {
  result.says(
      "after communication, Oxtool has the lowest latency for each p",
      skua.has_lowest("Oxtool", Latency::shift) && skua.has_lowest("Oxtool", Latency::all_to_all),
      of_lines);
  const auto is_worst = [&](const std::string& p, Latency kind) {
    return skua.latency(skua.mpi(), p, kind) >=
           std::max(skua.latency("PUB", p, kind), skua.latency("Oxtool", p, kind));
  };
  result.says("but for all-to-all, MPI has the worst latency for each p",
              std::ranges::all_of(skua.processes(),
                                  [&](const std::string& p) {
                                    return is_worst(p, Latency::empty) &&
                                           is_worst(p, Latency::shift);
                                  }),
              of_lines);
}

void say_latencies_of_argus(Result& result, const CommunicationTables& argus) {
  const double oxtool = argus.latency("Oxtool"), pub = argus.latency("PUB"),
               mpi = argus.latency(argus.mpi());
  result.says("Oxtool has advantages: the lowest mean latency", oxtool < std::min(pub, mpi),
              of_means);
  result.says("MPI has very long ones: more than twice the others' mean",
              mpi > 2 * std::max(oxtool, pub), of_means);
  result.says("PUB: the latency after an all-to-all exchange is lower than after a shift",
              std::ranges::all_of(argus.processes(),
                                  [&](const std::string& p) {
                                    return argus.latency("PUB", p, Latency::all_to_all) <
                                           argus.latency("PUB", p, Latency::shift);
                                  }),
              of_lines);
}

void say_latencies_of_aracari(Result& result, const CommunicationTables& aracari) {
  const std::string& few = aracari.processes().front();
  int lines = 0, pub_first = 0;
  for (const std::string& p : aracari.processes()) {
    if (p == few) continue;
    for (const Latency kind : all_latencies) {
      ++lines;
      pub_first += aracari.latency("PUB", p, kind) <= aracari.latency("Oxtool", p, kind) ? 1 : 0;
    }
  }
  result.says("PUB generally has the lowest latency but for the fewest processors",
              2 * pub_first > lines, of_lines);
  result.says(
      "Oxtool has a lower one for the fewest processors",
      aracari.latency("Oxtool", few, Latency::empty) < aracari.latency("PUB", few, Latency::empty),
      of_lines);
  result.row("MPI over PUB, mean of all lines", 5.0,
             aracari.latency(aracari.mpi()) / aracari.latency("PUB"), "", of_means,
             {.relative = 0, .absolute = 1, .reason = "the text says: 4 to 6 times"});
}

Result latencies(const Item& item) {
  Result result;
  const CommunicationTables tables = tables_of(item);
  if (tables.machine() == "skua") {
    say_latencies_of_skua(result, tables);
  } else if (tables.machine() == "argus") {
    say_latencies_of_argus(result, tables);
  } else {
    say_latencies_of_aracari(result, tables);
  }
  result.within_paper_from(0);
  if (tables.machine() != "skua")
    result.notes.emplace_back(
        "A mean latency is the geometric mean over the three kinds of lines and all numbers of "
        "processors that each library has: the thesis does not say of which lines it speaks.");
  return result;
}

// ---- section 3.2 ----

const Accesses put_get{"put", "get"}, sending{"send"};

void say_gaps_of_skua(Result& result, const CommunicationTables& skua) {
  const auto gap = [&](const std::string& library, const Accesses& accesses) {
    return skua.gap(library, accesses);
  };
  result.says("MPI has the best gap of put and get",
              gap(skua.mpi(), put_get) < std::min(gap("Oxtool", put_get), gap("PUB", put_get)),
              of_means);
  result.says("send is best with Oxtool or PUB",
              gap(skua.mpi(), sending) > std::max(gap("Oxtool", sending), gap("PUB", sending)),
              of_means);
  for (const auto& [name, column] :
       {std::pair{"h_half", Beside::h_half}, std::pair{"o", Beside::o}})
    result.says(fmt::format("{} of send is lower with Oxtool than with PUB", name),
                skua.beside("Oxtool", sending, column) < skua.beside("PUB", sending, column),
                of_arithmetic_means);
}

void say_gaps_of_argus(Result& result, const CommunicationTables& argus) {
  const Accesses all{"put", "get", "send"};
  for (const char* library : {"Oxtool", "PUB"}) {
    result.says(fmt::format("{} has a better gap than MPI", library),
                argus.gap(library, all) < argus.gap(argus.mpi(), all), of_means);
    result.says(fmt::format("{}: put has less overhead than get", library),
                argus.beside(library, {"put", "hpput"}, Beside::o) <
                    argus.beside(library, {"get", "hpget"}, Beside::o),
                of_arithmetic_means);
  }
  const double oxtool = argus.gap("Oxtool", put_get), pub = argus.gap("PUB", put_get);
  result.says("Oxtool and PUB have similar gaps of put and get",
              std::max(oxtool, pub) <= (1 + Tolerance().relative) * std::min(oxtool, pub),
              of_means);
  result.says("PUB's send has a smaller gap than Oxtool's",
              argus.gap("PUB", sending) < argus.gap("Oxtool", sending), of_means);
  result.says("PUB's send has less overhead than Oxtool's",
              argus.beside("PUB", sending, Beside::o) < argus.beside("Oxtool", sending, Beside::o),
              of_arithmetic_means);
}

void say_gaps_of_aracari(Result& result, const CommunicationTables& aracari) {
  const double oxtool = aracari.gap("Oxtool", put_get), pub = aracari.gap("PUB", put_get),
               mpi = aracari.gap(aracari.mpi(), put_get);
  result.says("the best gaps are Oxtool's and MPI's", pub > std::max(oxtool, mpi), of_means);
  result.says("of these two Oxtool has advantages", oxtool < mpi, of_means);
}

Result gaps(const Item& item) {
  Result result;
  const CommunicationTables tables = tables_of(item);
  for (const std::string& library : tables.libraries()) {
    result.row(library + ": gap of put and get, mean", {}, tables.gap(library, put_get), "ns/word",
               of_means);
    result.row(library + ": gap of send, mean", {}, tables.gap(library, sending), "ns/word",
               of_means);
  }
  const std::size_t first = result.rows.size();
  if (tables.machine() == "skua") {
    say_gaps_of_skua(result, tables);
  } else if (tables.machine() == "argus") {
    say_gaps_of_argus(result, tables);
  } else {
    say_gaps_of_aracari(result, tables);
  }
  result.within_paper_from(first);
  result.notes.emplace_back(
      "A mean gap is the geometric mean of the lines of the table with these calls, and a mean "
      "h_half or o the arithmetic one: the thesis does not say of which lines it speaks.");
  if (tables.machine() == "argus")
    result.notes.emplace_back(
        "Similar gaps are taken to be within 10 %, and to be those of put and get, because the "
        "text has PUB's send ahead.");
  if (tables.machine() == "skua")
    result.notes.emplace_back(
        "That PUB's send has slight advantages over Oxtool's is not asked: the thesis does not say "
        "for which exchange, and in the table PUB's gap is the lower one for most random "
        "permutations and the higher one for most exchanges all-to-all.");
  return result;
}

constexpr Run runs[] = {
    {"003-table-C.2", latencies}, {"003-table-C.5", latencies}, {"003-table-C.8", latencies},
    {"003-table-C.3", gaps},      {"003-table-C.6", gaps},      {"003-table-C.9", gaps},
};

}  // namespace
}  // namespace bsp_communication_items

std::span<const Run> bsp_communication() {
  return bsp_communication_items::runs;
}

}  // namespace tutti::papers
