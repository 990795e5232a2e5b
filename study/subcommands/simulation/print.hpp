// SPDX-License-Identifier: BSD-3-Clause
// Declares how results of `tutti simulate` are printed, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "draw/timeline.hpp"
#include "simulation/request.hpp"
#include "support/table.hpp"

namespace tutti::tools {

// The outcomes of one setting, by size and then in the order of the candidates.
struct SimulateResult {
  Setting setting;
  std::vector<Outcome> outcomes;
};

// Returns for example "alltoall on ipsc860, hypercube:5, 32 ranks".
[[nodiscard]] std::string title_of(const Setting& setting);

[[nodiscard]] std::string sweep_text(const std::vector<SimulateResult>& results);
[[nodiscard]] std::string sweep_csv(const std::vector<SimulateResult>& results);
// Includes what ranks and links did only if there is one outcome, and its time line if it is not
// null.
[[nodiscard]] nlohmann::json sweep_json(const std::vector<SimulateResult>& results,
                                        const draw::TimeLine* line);

// Compares the machines on which a recorded run was replayed.
[[nodiscard]] std::string replays_text(const std::vector<SimulateResult>& results);

// Prints everything about one outcome.
[[nodiscard]] std::string outcome_text(const Setting& setting, const Outcome& outcome);

// Returns the name of what ran, with its synchronisation if the setting replaces that.
[[nodiscard]] std::string name_of(const Setting& setting, const Outcome& outcome);

// Shows the fastest candidate for each size and setting, by the longest time of all runs.
[[nodiscard]] std::string map_text(const std::vector<SimulateResult>& results);
// A row for each of them, for CSV and JSON, with this head above their times.
[[nodiscard]] Table map_table(const std::vector<SimulateResult>& results, const std::string& time);

// Returns the name of the link with this index in the topology, such as "010->000" or "bus".
[[nodiscard]] std::string link_name(const Setting& setting, int index);

}  // namespace tutti::tools
