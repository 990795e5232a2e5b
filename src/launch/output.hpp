// SPDX-License-Identifier: BSD-3-Clause
// --tag-output: lines of a rank's output, each with the rank in front.
#pragma once

#include <string>
#include <string_view>

namespace tutti::launch {

// Writes everything, whatever signals and short writes come between; gives up when nobody reads any more.
void write_all(int descriptor, std::string_view text);

// MPI's launcher may end a job without having read what its ranks said last: a fifth of a second at most.
void wait_until_read(int descriptor);

class LineTagger {
 public:
  LineTagger(int rank, int target);

  // Passes on the whole lines of what has come so far.
  void add(std::string_view text);
  // At the end: a last line without a newline gets one.
  void finish();

 private:
  std::string tag_;
  int target_;
  std::string pending_;
};

}  // namespace tutti::launch
