// SPDX-License-Identifier: BSD-3-Clause
// The time of supersteps of equal messages over their size and their number, as a table of samples.
// Unlike the formulas of the model it knows that a message costs more where there are few, or where
// they leave the cache.
#pragma once

#include <tutti-bspwrapper/paramfile.h>

#include <map>
#include <vector>

namespace tutti::tools {

class Surface {
 public:
  Surface() = default;
  // `empty` is the time of a superstep without messages. It is no part of any time here.
  Surface(const std::vector<BSPWrapper::BSPSample>& samples, double empty);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  // The time of `count` messages of `size` words each, neither of which needs to be whole. Between
  // samples it is linear in both, and beyond them it goes on as at the end.
  [[nodiscard]] double time(double size, double count) const;

 private:
  using Line = std::map<double, double>;  // time by size
  std::map<double, Line> rows_;           // by count
};

}  // namespace tutti::tools
