// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes the memory of another process by process_vm_readv and process_vm_writev. Rights
// are never asked for: the two processes must be of one user, and the system must permit it. A
// process believes that only after it has read a number that the other has published, at the
// address that it has published, and has written it back. Handover uses it.
//
// A process id may be used again after its process was waited for, and to write into a stranger
// would be a disaster. So this is done only with processes whose supervisor is their parent. It
// shows the end of a process, and then waits until nobody is within a copy, before it lets the
// system use the id again (launch/roster.cpp).
#pragma once

#include <cstdint>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

// The numbers of this process by which others find out that they reach its memory. They stay where
// they are until the process ends, because another may be about to write there.
class OwnNumbers {
 public:
  OwnNumbers(const Mapping& mapping, int self);
  ~OwnNumbers();
  OwnNumbers(const OwnNumbers&) = delete;
  OwnNumbers& operator=(const OwnNumbers&) = delete;

 private:
  Endpoint* own_;
};

class Reach {
 public:
  // `self` is a slot, `peer` an endpoint of any generation.
  Reach(const Mapping& mapping, int self, int peer)
      : mapping_(&mapping),
        own_(&mapping.endpoint(self)),
        endpoint_(&mapping.endpoint(slot_of(peer))),
        peer_(peer) {}

  [[nodiscard]] int peer() const { return peer_; }
  // Returns true if this process can read and write the memory of the peer.
  [[nodiscard]] bool possible();
  // From now on that is not possible.
  void forbid() { known_ = Known::no; }
  // Returns true if the peer still has the memory of its number: a process may have become another
  // program (exec) since.
  [[nodiscard]] bool still_there() const;

  enum class Result : std::uint8_t {
    copied,
    gone,    // the peer has ended
    refused  // the system refuses, or the memory is not there
  };
  // Each copies between `here` in this process and `there` in the peer.
  [[nodiscard]] Result read(void* here, std::uint64_t there, std::uint64_t bytes) const;
  [[nodiscard]] Result write(const void* here, std::uint64_t there, std::uint64_t bytes) const;

 private:
  template <class Call>
  Result copy(void* here, std::uint64_t there, std::uint64_t bytes, const Call& call) const;
  [[nodiscard]] bool proves() const;

  const Mapping* mapping_;
  Endpoint* own_;
  Endpoint* endpoint_;
  int peer_;
  enum class Known : std::uint8_t { nothing, yes, no } known_ = Known::nothing;
};

// Returns true while a living process may be within a copy from or to the memory of the process
// that has ended in this slot.
[[nodiscard]] bool is_reached(const Mapping& mapping, int slot);

}  // namespace tutti::transport::shm
