// SPDX-License-Identifier: BSD-3-Clause
// Shows what happened in a simulation, as a picture and as a file for viewers of traces.
#pragma once

#include <string>
#include <vector>

#include "draw/timeline.hpp"
#include "simulate/simulate.hpp"
#include "simulation/case.hpp"
#include "support/picture.hpp"

namespace tutti::tools {

// Keeps all transfers and intervals. Throws base::Error(invalid_argument) if there are more than
// `most`.
class Recorder : public simulate::Observer {
 public:
  static constexpr std::size_t most = 2'000'000;

  void transfer(const simulate::Transfer& transfer) override;
  void interval(const simulate::Interval& interval) override;

  [[nodiscard]] const std::vector<simulate::Transfer>& transfers() const { return transfers_; }
  [[nodiscard]] const std::vector<simulate::Interval>& intervals() const { return intervals_; }

 private:
  void check() const;

  std::vector<simulate::Transfer> transfers_;
  std::vector<simulate::Interval> intervals_;
};

// Returns the time line. A node waits where it does nothing else between its begin and its end.
// A message that does not move within the start-up of the setting's machine is blocked.
[[nodiscard]] draw::TimeLine timeline_of(const Recorder& recorder, const simulate::Report& report,
                                         const Setting& setting);

// Writes the format of chrome://tracing and Perfetto. Each rank, or each of its streams if there
// are several, is a process, with threads for its sends, its receives and its local work; messages
// are flows.
void write_chrome_trace(const Recorder& recorder, const Setting& setting, PictureText& out);

}  // namespace tutti::tools
