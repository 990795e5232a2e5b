// SPDX-License-Identifier: BSD-3-Clause
// Proves that a peer is reached, and copies from and to it.
#include "transport/shm/reach.hpp"

#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace tutti::transport::shm {
namespace {

std::uint64_t new_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number || number == 0) {
    number = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count())
                 << 16 |
             1;
  }
  return number;
}

std::uint64_t address_of(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

// One number to read, and a place for it that others write.
struct Numbers {
  std::uint64_t own = new_number();
  std::uint64_t written = 0;
};
Numbers& numbers_of_process() {
  static auto* const numbers = new Numbers;  // never freed
  return *numbers;
}

}  // namespace

OwnNumbers::OwnNumbers(const Mapping& mapping, int self) : own_(&mapping.endpoint(self)) {
  own_->number.put(numbers_of_process().own);
  own_->number_at.publish(address_of(&numbers_of_process()));
}

OwnNumbers::~OwnNumbers() {
  own_->number_at.publish(0);
}

bool Reach::possible() {
  if (known_ == Known::no) return false;
  // The supervisor may say so later: it waits for the end of its own children only.
  if (endpoint_->kept_at_end.see() == 0 || endpoint_->number_at.see() == 0) return false;
  if (known_ == Known::nothing) known_ = proves() ? Known::yes : Known::no;
  return known_ == Known::yes;
}

bool Reach::proves() const {
  if (mapping_->tuning().copy_by_kernel == 0) return false;
  const std::uint64_t at = endpoint_->number_at.see(), number = endpoint_->number.see();
  if (at == 0 || number == 0) return false;
  std::uint64_t found = 0;
  return read(&found, at, sizeof found) == Result::copied && found == number &&
         write(&number, at + sizeof number, sizeof number) == Result::copied;
}

bool Reach::still_there() const {
  std::uint64_t found = 0;
  return read(&found, endpoint_->number_at.see(), sizeof found) == Result::copied &&
         found == endpoint_->number.see();
}

template <class Call>
Reach::Result Reach::copy(void* here, std::uint64_t there, std::uint64_t bytes,
                          const Call& call) const {
  own_->reaches.show(static_cast<std::uint32_t>(slot_of(peer_)) + 1);
  Result result = Result::copied;
  if (endpoint_->presence.check() != Presence::attached ||
      endpoint_->generation.see() != generation_of(peer_) || endpoint_->kept_at_end.see() == 0) {
    result = Result::gone;
  }
  auto at = address_of(here);
  while (result == Result::copied && bytes > 0) {
    const iovec mine{reinterpret_cast<void*>(at), bytes};
    const iovec other{reinterpret_cast<void*>(there), bytes};
    const ssize_t done = call(endpoint_->pid.see(), mine, other);
    if (done <= 0) {
      result = done < 0 && errno == ESRCH ? Result::gone : Result::refused;
      break;
    }
    at += static_cast<std::uint64_t>(done);
    there += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::uint64_t>(done);
  }
  own_->reaches.publish(0);
  return result;
}

Reach::Result Reach::read(void* here, std::uint64_t there, std::uint64_t bytes) const {
  return copy(here, there, bytes, [](pid_t pid, const iovec& mine, const iovec& other) {
    return ::process_vm_readv(pid, &mine, 1, &other, 1, 0);
  });
}

Reach::Result Reach::write(const void* here, std::uint64_t there, std::uint64_t bytes) const {
  return copy(const_cast<void*>(here), there, bytes,
              [](pid_t pid, const iovec& mine, const iovec& other) {
                return ::process_vm_writev(pid, &mine, 1, &other, 1, 0);
              });
}

bool is_reached(const Mapping& mapping, int slot) {
  const auto slots = static_cast<int>(mapping.header().slots.see());
  for (int other = 0; other < slots; ++other) {
    const Endpoint& endpoint = mapping.endpoint(other);
    if (endpoint.reaches.check() == static_cast<std::uint32_t>(slot) + 1 &&
        endpoint.presence.see() == Presence::attached)
      return true;
  }
  return false;
}

}  // namespace tutti::transport::shm
