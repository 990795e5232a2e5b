// SPDX-License-Identifier: BSD-3-Clause
// Records what each superstep computed and communicated, and writes it to a file when the program
// ends (TUTTI_BSP_PROFILE).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "call_clock.hpp"
#include "volume.hpp"

namespace tutti::bsp {

struct BspMachine;

class CallProfile {
 public:
  explicit CallProfile(std::string file);

  // The time in which an object of this class lives counts as communication. Without a profile
  // nothing happens.
  class Call {
   public:
    explicit Call(CallProfile* profile) {
      if (profile == nullptr || !profile->clock_.takes_next()) [[likely]]
        return;
      clock_ = &profile->clock_;
      begun_ = CallClock::ticks();
    }
    ~Call() {
      if (clock_ != nullptr) [[unlikely]]
        clock_->add(begun_);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    CallClock* clock_ = nullptr;
    std::uint64_t begun_ = 0;
  };

  // Called at the beginning and at the end of bsp_sync.
  void arrive();
  void leave(const Volume& volume, std::uint64_t site);
  // Collects the records of all processes, which must all call it; process 0 writes the file.
  void write(const BspMachine& machine);

 private:
  // All numbers are doubles, so that they can be sent as one array.
  struct ProfiledFlow {
    double out, in, items, served;  // words and calls, as in Flow
    double own, own_items;          // exchanged with itself
  };
  struct Step {
    double compute, sync, total, out, in, messages, site, path;
    std::array<ProfiledFlow, kinds> flows;
  };
  static std::string process_text(const Step& step);
  [[nodiscard]] double number_of_path();
  // Returns what the line of a superstep has behind its number.
  [[nodiscard]] std::string line_of(const std::vector<Step>& all, std::size_t step) const;

  std::string file_;
  CallClock clock_;
  std::uint64_t started_ = CallClock::ticks(), left_ = 0, arrived_ = 0;
  std::uint64_t start_ = tutti_nanoseconds();
  std::vector<Step> steps_;
  std::map<std::vector<std::uint64_t>, std::size_t>
      paths_;  // chains of calls that lead to bsp_sync, numbered
};

}  // namespace tutti::bsp
