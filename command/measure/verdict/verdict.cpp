// SPDX-License-Identifier: BSD-3-Clause
// `tutti verdict` says what a program's collectives have cost, and whether tutti helps it.
#include <fmt/format.h>

#include <memory>

#include "measuring.hpp"
#include "support/answer.hpp"
#include "support/picture.hpp"
#include "support/reporting.hpp"
#include "verdict/report.hpp"

namespace tutti::tools {
namespace {

struct VerdictOptions {
  std::string file, page, curve;
  bool json = false;
};

void write_curves(const VerdictOptions& options, const MpiRecord& record, const Verdict& verdict) {
  const std::vector<draw::Plot> plots = verdict_curves(record, verdict);
  if (plots.empty()) {
    base::fail(
        base::Status::invalid_argument,
        "--curve draws calls with data that were made again, and {} has none; record it with "
        "--compare, too",
        options.file);
  }
  write_picture({options.curve, "--curve", "fewer kinds of calls"},
                draw::plots_text(plots, record.program, options.curve));
}

int show(const VerdictOptions& options) {
  return reporting_errors("verdict", [&] {
    require_one_output(options.json, {{"--html", options.page}, {"--curve", options.curve}});
    const MpiRecord record = read_mpi_record(options.file);
    const Verdict verdict = judge(record);
    if (!options.page.empty()) {
      write_picture({options.page, "--html", "record fewer ranks"}, verdict_page(record, verdict));
      if (options.page == standard_output) return 0;
    }
    if (!options.curve.empty()) write_curves(options, record, verdict);
    if (options.curve == standard_output) return 0;
    if (options.json)
      fmt::print("{}", answer_text("verdict", verdict_json(record, verdict)));
    else
      fmt::print("{}", verdict_text(record, verdict));
    return 0;
  });
}

}  // namespace

void add_verdict(CLI::App& verb, int& code) {
  auto options = std::make_shared<VerdictOptions>();
  verb.add_option("FILE", options->file, "the record, of mpirun tutti mpi --verdict=FILE ./program")
      ->required();
  verb.add_option("--html", options->page, "also write a page with the time line of the ranks")
      ->type_name("PATH");
  verb.add_option(
          "--curve", options->curve,
          "also draw the calls that were made again over their sizes; a page for .html, else "
          "SVG")
      ->type_name("PATH");
  verb.add_flag("--json", options->json, "as JSON");
  verb.callback([options, &code] { code = show(*options); });
}

}  // namespace tutti::tools
