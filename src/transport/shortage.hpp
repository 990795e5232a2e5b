// SPDX-License-Identifier: BSD-3-Clause
// Why memory cannot be had. Mail and the heap of the segment answer with it; services put it into
// their messages.
#pragma once

#include <string>

namespace tutti::transport {

struct Shortage {
  bool lasting = false;  // waiting cannot help: the job can never have so much
  std::string remedy{};  // what helps, as the rest of a sentence
};

}  // namespace tutti::transport
