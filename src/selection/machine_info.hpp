// SPDX-License-Identifier: BSD-3-Clause
// The machine information, which choices use besides the policy: a description of the machine, a
// table of plans, and the number of processors. One process of a job finds them, and the others get
// them from it as text.
#pragma once

#include <string>
#include <string_view>

#include "machine/host.hpp"
#include "selection/choose.hpp"

namespace tutti::selection {

// A file and the value of the environment variable that named it, if one did.
struct Found {
  std::string named;
  machine::Document document;
  friend bool operator==(const Found&, const Found&) = default;
};

struct MachineInfo {
  Found profile, table;
  // The machine whose time a job has that `tutti run --machine` has started, and the topology that
  // it has in place of its own. Plans are chosen as on that machine.
  Found machine{};
  std::string topology{};
  int processors = 0;  // that the job may use; 0: those that this process may use
  // The kind of processor that the profile was measured on, if this machine has another one. Then
  // only the rates between hosts of the profile are used, because the others may be far off.
  std::string other_processor{};
};

// Reads the profile of TUTTI_PROFILE or the file of `tutti tune`, and the table of TUTTI_TABLE.
// Throws Error(bad_environment) if a file cannot be read.
[[nodiscard]] MachineInfo machine_info_of_environment();

// Returns a sentence if the profile is that of another machine; otherwise an empty text.
[[nodiscard]] std::string warning_of(const MachineInfo& machine_info);

// pack() writes the information as one text, and unpack_machine_info() reads it.
[[nodiscard]] std::string pack(const MachineInfo& machine_info);
[[nodiscard]] MachineInfo unpack_machine_info(std::string_view text);

// Makes a chooser. Throws Error that names file and line of what is not understood. A profile may
// hold a table too; the table of TUTTI_TABLE comes first.
[[nodiscard]] Chooser chooser_of(Policy policy, const MachineInfo& machine_info);

}  // namespace tutti::selection
