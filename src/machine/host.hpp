// SPDX-License-Identifier: BSD-3-Clause
// Finds the profile of the machine that a program runs on: the one that the user names, or the file
// that `tutti tune` wrote.
#pragma once

#include <optional>
#include <string>

#include "machine/profile.hpp"

namespace tutti::machine {

// Returns the file that `tutti tune` writes and all programs read: tutti/host.toml in the user's
// folder of settings. Returns an empty text if the user has no such folder.
[[nodiscard]] std::string host_file();

// Reads TUTTI_PROFILE (a name or a path), else host_file() if that exists. Throws Error if the
// profile is not understood.
[[nodiscard]] std::optional<Profile> measured_profile();
// Reads the text of the same file without parsing it.
[[nodiscard]] std::optional<Document> measured_document();

// Returns the kind of processor that `tutti tune` has noted in the profile, if this machine has
// another one; otherwise an empty text. So does a profile that is not understood or has no note.
[[nodiscard]] std::string other_processor(const Document& profile);

}  // namespace tutti::machine
