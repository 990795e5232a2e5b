// SPDX-License-Identifier: BSD-3-Clause
// What each superstep computed and communicated, written to a file when the program ends (TUTTI_BSP_PROFILE).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "volume.hpp"

namespace tutti::bsp {

struct Machine;

class Profile {
 public:
  explicit Profile(std::string file);

  // While one exists, BSPlib is at work: that is communication. Nothing happens without a profile.
  class Call {
   public:
    explicit Call(Profile* profile) : profile_(profile) {
      if (profile_ != nullptr) [[unlikely]]
        begun_ = ticks();
    }
    ~Call() {
      if (profile_ != nullptr) [[unlikely]]
        profile_->add_call(begun_);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    Profile* profile_;
    std::uint64_t begun_ = 0;
  };

  // bsp_sync has begun, and is done.
  void arrive();
  void leave(const Volume& volume, std::uint64_t site);
  // All processes; process 0 writes.
  void write(const Machine& machine);

 private:
  // All numbers are doubles, so that they travel as one array.
  struct Step {
    double compute, sync, total, out, in, messages, site, path;
    std::array<double, 2 * kinds> flows;  // words and calls, by kind
  };
  [[gnu::noinline]] static std::uint64_t ticks();
  [[gnu::noinline]] void add_call(std::uint64_t begun);
  void calibrate();
  [[nodiscard]] double number_of_path();
  [[nodiscard]] std::string line_of(const std::vector<Step>& all, std::size_t step) const;

  std::string file_;
  std::uint64_t started_ = ticks(), left_ = 0, arrived_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::uint64_t call_ticks_ = 0, calls_ = 0;  // in this superstep
  double ticks_around_call_ = 0;              // what it costs to look at the clock, outside of what is seen
  std::vector<Step> steps_;
  std::map<std::vector<std::uint64_t>, std::size_t> paths_;  // chains of calls to bsp_sync, numbered
};

}  // namespace tutti::bsp
