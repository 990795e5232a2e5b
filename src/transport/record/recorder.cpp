// SPDX-License-Identifier: BSD-3-Clause
// Makes the file of this process and lets it grow.
#include "transport/record/recorder.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "transport/trace/part.hpp"

namespace tutti::record {
namespace {

// The file grows by so much. A page is touched first when it is written to, so more would only cost
// room on the disk.
constexpr std::size_t window_bytes = std::size_t{64} << 10;
constexpr std::size_t items_in_window = window_bytes / sizeof(RecordItem);

}  // namespace

RunRecorder::RunRecorder(const Request& request)
    : nowhere_(std::make_unique<RecordItem[]>(items_in_window)),
      pid_(::getpid()),
      counter_(trace::has_constant_counter()),
      wants_places_(request.places) {
  if (request.timed != nullptr) stream_.emplace(*request.timed, request.process);
  if (request.path.empty()) {
    stop(0);
    last_ = now();
  } else {
    begin_file(request);
  }
}

void RunRecorder::begin_file(const Request& request) {
  path_ = trace::part_path(request.path, request.process);
  file_ = base::Descriptor(
      base::raised(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)));
  RecordHeader header;
  header.magic = RecordHeader::current_magic;
  header.process = request.process;
  header.begin_monotonic = trace::nanoseconds(CLOCK_MONOTONIC);
  header.begin_ticks = last_ = now();
  header.counter = counter_;
  if (!file_.valid() || ::pwrite(file_.get(), &header, sizeof header, 0) != sizeof header)
    base::fail(base::Status::bad_environment,
               "{} is '{}', beside which the file '{}' cannot be written: {}", "TUTTI_RECORD",
               request.path, path_, std::strerror(errno));
  grow();
}

RunRecorder::~RunRecorder() {
  unmap();
}

void RunRecorder::unmap() {
  if (window_ != nullptr && window_ != nowhere_.get()) ::munmap(window_, window_bytes);
  window_ = nullptr;
}

// A child made by fork() has the same memory, in which its parent goes on. The timekeeper hears of
// the end from the supervisor, which knows whether it was good.
void RunRecorder::close() {
  if (pid_ != ::getpid()) return;
  put(ItemKind::end, 0, 0, 0);
  stop(0);
}

void RunRecorder::require_time_of_this_machine() const {
  if (!stream_) return;
  base::fail(base::Status::invalid_argument,
             "messages outside of collectives, and waits at counters, have no virtual time yet: "
             "`tutti run --record FILE` without --machine, and then `tutti simulate FILE`, replay "
             "this program on a machine");
}

// Gets the blocks of the file now: a disk that is full later would kill the process by SIGBUS.
void RunRecorder::grow() {
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
void RunRecorder::stop(int error) {
  if (error != 0)
    base::notice("tutti: the record of this process ends here, because '{}' cannot grow: {}\n",
                 path_, std::strerror(error));
  unmap();
  file_.reset();
  window_ = place_ = nowhere_.get();
  end_ = window_ + items_in_window;
}

void RunRecorder::put_text(ItemKind kind, std::string_view text) {
  const std::uint64_t computed = std::exchange(computed_, 0);
  put(kind, 0, 0, text.size());
  computed_ = computed;
  if (stream_) stream_->put_text(text);
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), sizeof(RecordItem));
    std::memcpy(static_cast<void*>(place_), text.data(), piece);
    step();
    text.remove_prefix(piece);
  }
}

std::uint32_t RunRecorder::known(Numbers& numbers, ItemKind kind, std::string_view text) {
  const auto [at, is_new] =
      numbers.try_emplace(std::string(text), static_cast<std::uint32_t>(numbers.size() + 1));
  if (is_new) put_text(kind, text);
  return at->second;
}

}  // namespace tutti::record
