// SPDX-License-Identifier: BSD-3-Clause
// Paper 001: the costs of its building blocks beside counted schedules, and the gain of its library
// over the BLACS by the cost model of selection.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "machine/profile.hpp"
#include "machine/topology.hpp"
#include "papers/001/icc_rates.hpp"
#include "papers/001/table2.hpp"
#include "papers/common/declared.hpp"
#include "papers/common/formulas.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "selection/names.hpp"
#include "selection/ranking.hpp"
#include "selection/settings.hpp"
#include "selection/strategies.hpp"
#include "support/request.hpp"

namespace tutti::papers {
namespace icc_costs_items {
namespace {

using schedule::Operation;
using selection::Terms;

constexpr const char* by_terms = "rates of the machine file, strategy";

// The coefficients that a formula gives. Its coefficients of bytes are multiplied by p, so that
// they are integers.
Terms terms_of(const std::string& formulas, const selection::Variables& variables) {
  const auto coefficient = [&](const char* name) {
    return selection::CostFormulas(formulas).given().contains(name)
               ? number_by(formulas, name, variables)
               : 0;
  };
  const auto p = static_cast<double>(variables.at("p"));
  return {coefficient("alpha"), coefficient("beta") / p, coefficient("gamma") / p};
}

void add_terms(Result& result, const std::string& what, const Terms& theirs, const Terms& ours,
               const char* source) {
  result.row(what + ": start-ups", theirs.alpha, ours.alpha, "alpha", source, exact());
  result.row(what + ": bytes", theirs.beta, ours.beta, "n beta", source, exact());
  if (theirs.gamma != 0 || ours.gamma != 0)
    result.row(what + ": combined", theirs.gamma, ours.gamma, "n gamma", source, exact());
}

// Splits text such as "broadcast mst" into its two words.
std::pair<std::string, std::string> two_words(const std::string& text) {
  const std::size_t blank = text.find(' ');
  return {text.substr(0, blank), text.substr(blank + 1)};
}

Result line_costs(const Item& item) {
  Result result;
  for (const int p : {32, 30}) {
    for (const auto& [key, formulas] : item.printed.all()) {
      const auto [operation, algorithm] = two_words(key);
      const schedule::Generator& generator =
          algorithm_named(selection::operation_named(operation), algorithm);
      const schedule::Shape shape{.p = p};
      const schedule::Counts counts = schedule::verify(generator, shape).counts;
      const double parts = generator.buffers(shape).parts;
      const Terms ours{static_cast<double>(counts.alpha), static_cast<double>(counts.beta) / parts,
                       static_cast<double>(counts.gamma) / parts};
      add_terms(result, fmt::format("{}, p = {}", key, p),
                terms_of(std::get<std::string>(formulas), selection::variables_of(shape)), ours,
                "counts of the verifier");
    }
  }
  return result;
}

// The strategies with one factor per dimension: short or long in both.
selection::Strategy strategy_of(const std::string& kind, int rows, int columns) {
  selection::Strategy strategy;
  strategy.factors = {{rows, 1}, {columns, 0}};
  strategy.cut = kind == "long" ? 2 : 0;
  return strategy;
}

// The paper's libraries whose calls we have, with our headers.
Result calls(const Item& item) {
  Result result;
  constexpr std::pair<const char*, const char*> libraries[] = {
      {"icc", "icc"}, {"nx", "nx"}, {"blacs", "tutti_blacs94"}, {"mpi", "mpi"}};
  constexpr const char* operations[] = {"broadcast", "sum to all"};
  for (const auto& [key, header] : libraries) {
    const std::vector<std::string> names = item.printed.texts(key);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = names[i].substr(0, names[i].find('('));
      const bool found = declares(header, name);
      result.row(fmt::format("{}, {}", key, operations[i]), name, found ? Value(name) : Value(), "",
                 found ? fmt::format("declared in {}.h", header) : "");
    }
  }
  result.notes.emplace_back(
      "The header of MPI is that of the MPI which is installed; libtutti-mpi takes over the "
      "functions that it lists.");
  return result;
}

// Tells if the paper prints [log r] in the costs of an algorithm on a mesh.
bool has_brackets(const std::string& key, const std::string& formulas) {
  const bool printed_with_ceilings = key.starts_with("scatter") || key.starts_with("gather") ||
                                     key == "broadcast short" || key == "reduce short";
  return formulas.find("ceil_log2") != std::string::npos && !printed_with_ceilings;
}

enum class Costs { all, with_brackets };

void add_mesh(Result& result, const Item& item, int rows, int columns, Costs which) {
  const selection::Variables variables{{"p", rows * columns}, {"r", rows}, {"c", columns}};
  for (const auto& [key, formulas] : item.printed.all()) {
    if (!std::holds_alternative<std::string>(formulas) || key.starts_with("as printed")) continue;
    if (which == Costs::with_brackets && !has_brackets(key, std::get<std::string>(formulas)))
      continue;
    const auto [operation, kind] = two_words(key);
    add_terms(
        result, fmt::format("{}, {} x {}", key, rows, columns),
        terms_of(std::get<std::string>(formulas), variables),
        selection::cost(selection::operation_named(operation), strategy_of(kind, rows, columns)),
        "terms of the strategy");
  }
}

// Section 3.3.1 prints the term that combining adds with beta. Section 3.2.1 has it with gamma for
// a line of as many nodes.
void say_as_printed(Result& result, const Item& item, int rows, int columns) {
  const selection::Variables variables{{"p", rows * columns}, {"r", rows}, {"c", columns}};
  const std::string& on_line = printed("001-costs").text("reduce_scatter mst");
  const Terms mesh = terms_of(item.printed.text("as printed, reduce_scatter short"), variables),
              line = terms_of(on_line, variables);
  result
      .says(fmt::format("reduce_scatter short, {} x {}: combining adds a term of beta, as printed",
                        rows, columns),
            mesh.beta == line.beta && mesh.gamma == line.gamma, "section 3.2.1, a line")
      .within_paper = true;
}

Result mesh_costs(const Item& item) {
  Result result;
  const int rows = static_cast<int>(item.printed.number("rows"));
  const int columns = static_cast<int>(item.printed.number("columns"));
  add_mesh(result, item, rows, columns, Costs::all);
  say_as_printed(result, item, rows, columns);
  constexpr int few_rows = 3, few_columns = 5;  // no powers of two, so that logarithms are rounded
  add_mesh(result, item, few_rows, few_columns, Costs::with_brackets);
  result.notes.emplace_back(
      "For the distributed combine of short vectors the paper prints the term of combining with "
      "beta where gamma is meant: the rows 'combined' have it with gamma, and a row of its own "
      "has it as printed.");
  result.notes.push_back(fmt::format(
      "On {} x {} nodes are the costs that the paper prints with [log r] and [log c]: they are "
      "taken as rounded up, as in its other formulas.",
      few_rows, few_columns));
  return result;
}

// ---- the comparison on the Paragon ----

constexpr const char* profiles[] = {icc_profile, "paragon-512-R1.3"};

double simulated_time(const machine::Machine& machine, Operation operation,
                      const std::string& strategy, int p, std::int64_t bytes) {
  const selection::Settings settings = selection::parse_settings(strategy);
  return collective_time(machine, algorithm_named(operation, "hybrid"), settings.shape(p), bytes);
}

// Simulates the schedules of both libraries on the machine. The BLACS' trees get the BLACS' rates.
double simulated_ratio(const machine::Machine& machine, const Table2Row& row) {
  machine::Machine blacs = machine;
  blacs.node.alpha = blacs.node.send_alpha = blacs.node.receive_alpha =
      machine.profile.more.at("blacs_alpha").value;
  blacs.node.beta = blacs.node.send_beta = blacs.node.receive_beta =
      machine.profile.more.at("blacs_beta").value;
  blacs.network.link_beta = blacs.node.beta;
  blacs.node.gamma = machine.profile.more.at("blacs_gamma").value;
  const int p = machine.network.topology->nodes();
  return simulated_time(blacs, row.operation, row.shortest.strategy, p, row.bytes) /
         simulated_time(machine, row.operation, row.one_factor.strategy, p, row.bytes);
}

Result table_2(const Item&) {
  Result result;
  for (const char* name : profiles) {
    const machine::Machine simulated = machine::load_machine(name);
    const machine::Profile profile = machine::load(name);
    for (const Table2Row& row : table2(profile)) {
      const auto add = [&](const char* what, double ours, const std::string& source) {
        result
            .row(fmt::format("{}: {}, {} B, {}", name, schedule::to_text(row.operation), row.bytes,
                             what),
                 row.printed, ours, "", source)
            .fitted = std::string_view(name) == profiles[1];
      };
      add("BLACS/iCC", row.blacs / row.one_factor.time,
          fmt::format("cost model, trees over {}", row.one_factor.strategy));
      add("simulated", simulated_ratio(simulated, row), "simulator, the same schedules");
    }
    add_rates(result, profile);
  }
  result.notes.emplace_back(
      "001-nx-broadcast and 001-nx-sum have the columns NX/iCC, 001-mpi-broadcast and 001-mpi-sum "
      "the columns MPI/iCC.");
  result.notes.emplace_back(
      "From the published costs no broadcast ratio can exceed 4.51 (9 log2-steps over twice "
      "511/512) if both libraries have the same rates: the 6.1 and 11.3 printed for 1 MiB need "
      "other rates for the other libraries.");
  result.notes.emplace_back(
      "paragon-512-R1.3 is fitted to this table, paragon-512-R1.2 is not: the first is no test.");
  return result;
}

// The times of iCC that its users were told, from which the rates of the profile are.
Result usenet(const Item& item) {
  Result result;
  const machine::Profile profile = machine::load(profiles[0]);
  const std::vector<Table2Row> model = table2(profile);
  const std::vector<double> bytes = item.printed.numbers("bytes");
  for (const auto& [operation, key] :
       {std::pair{Operation::broadcast, "broadcast"}, std::pair{Operation::allreduce, "sum"}}) {
    const std::vector<double> times = item.printed.numbers(key);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto row = std::find_if(model.begin(), model.end(), [&, op = operation](auto& one) {
        return one.operation == op && static_cast<double>(one.bytes) >= bytes[i];
      });
      const double us =
          selection::time(row->one_factor.terms, selection::rates_of(profile), bytes[i]);
      result
          .row(fmt::format("{}, {} B", key, bytes[i]), times.at(i), us / 1000, "ms",
               fmt::format("cost model, {}", row->one_factor.strategy))
          .fitted = true;
    }
  }
  add_rates(result, profile);
  return result;
}

struct Sides {
  double icc = 0;
  double blacs = 0;
  std::string strategy;
};

// Compares the best strategy with at most one factor per dimension with trees at the BLACS' rates.
Sides sides(Operation operation, int rows, int columns, const machine::Profile& profile,
            double bytes) {
  const selection::Rates rates = selection::rates_of(profile);
  const selection::Rates blacs{profile.more.at("blacs_alpha").value,
                               profile.more.at("blacs_beta").value,
                               profile.more.at("blacs_gamma").value};
  Sides found;
  const double call = profile.more.at("library.call").value;  // the choice of a hybrid
  for (const auto& candidate : one_factor_each(operation, rows, columns, profile)) {
    const double time = call + selection::time(candidate.terms, rates, bytes);
    if (found.strategy.empty() || time < found.icc)
      found = {time, found.blacs, candidate.strategy.name()};
    if (is_short(candidate.strategy)) found.blacs = selection::time(candidate.terms, blacs, bytes);
  }
  return found;
}

Result curve(Operation operation, const std::vector<std::pair<int, int>>& meshes) {
  Result result;
  const machine::Profile profile = machine::load(profiles[0]);
  for (const auto& [rows, columns] : meshes) {
    for (const double bytes : {16., 1024., 16384., 65536., 1048576.}) {
      const Sides found = sides(operation, rows, columns, profile, bytes);
      const std::string where = fmt::format("{} x {}, {} B", rows, columns, bytes);
      const auto curve = [&, r = rows, c = columns](const char* library) {
        return fmt::format("{} on {} x {}", library, r, c);
      };
      result
          .row(where + ": iCC", {}, found.icc, "us", fmt::format("{} {}", by_terms, found.strategy))
          .on(curve("iCC"), bytes);
      result.row(where + ": BLACS", {}, found.blacs, "us", "trees, the BLACS' rates")
          .on(curve("BLACS"), bytes);
      result.row(where + ": BLACS/iCC", {}, found.blacs / found.icc, "", "of these two");
    }
  }
  result.x_axis = "bytes";
  result.scale = draw::Scale::logarithmic;
  add_rates(result, profile);
  result.notes.emplace_back(
      "The figure's points are not in the text of the paper, nor what its axes are: bytes and "
      "times on logarithmic ones are ours. It also has NX and MPI, whose times over iCC's are in "
      "001-nx-broadcast, 001-nx-sum, 001-mpi-broadcast and 001-mpi-sum.");
  return result;
}

Result figure_1(const Item&) {
  return curve(Operation::broadcast, {{16, 32}});
}
Result figure_2(const Item&) {
  return curve(Operation::allreduce, {{16, 32}});
}

Result figure_3(const Item&) {
  Result result = curve(Operation::broadcast, {{1, 32}, {16, 1}});
  const machine::Profile profile = machine::load(profiles[0]);
  const double most = 1048576;
  const auto gain = [&](int rows, int columns) {
    const Sides found = sides(Operation::broadcast, rows, columns, profile, most);
    return found.blacs / found.icc;
  };
  const double all = gain(16, 32);
  for (const auto& [rows, columns] : {std::pair{1, 32}, std::pair{16, 1}}) {
    const double few = gain(rows, columns);
    result.says(fmt::format("{} x {}, 1 MiB: iCC ahead, by less than on 16 x 32", rows, columns),
                few > 1 && few < all, "of the ratios above");
  }
  for (const auto& [rows, columns] : {std::pair{1, 32}, std::pair{16, 1}}) {
    const Sides found = sides(Operation::broadcast, rows, columns, profile, 16);
    result.says_shorter(fmt::format("{} x {}, 16 B: iCC is not the fastest", rows, columns),
                        found.blacs, found.icc, "of the times above",
                        {0.01, 0, "both times have the same terms, and rates of the same source"});
  }
  const Sides whole = sides(Operation::broadcast, 16, 32, profile, 16);
  result.row("16 x 32, 16 B: BLACS/iCC", printed("001-table-2").numbers("broadcast.blacs").front(),
             whole.blacs / whole.icc, "", "of these two",
             {.relative = 0, .absolute = 0.05, .reason = "the ratio is printed with one digit"});
  result.parameters.push_back(
      parameter_of(fmt::format("{} library.call", profile.name), profile.more.at("library.call")));
  result.notes.emplace_back(
      "The paper blames the time that its library takes to choose a hybrid, and does not print it. "
      "Between 8 and 72 us it explains both these figures and the ratio of table 2.");
  return result;
}

// Section 6: for long vectors the gain is proportional to log2(p).
Result gain(const Item& item) {
  Result result;
  const machine::Profile profile = machine::load(profiles[0]);
  const double most = item.printed.number("bytes");
  const auto over_log = [&](int rows, int columns) {
    const Sides found = sides(Operation::broadcast, rows, columns, profile, most);
    return found.blacs / found.icc / std::log2(rows * columns);
  };
  const double whole = over_log(16, 32);
  for (const auto& [rows, columns] : {std::pair{1, 32}, std::pair{16, 1}, std::pair{8, 32}})
    result.row(fmt::format("{} x {}: BLACS/iCC over log2(p), of that on 16 x 32", rows, columns),
               1.0, over_log(rows, columns) / whole, "", by_terms);
  add_rates(result, profile);
  result.notes.emplace_back(
      "The paper names no length: with 16 MiB start-ups of the long algorithm no longer count.");
  return result;
}

constexpr Run runs[] = {
    {"001-gain", gain},         {"001-costs", line_costs},  {"001-mesh-costs", mesh_costs},
    {"001-table-2", table_2},   {"001-figure-1", figure_1}, {"001-figure-2", figure_2},
    {"001-figure-3", figure_3}, {"001-usenet", usenet},     {"001-table-1", calls},
};

}  // namespace
}  // namespace icc_costs_items

std::span<const Run> icc_costs() {
  return icc_costs_items::runs;
}

}  // namespace tutti::papers
