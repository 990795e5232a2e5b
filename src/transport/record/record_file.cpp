// SPDX-License-Identifier: BSD-3-Clause
// Makes the file of this process and lets it grow (record_file.hpp).
#include "transport/record/record_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "transport/trace/part.hpp"
#include "transport/trace/ticks.hpp"

namespace tutti::record {
namespace {

// The file grows by so much. A page is touched first when it is written to, so more would only cost
// room on the disk.
constexpr std::size_t window_bytes = std::size_t{64} << 10;
constexpr std::size_t items_in_window = window_bytes / sizeof(RecordItem);

}  // namespace

RecordFile::RecordFile(const std::string& path, int process, bool counter, std::uint64_t now)
    : path_(trace::part_path(path, process)),
      nowhere_(std::make_unique<RecordItem[]>(items_in_window)) {
  file_ = base::Descriptor(
      base::raised(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)));
  RecordHeader header;
  header.magic = RecordHeader::current_magic;
  header.process = process;
  header.begin_monotonic = trace::nanoseconds(CLOCK_MONOTONIC);
  header.begin_ticks = now;
  header.counter = counter;
  if (!file_.valid() || ::pwrite(file_.get(), &header, sizeof header, 0) != sizeof header)
    base::fail(base::Status::bad_environment,
               "{} is '{}', beside which the file '{}' cannot be written: {}", "TUTTI_RECORD", path,
               path_, std::strerror(errno));
  grow();
}

void RecordFile::unmap() {
  if (window_ != nullptr && window_ != nowhere_.get()) ::munmap(window_, window_bytes);
  window_ = nullptr;
}

// Gets the blocks of the file now: a disk that is full later would kill the process by SIGBUS.
void RecordFile::grow() {
  if (!file_.valid()) return stop(0);
  if (const int error = ::posix_fallocate(file_.get(), at_, window_bytes); error != 0)
    return stop(error);
  void* const memory = ::mmap(nullptr, window_bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_POPULATE, file_.get(), at_);
  if (memory == MAP_FAILED) return stop(errno);
  unmap();
  window_ = place_ = static_cast<RecordItem*>(memory);
  end_ = window_ + items_in_window;
  at_ += static_cast<std::int64_t>(window_bytes);
}

// The program goes on without a record; `error` tells why, 0 if it has ended.
void RecordFile::stop(int error) {
  if (error != 0)
    base::notice("tutti: the record of this process ends here, because '{}' cannot grow: {}\n",
                 path_, std::strerror(error));
  unmap();
  file_.reset();
  window_ = place_ = nowhere_.get();
  end_ = window_ + items_in_window;
}

void RecordFile::keep(std::string_view text) {
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), sizeof(RecordItem));
    std::memcpy(static_cast<void*>(place_), text.data(), piece);
    step();
    text.remove_prefix(piece);
  }
}

}  // namespace tutti::record
