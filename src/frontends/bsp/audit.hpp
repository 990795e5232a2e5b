// SPDX-License-Identifier: BSD-3-Clause
// Safe mode: all accesses of a superstep, told to the process whose memory they touch, which looks
// for pairs whose result would depend on chance.
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

// One access to memory of a process. A destination is the caller's own memory and lies at an
// address, not in a slot.
struct Accessed {
  AccessKind kind;
  std::uint32_t slot;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t content;  // a sum over what is written
  std::uint64_t site;     // in the program of who calls
};

class Audit {
 public:
  explicit Audit(const Peers& peers) : peers_(&peers), streams_(peers.count()) {}

  void note(int pid, const Accessed& access, const void* content);
  // What bsp_hpput reads must not change before the superstep ends.
  void note_source(const void* source, std::size_t size, std::uint64_t site);
  // Called by all at the end of a superstep. What is wrong in this process's memory, or nothing.
  [[nodiscard]] std::string judge(const BspMachine& machine);
  // All have judged.
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

// Whether all of it belongs to this process.
[[nodiscard]] bool is_mapped(const void* address, std::size_t size);
// Where the program is loaded, to compare places in it between processes.
[[nodiscard]] std::uint64_t program_address();

}  // namespace tutti::bsp
