// SPDX-License-Identifier: BSD-3-Clause
// Writes the file of a trace.
#include "transport/trace/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "transport/trace/part.hpp"
#include "transport/trace/ticks.hpp"

namespace tutti::trace {
namespace {

constexpr std::string_view last = "\n]}\n", origin_key = "\"origin_ns\":";

std::string head(std::int64_t origin) {
  return fmt::format(
      "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"form\":\"tutti-trace\",\"version\":1,{}{}}},"
      "\"traceEvents\":[",
      origin_key, origin);
}

// Returns true if an event ends with this character. An event ends its line. The whole text ends
// so, too, but with a bracket before.
bool ends_event(std::string_view text, std::size_t i) {
  return text[i] == '}' && i > 0 && text[i - 1] != ']' && i + 1 < text.size() &&
         (text[i + 1] == '\n' || text[i + 1] == ',');
}

}  // namespace

Journal::Journal(const std::string& path, Join join)
    : path_(path),
      file_(base::raised(::open(
          path.c_str(), O_RDWR | O_CLOEXEC | (join == Join::as_process ? O_CREAT : 0), 0666))) {
  if (!file_.valid()) {
    base::fail(base::Status::bad_environment, "the trace '{}' cannot be {}", path,
               join == Join::as_process ? "written: TUTTI_TRACE must name a file that can"
                                        : "opened for reading and writing");
  }
  if (join == Join::as_process) {
    if (take_if_free(file_, Purpose::living)) start();
    if (error_ != 0) {
      base::fail(base::Status::system_error, "the trace '{}' cannot be begun: {}", path, reason());
    }
    share(file_, Purpose::living);
  }
  read_origin();
}

void Journal::start() {
  for (const std::string& left : parts_beside(path_)) {
    if (::unlink(left.c_str()) != 0 && errno != ENOENT) note_error();
  }
  origin_ = nanoseconds(CLOCK_REALTIME);
  at_ = 0;
  if (::ftruncate(file_.get(), 0) != 0) note_error();
  put(head(origin_));
  put(last);
}

void Journal::note_error() {
  if (error_ == 0) error_ = errno;
}

void Journal::read_origin() {
  std::array<char, 256> bytes{};
  const auto count =
      base::uninterrupted([&] { return ::pread(file_.get(), bytes.data(), bytes.size(), 0); });
  if (count < 0) base::fail_errno(fmt::format("reading the trace '{}'", path_));
  const std::string_view text(bytes.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
  const auto found = text.find(origin_key);
  const std::string_view digits =
      found == std::string_view::npos ? "" : text.substr(found + origin_key.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), origin_);
}

std::string Journal::reason() const {
  return std::strerror(error_);
}

bool Journal::may_speak() const {
  return take_if_free(file_, Purpose::speaker);
}

// Returns where the next event begins. A process that was killed while it wrote has left half an
// event, which is cut off. An event is shorter than the part of the file that is looked at.
std::int64_t Journal::end_of_events() {
  constexpr off_t looked_at = 64 * 1024;
  const off_t size = ::lseek(file_.get(), 0, SEEK_END), from = std::max<off_t>(0, size - looked_at);
  std::string text(static_cast<std::size_t>(size - from), ' ');
  if (base::uninterrupted([&] { return ::pread(file_.get(), text.data(), text.size(), from); }) < 0)
    note_error();
  const auto first = static_cast<off_t>(head(origin_).size());
  for (std::size_t i = text.size(); i-- > 0;) {
    const off_t after = from + static_cast<off_t>(i) + 1;
    if (after == first || ends_event(text, i)) return after;
  }
  return 0;
}

void Journal::put(std::string_view text) {
  while (!text.empty() && error_ == 0) {
    const auto written =
        base::uninterrupted([&] { return ::pwrite(file_.get(), text.data(), text.size(), at_); });
    if (written < 0) return note_error();
    at_ += written;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Journal::begin() {
  take(file_, Purpose::content);
  error_ = 0;
  at_ = from_ = end_of_events();
  if (at_ == 0 && error_ == 0) {
    put(head(origin_));
    from_ = at_;
  }
}

// Events come with the comma of the next one, so the comma before the first is written here and
// that after the last is left out.
void Journal::add(std::string_view events) {
  char before = '[';
  if (base::uninterrupted([&] { return ::pread(file_.get(), &before, 1, at_ - 1); }) != 1)
    note_error();
  events.remove_suffix(2);
  put(before == '[' ? "\n" : ",\n");
  put(events);
}

bool Journal::end() {
  put(last);
  if (error_ != 0 && from_ != 0) {
    at_ = from_;
    const int reason = std::exchange(error_, 0);
    put(last);
    error_ = reason;
  }
  if (at_ != 0 && ::ftruncate(file_.get(), at_) != 0) note_error();
  give_back(file_, Purpose::content);
  return error_ == 0;
}

}  // namespace tutti::trace
