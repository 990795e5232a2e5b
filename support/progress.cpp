// SPDX-License-Identifier: BSD-3-Clause
// Draws the progress bar.
#include "support/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/printable.hpp"

namespace tutti::tools {

void rewrite_line(const std::string& text) {
  const std::string line = "\r\033[K" + base::without_controls(text);
  // Failure is harmless: progress is only for those who look.
  std::fwrite(line.data(), 1, line.size(), stderr);
  // Failure is harmless, as above.
  std::fflush(stderr);
}

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (terminal_) rewrite_line("");
}

void Progress::show(double done, const std::string& what) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  constexpr int width = 30;
  const double part = std::clamp(done, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(part * width);
  rewrite_line(fmt::format("[{}{}] {:3.0f} %  {}", std::string(filled, '#'),
                           std::string(width - filled, ' '), part * 100, what));
}

}  // namespace tutti::tools
