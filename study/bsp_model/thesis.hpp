// SPDX-License-Identifier: BSD-3-Clause
// Tables C.1 to C.9 of Krusche's thesis (paper 003), as printed.
#pragma once

#include <tutti-bspwrapper/paramfile.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tutti::tools {

// Divides a line at this character.
[[nodiscard]] std::vector<std::string> fields_of(const std::string& line, char separator);

// Returns the lines of data/thesis.csv about a machine, in fields. Its kinds are "f", "l" and "g";
// the head of the file names the fields.
[[nodiscard]] std::vector<std::vector<std::string>> thesis_rows(const std::string& kind,
                                                                const std::string& machine);

// A machine with a library and a number of processes, such as skua, PUB, 16.
struct ThesisRun {
  std::string machine, library, processes;
};

// The names under which a machine's tables can be found, such as skua/PUB/4, 10, 16; those of all
// machines if there is none of this name.
[[nodiscard]] std::vector<std::string> thesis_names(const std::string& machine);

// The latency in seconds without communication, after a cyclic shift and after an all-to-all
// exchange. Empty if the thesis has none.
[[nodiscard]] std::optional<std::array<double, 3>> thesis_latencies(const ThesisRun& run);
// `pattern` is "random" or "all-to-all". Only g_inf (seconds), h_half and overhead are set.
[[nodiscard]] std::optional<BSPWrapper::BSPGap> thesis_gap(const ThesisRun& run,
                                                           const std::string& pattern,
                                                           const std::string& access);

}  // namespace tutti::tools
