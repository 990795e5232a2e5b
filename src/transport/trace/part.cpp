// SPDX-License-Identifier: BSD-3-Clause
// Makes and opens the parts of a trace.
#include "transport/trace/part.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/input_file.hpp"

namespace tutti::trace {
namespace {

void* map(const Descriptor& file, std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// Gets the file's blocks now: a disk that is full later would kill the process by SIGBUS.
[[nodiscard]] int reserve(const Descriptor& file, std::size_t bytes) {
  return ::posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
}

}  // namespace

std::string boot_name() {
  std::string name;
  base::InputFile("/proc/sys/kernel/random/boot_id") >> name;
  return name;
}

std::string part_path(const std::string& trace, int process) {
  return fmt::format("{}.{}.part", trace, process);
}

std::vector<std::string> parts_beside(const std::string& trace) {
  namespace fs = std::filesystem;
  const fs::path file(trace);
  const std::string prefix = file.filename().string() + ".";
  const std::string suffix = ".part";
  std::vector<std::string> found;
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) continue;
    const std::string number = name.substr(
        prefix.size(), name.size() - std::min(name.size(), prefix.size() + suffix.size()));
    const bool is_number = std::all_of(number.begin(), number.end(),
                                       [](char digit) { return digit >= '0' && digit <= '9'; });
    if (!number.empty() && is_number) found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Part::Part(std::string path, Descriptor file, void* memory, std::size_t bytes)
    : path_(std::move(path)), file_(std::move(file)), memory_(memory), bytes_(bytes) {}

Part::Part(Part&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      memory_(std::exchange(other.memory_, nullptr)),
      bytes_(other.bytes_) {}

Part& Part::operator=(Part&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Part::~Part() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
}

Part Part::create(const std::string& path, std::uint64_t bytes) {
  Descriptor file(base::raised(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)));
  if (!file.valid()) base::fail_errno(fmt::format("making the file '{}' of a trace", path));
  take(file, Purpose::living);
  const std::size_t whole = sizeof(Header) + bytes / sizeof(TraceRecord) * sizeof(TraceRecord);
  if (const int error = reserve(file, whole); error != 0) {
    // Failure is harmless: the next job with this trace removes the file.
    ::unlink(path.c_str());
    errno = error;
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
      base::fail(base::Status::out_of_memory, "the disk has no room for '{}' of {} bytes", path,
                 whole);
    base::fail_errno(fmt::format("getting room for '{}'", path));
  }
  void* const memory = map(file, whole);
  if (memory == nullptr) base::fail_errno(fmt::format("mapping '{}'", path));
  new (memory) Header;
  Part made(path, std::move(file), memory, whole);
  made.header().capacity = bytes / sizeof(TraceRecord);
  return made;
}

Part Part::adopt(const std::string& path) {
  Descriptor file(base::raised(::open(path.c_str(), O_RDWR | O_CLOEXEC)));
  struct stat facts {};
  if (!file.valid() || !take_if_free(file, Purpose::living) || ::fstat(file.get(), &facts) != 0)
    return {};
  const auto bytes = static_cast<std::size_t>(facts.st_size);
  if (bytes < sizeof(Header)) return {};
  void* const memory = map(file, bytes);
  if (memory == nullptr) return {};
  Part found(path, std::move(file), memory, bytes);
  const Header& header = found.header();
  const bool right = header.magic == Header::current_magic && header.capacity > 0 &&
                     header.capacity <= (bytes - sizeof(Header)) / sizeof(TraceRecord);
  return right ? std::move(found) : Part();
}

void Part::remove() const {
  // Failure is harmless: the next job with this trace removes the file.
  ::unlink(path_.c_str());
}

}  // namespace tutti::trace
