// SPDX-License-Identifier: BSD-3-Clause
// Line by line, so that lines of different ranks never mix.
#include "launch/output.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace tutti::launch {
namespace {

constexpr std::size_t longest_line = 64 * 1024;  // longer ones are passed on in pieces

}  // namespace

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd writable{descriptor, POLLOUT, 0};
      ::poll(&writable, 1, 1000);
    } else if (errno != EINTR) {
      return;
    }
  }
}

void wait_until_read(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISFIFO(status.st_mode)) return;
  int unread = 0;
  for (int i = 0; i < 100 && ::ioctl(descriptor, FIONREAD, &unread) == 0 && unread > 0; ++i) ::poll(nullptr, 0, 2);
}

LineTagger::LineTagger(int rank, int target) : tag_(fmt::format("[{}] ", rank)), target_(target) {}

void LineTagger::add(std::string_view text) {
  pending_ += text;
  std::string lines;
  std::size_t start = 0;
  for (auto end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', start)) {
    lines.append(tag_).append(pending_, start, end + 1 - start);
    start = end + 1;
  }
  pending_.erase(0, start);
  write_all(target_, lines);
  if (pending_.size() > longest_line) finish();
}

void LineTagger::finish() {
  if (pending_.empty()) return;
  write_all(target_, tag_ + pending_ + "\n");
  pending_.clear();
}

}  // namespace tutti::launch
