// SPDX-License-Identifier: BSD-3-Clause
// The machine that a prediction is for: one that `tutti probe` has measured, one of Krusche's
// thesis, one of a machine file, or given numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bsp_model/model.hpp"

namespace tutti::tools {

struct MachineRequest {
  // A file of tutti probe, MACHINE/LIBRARY/PROCESSES, the name or path of a machine file, or empty.
  std::string name;
  int processes = 0;  // on the machine of a machine file
  std::string access = "each";
  std::string pattern = "random";
  double speed = 1;
  std::optional<double> g{}, l{}, h_half{}, overhead{};  // ns, us, words, words
};

// A machine, and the reasons why its figures may be wrong.
struct Subject {
  BspMachine machine;
  bool is_probed = false;
  int processes = 0;  // 0: unknown
  std::vector<std::string> doubts{};
};

// Throws base::Error if there is no such machine, or if it lacks the wanted figures.
[[nodiscard]] Subject subject_of(const MachineRequest& request);
// This host with so many processes: as `tutti tune` has measured it, or else the built-in
// description of a present-day machine.
[[nodiscard]] Subject host_subject(int processes);

}  // namespace tutti::tools
