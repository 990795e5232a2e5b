// SPDX-License-Identifier: BSD-3-Clause
// Safe mode (TUTTI_BSP_SAFE): each process receives all accesses to its memory in a superstep and
// looks for pairs whose result would depend on chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "delivery.hpp"

namespace tutti::bsp {

struct BspMachine;

enum class AccessKind : std::uint32_t {
  put,
  get,
  hpput,
  hpget,
  get_destination,
  hpget_destination
};

// One access to memory of a process. A destination of a get is the caller's own memory: its offset
// is an address, and its slot means nothing.
struct Accessed {
  AccessKind kind;
  std::uint32_t slot;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t content;  // a hash of the data that are written
  std::uint64_t site;     // address of the call in the caller's program
};

class Audit {
 public:
  explicit Audit(const Peers& peers) : peers_(&peers), streams_(peers.count()) {}

  void note(int pid, const Accessed& access, const void* content);
  // Notes the source of bsp_hpput, which must not change before the superstep ends.
  void note_source(const void* source, std::size_t size, std::uint64_t site);
  // Looks for conflicts at the end of a superstep; all processes must call it. Returns what is
  // wrong in this process's memory, or "".
  [[nodiscard]] std::string check_rules(const BspMachine& machine);
  // Forgets the accesses. All processes must have returned from check_rules().
  void clear() {
    for (Stream& stream : streams_) stream.clear();
  }

 private:
  struct Source {
    const void* address;
    std::size_t size;
    std::uint64_t content;
    std::uint64_t site;
  };
  [[nodiscard]] std::string changed_source() const;

  const Peers* peers_;
  std::vector<Stream> streams_;
  StreamDelivery delivery_;
  std::vector<Source> sources_;
};

// Returns true if all of the memory belongs to this process.
[[nodiscard]] bool is_mapped(const void* address, std::size_t size);
// Returns the address at which the program is loaded, to compare places in it between processes.
[[nodiscard]] std::uint64_t program_address();

}  // namespace tutti::bsp
