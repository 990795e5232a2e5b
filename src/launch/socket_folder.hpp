// SPDX-License-Identifier: BSD-3-Clause
// The folder where processes of this user meet (rendezvous.hpp). It belongs to the user, and nobody
// else can enter it.
#pragma once

#include <optional>
#include <string>

#include "launch/descriptor.hpp"

namespace tutti::launch {

// Returns $XDG_RUNTIME_DIR/tutti, or /tmp/tutti-<user id> if that is not set. If another user has
// made something of that name in /tmp, it is the folder /tmp/tutti-<user id>-<random> that
// made_socket_folder() has made in its place. The folder may be missing.
[[nodiscard]] std::string job_socket_folder();
// Returns that folder if somebody can listen there, else nullopt. One that others can enter is an
// error, or has nobody to listen.
enum class UnsafeFolder { is_error, has_nobody };
[[nodiscard]] std::optional<std::string> existing_socket_folder(UnsafeFolder unsafe);
// Returns that folder, which is made if it is missing. All processes of the user get the same.
// Throws Error if it is not safe.
[[nodiscard]] std::string made_socket_folder();

// Returns true if the path still names the file of this descriptor.
[[nodiscard]] bool is_at(const Descriptor& file, const std::string& path);

}  // namespace tutti::launch
