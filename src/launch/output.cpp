// SPDX-License-Identifier: BSD-3-Clause
// Writes output line by line, so that lines of different ranks never mix.
#include "launch/output.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/uninterrupted.hpp"

namespace tutti::launch {
namespace {

constexpr std::size_t longest_line = 64 * 1024;

// Returns true if a write would not wait. Where that cannot be asked, the write is tried.
bool takes_now(int descriptor) {
  pollfd writable{descriptor, POLLOUT, 0};
  return base::uninterrupted([&] { return ::poll(&writable, 1, 0); }) != 0;
}

// Returns the text for one write. A pipe takes PIPE_BUF bytes as a whole. The piece ends with a
// line, so that text from other writers to the same pipe does not land within one. A longer line is
// cut.
std::string_view first_piece(std::string_view text) {
  if (text.size() <= PIPE_BUF) return text;
  const auto last_newline = text.rfind('\n', PIPE_BUF - 1);
  return text.substr(0, last_newline == std::string_view::npos ? PIPE_BUF : last_newline + 1);
}

}  // namespace

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd writable{descriptor, POLLOUT, 0};
      // Failure is harmless: the loop tries again in any case.
      ::poll(&writable, 1, 1000);
    } else if (errno != EINTR) {
      return;
    }
  }
}

void say_failure(const std::exception& error) {
  const bool scarce = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  std::array<char, 1024> line{};
  const int length =
      std::snprintf(line.data(), line.size() - 1, "tutti: %s",
                    scarce ? "out of memory in the process that watches this job" : error.what());
  if (length < 0) return;
  const std::size_t end = std::min(static_cast<std::size_t>(length), line.size() - 2);
  line[end] = '\n';
  write_all(STDERR_FILENO, {line.data(), end + 1});
}

void wait_until_read(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISFIFO(status.st_mode)) return;
  int unread = 0;
  for (int i = 0; i < 500 && ::ioctl(descriptor, FIONREAD, &unread) == 0 && unread > 0; ++i)
    ::poll(nullptr, 0, 2);
}

void write_aborted(int exit_code, const std::string& who, std::string_view text) {
  try {
    std::fprintf(stderr, "tutti: aborted%s with code %d: %s\n", who.c_str(), exit_code,
                 base::without_controls(text).c_str());
  } catch (const std::bad_alloc&) {  // then the text is tutti's own
    std::fprintf(stderr, "tutti: aborted%s with code %d: %.*s\n", who.c_str(), exit_code,
                 static_cast<int>(text.size()), text.data());
  }
  wait_until_read(STDERR_FILENO);
}

bool same_file(int descriptor, int other) {
  struct stat one {};
  struct stat two {};
  return ::fstat(descriptor, &one) == 0 && ::fstat(other, &two) == 0 && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

void make_output_folder(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!problem && ::access(folder.c_str(), W_OK | X_OK) != 0)
    problem.assign(errno, std::generic_category());
  if (!problem && !std::filesystem::is_directory(folder))
    problem = std::make_error_code(std::errc::not_a_directory);
  if (!problem) return;
  base::fail(base::Status::invalid_argument, "--output: the folder '{}' cannot be used: {}", folder,
             problem.message());
}

std::string output_file(const std::string& folder, int rank, int ranks, std::size_t stream) {
  const char* const kind = stream == 0 ? "out" : "err";
  if (rank >= ranks) return fmt::format("{}/task.{}.{}", folder, rank, kind);
  return fmt::format("{}/rank.{:0{}}.{}", folder, rank, std::to_string(ranks - 1).size(), kind);
}

LineTagger::LineTagger(int rank) : tag_(fmt::format("[{}] ", rank)) {}

std::string LineTagger::add(std::string_view text) {
  pending_ += text;
  std::string lines;
  std::size_t start = 0;
  for (auto end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', start)) {
    lines.append(tag_).append(pending_, start, end + 1 - start);
    start = end + 1;
  }
  pending_.erase(0, start);
  if (pending_.size() > longest_line) lines += finish();
  return lines;
}

std::string LineTagger::finish() {
  if (pending_.empty()) return "";
  std::string line = tag_ + pending_ + "\n";
  pending_.clear();
  return line;
}

void Outlet::add(std::string_view text) {
  if (error_ != 0) return;
  waiting_ += text;
  flush();
}

// The descriptor may be shared with other processes, so it stays in blocking mode. A pipe or
// terminal that poll() calls writable takes PIPE_BUF bytes at least; files take everything.
void Outlet::flush() {
  std::size_t done = 0;
  while (done < waiting_.size() && error_ == 0) {
    if (!takes_now(number_)) break;
    const std::string_view left = std::string_view(waiting_).substr(done);
    const std::string_view piece = file_.valid() ? left : first_piece(left);
    const auto written = ::write(number_, piece.data(), piece.size());
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      return fail(errno);
    }
  }
  waiting_.erase(0, done);
}

void Outlet::fail(int error) {
  error_ = error;
  waiting_.clear();
}

void Outlet::close() {
  if (file_.valid() && ::close(file_.release()) != 0 && error_ == 0) error_ = errno;
}

}  // namespace tutti::launch
