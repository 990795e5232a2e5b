// SPDX-License-Identifier: BSD-3-Clause
// Transfers between a file and a list of buffers, transfers at an offset that leave the position of
// the node as it is, and what is known of a file. All functions throw CallFailure.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <optional>
#include <span>

struct estat;

namespace tutti::nx {

// Returns the list that a program has given.
[[nodiscard]] std::span<const iovec> checked_list(const iovec* list, int n);

// A transfer begins at an offset from the beginning of the file, or at the node's position, which
// then moves on.
using Offset = std::optional<long>;

// Return how many bytes were read, which are fewer at the end of the file, or written.
[[nodiscard]] long read_list(int file, Offset offset, std::span<const iovec> list);
long write_list(int file, Offset offset, std::span<const iovec> list);

// Looks at the file of a path or at the one that a symbolic link is, or at an open file.
enum class SymbolicLink : std::uint8_t { followed, itself };
void tell_state(const char* path, SymbolicLink link, struct estat* state);
void tell_state(int file, struct estat* state);

}  // namespace tutti::nx
