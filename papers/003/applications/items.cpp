// SPDX-License-Identifier: BSD-3-Clause
// Shows runs of the programs here beside the tables and figures of chapters 4 and 5 and appendices
// D to G. All entries share one measurement.
#include "papers/003/applications/items.hpp"

#include <fmt/format.h>

#include <memory>

#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace bsp_applications_items {
namespace {

constexpr const char* by_programs = "tutti-matmul and tutti-llcs on our BSPlib";

std::unique_ptr<Applications>& chosen() {
  static std::unique_ptr<Applications> applications;
  return applications;
}

const Applications& here() {
  std::unique_ptr<Applications>& all = chosen();
  if (!all)
    all = std::make_unique<Applications>(
        measure_applications(brief_app_plan(), [](double, const std::string&) {}));
  return *all;
}

void add_notes(Result& result) {
  result.notes.push_back("Measured on " + here().machine);
  if (here().plan == brief_app_plan().name)
    result.notes.emplace_back(
        "A short run gives rough figures. `tutti reproduce --measure 003` measures more sizes, "
        "blocks and processes, and draws them.");
}

// A build without a BLAS has no tutti-matmul.
void add_missing(Result& result, const std::string& program) {
  result.row("here", {}, "tutti-" + program + " is not built", "", by_programs);
}

Result lines(BspProgram program) {
  Result result;
  for (const AppLine& line : lines_of(here(), program)) {
    const std::string who = fmt::format("here, p = {}, {} = {}", line.p,
                                        is_product(program) ? "q" : "alpha", line.parameter);
    result.row(who + ", efficiency", {}, line.efficiency, "%", by_programs);
    result.row(who + ", error with g constant", {}, line.plain, "%", by_programs);
    result.row(fmt::format("{}, error with {}", who, words_of(extended_model(program))), {},
               line.extended, "%", by_programs);
    result.row(who + ", error of the sums by process", {}, line.by_process, "%", by_programs);
  }
  if (result.rows.empty()) add_missing(result, is_product(program) ? "matmul" : "llcs");
  add_notes(result);
  return result;
}

template <BspProgram program>
Result lines_here(const Item&) {
  return lines(program);
}

Result speed(const Item&) {
  Result result;
  const double f = f_of(here(), BspProgram::customized);
  if (f > 0)
    result.row("here, f", {}, f * 1e9, "ns", "tutti-matmul on one process");
  else
    add_missing(result, "matmul");
  add_notes(result);
  return result;
}

constexpr auto blocks = lines_here<BspProgram::customized>, squares = lines_here<BspProgram::fixed>,
               standard = lines_here<BspProgram::standard>,
               bits = lines_here<BspProgram::bit_parallel>;

constexpr Run runs[] = {
    {"003-table-4.2", speed, Side::here},      {"003-figure-4.3", speed, Side::here},
    {"003-table-D.1", blocks, Side::here},     {"003-table-D.2", blocks, Side::here},
    {"003-table-D.3", blocks, Side::here},     {"003-table-E.1", squares, Side::here},
    {"003-table-E.2", squares, Side::here},    {"003-table-E.3", squares, Side::here},
    {"003-table-F.1", standard, Side::here},   {"003-table-F.2", standard, Side::here},
    {"003-table-F.3", standard, Side::here},   {"003-table-G.1", bits, Side::here},
    {"003-table-G.2", bits, Side::here},       {"003-table-G.3", bits, Side::here},
    {"003-figure-4.4", blocks, Side::here},    {"003-figure-4.5", blocks, Side::here},
    {"003-figure-4.6", blocks, Side::here},    {"003-figure-4.7", blocks, Side::here},
    {"003-figure-4.8", blocks, Side::here},    {"003-figure-4.9", squares, Side::here},
    {"003-figure-4.10", squares, Side::here},  {"003-figure-4.11", blocks, Side::here},
    {"003-figure-5.8", standard, Side::here},  {"003-figure-5.9", standard, Side::here},
    {"003-figure-5.10", standard, Side::here}, {"003-figure-5.11", standard, Side::here},
    {"003-figure-5.12", standard, Side::here}, {"003-figure-5.13", bits, Side::here},
    {"003-figure-5.14", bits, Side::here},     {"003-figure-5.15", bits, Side::here},
    {"003-figure-5.16", bits, Side::here},
};

}  // namespace
}  // namespace bsp_applications_items

void use_applications(Applications applications) {
  bsp_applications_items::chosen() = std::make_unique<Applications>(std::move(applications));
}

std::span<const Run> bsp_applications() {
  return bsp_applications_items::runs;
}

}  // namespace tutti::papers
