// SPDX-License-Identifier: BSD-3-Clause
// Memory of another process as it is now, while the superstep runs (bsp_direct_get). Processes of
// one host read it in place. Between hosts the other process sends it from inside of a call of
// BSPlib.
#pragma once

#include <tutti/tutti.h>

#include <cstddef>
#include <cstdint>

namespace tutti::bsp {

struct BspMachine;
struct Peers;
struct Remote;

// Allows the other processes of the host to read this one's memory, where the system asks for that.
void allow_reading(const Peers& peers);

// Copies bytes from an offset in memory that another process has registered.
void fetch(BspMachine& mine, int pid, const Remote& remote, std::size_t offset, void* destination,
           std::size_t size);

// Waits for a started collective. Where processes cannot read each other's memory, others may need
// this one before they join the collective, so it answers them meanwhile.
void complete(const char* routine, tutti_request request);
// Returns when no process of the machine waits any more for memory of another. Blocking collectives
// other than the end of a superstep are called after it.
void meet(const char* routine, const Peers& peers);

}  // namespace tutti::bsp
