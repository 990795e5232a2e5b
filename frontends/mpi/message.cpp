// SPDX-License-Identifier: BSD-3-Clause
// Packs and unpacks data of the program (message.hpp).
#include "message.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <vector>

namespace tutti::mpi {
namespace {

// MPI_Pack counts bytes in int, so long messages are packed in pieces.
constexpr Count bytes_of_piece = 1 << 30;
bool fits_int(Count bytes) {
  return bytes <= std::numeric_limits<int>::max();
}

// Calls `move` for pieces of the elements: with the address of the first one, how many there are,
// and where their packed bytes are and how many.
template <class Move>
bool in_pieces(const Elements& elements, const Move& move) {
  if (elements.bytes() == 0) return true;
  const Count most = std::max<Count>(1, bytes_of_piece / elements.type->size);
  for (Count first = 0; first < elements.count; first += most) {
    const Count number = std::min(most, elements.count - first);
    if (!move(elements.address + first * elements.type->extent, static_cast<int>(number),
              first * elements.type->size, number * elements.type->size))
      return false;
  }
  return true;
}

// A type of more bytes than an int counts.
class LongBytes {
 public:
  explicit LongBytes(Count bytes) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    for (Count first = 0; first < bytes; first += bytes_of_piece) {
      lengths.push_back(static_cast<int>(std::min(bytes_of_piece, bytes - first)));
      places.push_back(first);
    }
    plain.Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(),
                               MPI_BYTE, &handle_);
    plain.Type_commit(&handle_);
  }
  ~LongBytes() { plain.Type_free(&handle_); }
  LongBytes(const LongBytes&) = delete;
  LongBytes& operator=(const LongBytes&) = delete;

  [[nodiscard]] MPI_Datatype handle() const { return handle_; }

 private:
  MPI_Datatype handle_{};
};

// Copies data by a message of this process to itself. Threads may do so at once, so each message
// has a tag of its own.
bool copy_by_message(const MpiBuffer& from, const MpiBuffer& to) {
  constexpr unsigned tags = 32768;  // every MPI has as many
  static std::atomic<unsigned> messages = 0;
  const int tag = static_cast<int>(messages.fetch_add(1) % tags);
  return plain.Sendrecv(from.address, static_cast<int>(from.count), from.type, 0, tag,
                        const_cast<void*>(to.address), static_cast<int>(to.count), to.type, 0, tag,
                        job.quiet, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

// Some elements as MPI_Pack and MPI_Unpack take them. An element of more bytes than an int counts
// goes by a message. MPICH's functions refuse the address 0, from which a type with absolute
// addresses counts. There the elements are described from another address.
class PackedElements {
 public:
  PackedElements(const std::byte* address, int number, MPI_Datatype handle)
      : address_(const_cast<std::byte*>(address)), number_(number), handle_(handle) {
    if (!refused_without_address(address)) return;
    address_ = reinterpret_cast<std::byte*>(this);
    const MPI_Aint back = -reinterpret_cast<MPI_Aint>(address_);
    plain.Type_create_hindexed(1, &number, &back, handle, &handle_);
    plain.Type_commit(&handle_);
    number_ = 1;
    made_ = true;
  }
  ~PackedElements() {
    if (made_) plain.Type_free(&handle_);
  }
  PackedElements(const PackedElements&) = delete;
  PackedElements& operator=(const PackedElements&) = delete;

  [[nodiscard]] bool pack(std::byte* to, Count bytes) const {
    if (fits_int(bytes)) {
      int position = 0;
      return plain.Pack(address_, number_, handle_, to, static_cast<int>(bytes), &position,
                        job.quiet) == MPI_SUCCESS;
    }
    const LongBytes packed(bytes);
    return copy_by_message({address_, number_, handle_}, {to, 1, packed.handle()});
  }
  [[nodiscard]] bool unpack(const std::byte* from, Count bytes) const {
    if (fits_int(bytes)) {
      int position = 0;
      return plain.Unpack(from, static_cast<int>(bytes), &position, address_, number_, handle_,
                          job.quiet) == MPI_SUCCESS;
    }
    const LongBytes packed(bytes);
    return copy_by_message({from, 1, packed.handle()}, {address_, number_, handle_});
  }

 private:
  std::byte* address_;
  int number_;
  MPI_Datatype handle_;
  bool made_ = false;
};

}  // namespace

OwnMemory allocate(Count bytes) {
  return OwnMemory(static_cast<std::byte*>(std::malloc(static_cast<std::size_t>(bytes) + 1)));
}

bool Elements::pack(std::byte* to) const {
  if (type->dense) {
    if (count > 0) std::memcpy(to, address, static_cast<std::size_t>(bytes()));
    return true;
  }
  return in_pieces(*this, [&](const std::byte* from, int number, Count offset, Count packed) {
    return PackedElements(from, number, handle).pack(to + offset, packed);
  });
}

bool Elements::unpack(const std::byte* from) const {
  if (type->dense) {
    if (count > 0) std::memcpy(address, from, static_cast<std::size_t>(bytes()));
    return true;
  }
  return in_pieces(*this, [&](std::byte* to, int number, Count offset, Count packed) {
    return PackedElements(to, number, handle).unpack(from + offset, packed);
  });
}

MessageBytes::MessageBytes(const MpiBuffer& message) {
  if (message.address == MPI_IN_PLACE) return;  // count and type mean nothing
  elements_ = {static_cast<std::byte*>(const_cast<void*>(message.address)), message.count,
               message.type, find_type(message.type)};
  begin_ = elements_.address;
  if (elements_.type == nullptr || message.count < 0) return;
  // The address 0 is right for types that hold absolute addresses, which are not dense.
  valid_ = !refused_without_address(message.address) || !elements_.type->dense || count() == 0;
}

bool MessageBytes::make_room() {
  if (elements_.type->dense) return true;
  memory_ = allocate(count());
  begin_ = memory_.get();
  return begin_ != nullptr;
}

bool MessageBytes::fill() {
  return make_room() && (lie_in_place() || elements_.pack(begin_));
}

bool MessageBytes::fill_part(Count first, Count bytes) {
  if (lie_in_place() || bytes == 0) return true;
  const Type& type = *elements_.type;
  const Elements some{elements_.address + first / type.size * type.extent, bytes / type.size,
                      elements_.handle, elements_.type};
  return some.pack(begin_ + first);
}

bool MessageBytes::deliver(const Receipt& receipt) const {
  return lie_in_place() || deliver_part(0, begin_, receipt.whole(count()));
}

bool MessageBytes::deliver_part(Count first, const std::byte* from, Count bytes) const {
  const Type& type = *elements_.type;
  if (type.dense) {
    if (bytes > 0) std::memcpy(elements_.address + first, from, static_cast<std::size_t>(bytes));
    return true;
  }
  Elements some = elements_;
  some.address += first / type.size * type.extent;
  return some.shorten(bytes) && some.unpack(from);
}

}  // namespace tutti::mpi
