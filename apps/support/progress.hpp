// SPDX-License-Identifier: BSD-3-Clause
// Tells the user now and then how far long work is.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

namespace support {

class Progress {
 public:
  // `text` comes after the percentage, such as "of the table". Only one process may speak.
  Progress(std::string program, std::string text, bool speaks)
      : program_(std::move(program)), text_(std::move(text)), speaks_(speaks) {}

  // Prints a line on stderr if the last one is long ago. `part` is from 0 to 1.
  void operator()(double part) {
    const auto now = std::chrono::steady_clock::now();
    if (!speaks_ || now < next_) return;
    next_ = now + pause;
    std::fprintf(stderr, "%s: %d %% %s\n", program_.c_str(), static_cast<int>(100 * part),
                 text_.c_str());
  }

 private:
  static constexpr std::chrono::seconds pause{5};

  std::string program_, text_;
  bool speaks_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + pause;
};

// Work that is done several times. Each time tells how far it is, from 0 to 1.
class Repeated {
 public:
  Repeated(Progress progress, int times) : progress_(std::move(progress)), times_(times) {}
  void begin(int number) { number_ = number; }
  void operator()(double part) { progress_((number_ + part) / times_); }

 private:
  Progress progress_;
  int times_, number_ = 0;
};

}  // namespace support
