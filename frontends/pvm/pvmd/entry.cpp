// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes entries at the pvmd, and locks them (entry.hpp).
#include "entry.hpp"

#include <fmt/format.h>
#include <tutti-pvm/pvm3.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace tutti::pvm {
namespace {

constexpr int anybodys = PvmMboxPersistent | PvmMboxOverWritable;

int put(const std::string& name, std::vector<int> words, int flags) {
  const Borrowed libpvm;
  const int buffer = pvm_mkbuf(PvmDataDefault);
  if (buffer < 0) return buffer;
  pvm_setsbuf(buffer);
  int count = static_cast<int>(words.size());
  int status = pvm_pkint(&count, 1, 1);
  if (status >= 0) status = pvm_pkint(words.data(), count, 1);
  return status < 0 ? status : pvm_putinfo(const_cast<char*>(name.c_str()), buffer, flags);
}

int remove(const std::string& name) {
  const Borrowed libpvm;
  return pvm_delinfo(const_cast<char*>(name.c_str()), 0, PvmMboxDefault);
}

void require(bool done, const char* what, const std::string& name, int status) {
  if (!done)
    throw std::runtime_error(fmt::format("the pvmd cannot {} '{}': error {}", what, name, status));
}

}  // namespace

Entry::Entry(std::string_view name)
    : name_(fmt::format("tutti.group.{}", name)), lock_(fmt::format("tutti.lock.{}", name)) {}

std::optional<std::vector<int>> Entry::read() const {
  const Borrowed libpvm;
  const int buffer = pvm_recvinfo(const_cast<char*>(name_.c_str()), 0, PvmMboxDefault);
  if (buffer == PvmNotFound) return std::nullopt;
  require(buffer > 0, "read", name_, buffer);
  pvm_setrbuf(buffer);
  int count = 0;
  int status = pvm_upkint(&count, 1, 1);
  std::vector<int> words(static_cast<std::size_t>(std::max(count, 0)));
  if (status >= 0) status = pvm_upkint(words.data(), count, 1);
  require(status >= 0, "unpack", name_, status);
  return words;
}

void Entry::write(const std::vector<int>& words) const {
  const int status = put(name_, words, anybodys);
  require(status >= 0, "write", name_, status);
}

void Entry::erase() const {
  const int status = remove(name_);
  require(status >= 0 || status == PvmNotFound, "erase", name_, status);
}

Entry::Lock::Lock(const Entry& entry, const std::function<bool()>& needless) : entry_(&entry) {
  using std::chrono::microseconds;
  constexpr microseconds longest{300};
  for (microseconds pause{20};; pause = std::min(2 * pause, longest)) {
    const int status = put(entry.lock_, {}, PvmMboxDefault);
    held_ = status >= 0;
    require(held_ || status == PvmDenied || status == PvmExists, "lock", entry.name_, status);
    if (held_ || (needless && needless())) return;
    std::this_thread::sleep_for(pause);
  }
}

Entry::Lock::~Lock() {
  // Failure is harmless: the real PVM removes the lock with the task.
  if (held_) static_cast<void>(remove(entry_->lock_));
}

}  // namespace tutti::pvm
