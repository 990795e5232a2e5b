// SPDX-License-Identifier: BSD-3-Clause
// The profile of the machine a program runs on: the one the user names, or the file that `tutti
// tune` wrote.
#pragma once

#include <optional>
#include <string>

#include "machine/profile.hpp"

namespace tutti::machine {

// Where `tutti tune` writes and everybody looks: tutti/host.toml in the user's folder of settings.
// Empty if the user has no such folder.
[[nodiscard]] std::string host_file();

// Reads TUTTI_PROFILE (a name or a path), else host_file() if that exists. Throws Error if the
// profile is not understood.
[[nodiscard]] std::optional<Profile> measured_profile();
// Reads the same file without looking into it.
[[nodiscard]] std::optional<Document> measured_document();

}  // namespace tutti::machine
