// SPDX-License-Identifier: BSD-3-Clause
#include "file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <tutti-bsp/bsp.hpp>

namespace llcs {
namespace {

[[noreturn]] void fail_for(const std::string& name) {
  throw std::runtime_error(fmt::format("cannot read '{}': {}", name, std::strerror(errno)));
}

// An open file, which is closed at the end.
class Opened {
 public:
  explicit Opened(const std::string& name) : file_(open(name.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0 || fstat(file_, &status_) != 0) fail_for(name);
  }
  ~Opened() {
    if (file_ >= 0) close(file_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  [[nodiscard]] int number() const { return file_; }
  [[nodiscard]] bool is_regular() const { return S_ISREG(status_.st_mode); }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(status_.st_size); }

 private:
  int file_;
  struct stat status_ {};
};

std::string all_of(const Opened& file, const std::string& name) {
  std::string content;
  std::array<char, 65536> piece{};
  while (true) {
    const ssize_t count = read(file.number(), piece.data(), piece.size());
    if (count == 0) return content;
    if (count > 0) {
      content.append(piece.data(), static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      fail_for(name);
    }
  }
}

}  // namespace

File::File(const std::string& name) {
  int is_regular = 1;
  if (BSPWrapper::Pid == 0) {
    const Opened file(name);
    if (!file.is_regular()) {
      content_ = all_of(file, name);
      is_regular = 0;
    }
  }
  BSPWrapper::Broadcast(0, sizeof is_regular, &is_regular, &is_regular);
  if (is_regular != 0) {
    map(name);
  } else {
    share();
  }
}

File::~File() {
  if (mapped_ > 0) munmap(const_cast<char*>(data_), mapped_);
}

void File::map(const std::string& name) {
  const Opened file(name);
  if (file.size() == 0) return;  // an empty file cannot be mapped
  void* const at = mmap(nullptr, file.size(), PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (at == MAP_FAILED) fail_for(name);
  data_ = static_cast<const char*>(at);
  mapped_ = file.size();
}

// BSPlib counts bytes in int, so the content goes in pieces.
void File::share() {
  constexpr std::size_t longest = std::size_t{1} << 26;
  std::size_t size = content_.size();
  BSPWrapper::Broadcast(0, sizeof size, &size, &size);
  content_.resize(size);
  for (std::size_t at = 0; at < size; at += longest)
    BSPWrapper::Broadcast(0, static_cast<int>(std::min(longest, size - at)), &content_[at],
                          &content_[at]);
}

}  // namespace llcs
