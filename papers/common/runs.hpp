// SPDX-License-Identifier: BSD-3-Clause
// The functions that compute our figures. Each file that has some lists them here by the name of
// their item.
#pragma once

#include <span>
#include <string_view>

#include "papers/common/printed.hpp"
#include "papers/common/result.hpp"

namespace tutti::tools {}

namespace tutti::papers {

using namespace tools;  // measuring and printing are parts of the command

// A run computes its figures by a model, or measures them here. An exhibit may have a run of each
// kind.
enum class Side {
  model,  // computed: the same in every run of the command, decides the state of the exhibit
  here,   // measured on this machine: stands beside the paper's
};

struct Run {
  std::string_view item;
  Result (*run)(const Item&);
  Side side = Side::model;
};

[[nodiscard]] std::span<const Run> blacs_costs();  // paper 000: fits, predictions and their errors
[[nodiscard]] std::span<const Run> blacs_ids();    // paper 000: message ids
[[nodiscard]] std::span<const Run> blacs_measured();     // paper 000: times, on this machine
[[nodiscard]] std::span<const Run> blacs_names();        // paper 000: names, scopes, grids
[[nodiscard]] std::span<const Run> blacs_pictures();     // paper 000: senders and receivers
[[nodiscard]] std::span<const Run> blacs_relations();    // paper 000: its messages by the systems'
[[nodiscard]] std::span<const Run> blacs_rings();        // paper 000: combines on one medium
[[nodiscard]] std::span<const Run> blacs_statements();   // paper 000: sections 4.3 and 5.4
[[nodiscard]] std::span<const Run> blacs_sums();         // paper 000: sums, simulated
[[nodiscard]] std::span<const Run> blacs_topologies();   // paper 000: steps and times of topologies
[[nodiscard]] std::span<const Run> icc_costs();          // paper 001: formulas, table 2, figures
[[nodiscard]] std::span<const Run> icc_rivals();         // paper 001: NX and MPI in table 2
[[nodiscard]] std::span<const Run> icc_statements();     // paper 001: conflicts, hybrids
[[nodiscard]] std::span<const Run> icc_measured();       // paper 001: on this machine
[[nodiscard]] std::span<const Run> pvm_answers();        // paper 002: what a job of our PVM answers
[[nodiscard]] std::span<const Run> pvm_groups();         // paper 002
[[nodiscard]] std::span<const Run> pvm_paragon();        // paper 002: sums on a Paragon
[[nodiscard]] std::span<const Run> pvm_measured();       // paper 002: on this machine
[[nodiscard]] std::span<const Run> exchange_charts();    // paper 004: schedules
[[nodiscard]] std::span<const Run> exchange_messages();  // paper 004: sections 3 and 4
[[nodiscard]] std::span<const Run> exchange_paths();     // paper 004: routes
[[nodiscard]] std::span<const Run> exchange_times();     // paper 004: messages, simulated
[[nodiscard]] std::span<const Run>
exchange_implementations();                           // paper 004: sections 5 and 6, simulated
[[nodiscard]] std::span<const Run> exchange_plots();  // paper 004: figures 10-13, simulated
[[nodiscard]] std::span<const Run>
exchange_statements();                                   // paper 004: what its text says, simulated
[[nodiscard]] std::span<const Run> exchange_beyond();    // paper 004: what it conjectures
[[nodiscard]] std::span<const Run> exchange_measured();  // paper 004: on this machine
[[nodiscard]] std::span<const Run> bsp_probe();          // paper 003: the probe, on this machine
[[nodiscard]] std::span<const Run> bsp_subsequences();   // paper 003: two sequential algorithms
[[nodiscard]] std::span<const Run> bsp_applications();   // paper 003: its programs, on this machine
[[nodiscard]] std::span<const Run> bsp_tables();         // paper 003: appendices D to G
[[nodiscard]] std::span<const Run> bsp_figures();        // paper 003: chapters 4 and 5, drawn
[[nodiscard]] std::span<const Run> bsp_speedups();       // paper 003: speedups of long strings
[[nodiscard]] std::span<const Run> bsp_statements();     // paper 003: statements of the text
[[nodiscard]] std::span<const Run> bsp_communication();  // paper 003: sections 3.2 and 3.3
[[nodiscard]] std::span<const Run> bsp_relations();      // paper 003: its tables by other ones
[[nodiscard]] std::span<const Run> bsp_libraries();      // paper 003: its comparisons of libraries

// Null if there is no such run.
[[nodiscard]] const Run* run_of(std::string_view item, Side side);

// All runs, file by file.
[[nodiscard]] std::span<const std::span<const Run>> all_runs();

}  // namespace tutti::papers
