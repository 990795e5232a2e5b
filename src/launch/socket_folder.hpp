// SPDX-License-Identifier: BSD-3-Clause
// The folder of this user's job sockets. It belongs to the user, and nobody else can enter it.
#pragma once

#include <string>

#include "launch/descriptor.hpp"

namespace tutti::launch {

enum class Folder { missing, safe, open_to_others, foreign };
[[nodiscard]] Folder look_at(const std::string& folder);
// Throws Error unless the folder is safe.
void require_safe(const std::string& folder);

// Returns $XDG_RUNTIME_DIR/tutti, or /tmp/tutti-<user id> if that is not set. If another user has
// made something of that name in /tmp, it is the folder /tmp/tutti-<user id>-<random> that
// made_socket_folder() has made in its place. The folder may be missing.
[[nodiscard]] std::string job_socket_folder();
// Returns that folder, which is made if it is missing. All processes of the user get the same.
// Throws Error if it is not safe.
[[nodiscard]] std::string made_socket_folder();

// Returns true if the path still names the file of this descriptor.
[[nodiscard]] bool is_at(const Descriptor& file, const std::string& path);

}  // namespace tutti::launch
