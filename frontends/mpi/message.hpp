// SPDX-License-Identifier: BSD-3-Clause
// Data of the program as bytes that lie one behind the other. tutti moves data as bytes, because
// the ranks of a call may describe the same data by different types.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "library.hpp"
#include "shorter.hpp"
#include "types.hpp"

namespace tutti::mpi {

// A buffer as a call of MPI describes it.
struct MpiBuffer {
  const void* address;
  Count count;
  MPI_Datatype type;
};

// Returns true if the MPI refuses a buffer that has no address. Open MPI does not look at it and
// ends by a signal, or waits; there tutti refuses it.
constexpr bool refused_without_address(const void* address) {
#if defined(OPEN_MPI)
  static_cast<void>(address);
  return false;
#else
  return address == nullptr;
#endif
}

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using OwnMemory = std::unique_ptr<std::byte, FreeMemory>;
// Returns memory that is aligned for every type; nullptr if there is none.
[[nodiscard]] OwnMemory allocate(Count bytes);

// Elements of one type, with what is known of the type.
struct Elements {
  std::byte* address = nullptr;
  Count count = 0;
  MPI_Datatype handle{};
  const Type* type = nullptr;

  [[nodiscard]] Count bytes() const { return count * type->size; }
  // Leaves the first elements. Returns false if so many bytes are no whole elements, which are
  // then more than the bytes.
  [[nodiscard]] bool shorten(Count to) {
    if (to == bytes()) return true;
    count = (to + type->size - 1) / type->size;
    return count * type->size == to;
  }
  // Copies the data in the order of the type, without holes. Return false if the MPI refuses.
  [[nodiscard]] bool pack(std::byte* to) const;
  [[nodiscard]] bool unpack(const std::byte* from) const;
};

// The bytes of a message: where they lie if the type is dense, else in memory of their own.
class MessageBytes {
 public:
  explicit MessageBytes(const MpiBuffer& message);

  // Returns false if the MPI will refuse the message.
  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] Count count() const { return elements_.bytes(); }
  // Bytes of an element.
  [[nodiscard]] Count element() const { return elements_.type->size; }
  // From now on the message has fewer bytes. Returns false if they are no whole elements.
  [[nodiscard]] bool shorten(Count bytes) { return elements_.shorten(bytes); }
  [[nodiscard]] bool lie_in_place() const { return memory_ == nullptr; }
  [[nodiscard]] std::byte* begin() const { return begin_; }
  [[nodiscard]] tutti_data all() const { return tutti_array(begin_, count(), TUTTI_BYTE); }
  [[nodiscard]] tutti_data part(Count first, Count bytes) const {
    return tutti_array(begin_ + first, bytes, TUTTI_BYTE);
  }

  // Makes room, and puts the data there. Returns false if that is impossible.
  [[nodiscard]] bool fill();
  // Makes room for data that will be received.
  [[nodiscard]] bool make_room();
  // Puts data that is in place for the program into the room, from byte `first` on.
  [[nodiscard]] bool fill_part(Count first, Count bytes);
  // Gives the program what was received.
  [[nodiscard]] bool deliver(const Receipt& receipt) const;
  // Gives the program a part that was received elsewhere: its bytes, and their place in the
  // message.
  [[nodiscard]] bool deliver_part(Count first, const std::byte* from, Count bytes) const;

 private:
  Elements elements_;
  bool valid_ = false;
  OwnMemory memory_;
  std::byte* begin_ = nullptr;
};

}  // namespace tutti::mpi
