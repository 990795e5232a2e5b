// SPDX-License-Identifier: BSD-3-Clause
// A line for each superstep, with the most of any process.
#include "profile.hpp"

#include <algorithm>
#include <cstdio>

#include "audit.hpp"
#include "errors.hpp"
#include "state.hpp"

namespace tutti::bsp {
namespace {

constexpr double word = 8;

}  // namespace

void Profile::arrive() {
  arrived_ = Clock::now();
}

void Profile::leave(const Volume& volume, std::uint64_t site) {
  const auto now = Clock::now();
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  const std::uint64_t in_program = site - std::min(site, program_address());
  steps_.push_back({seconds(arrived_ - left_), seconds(now - arrived_), static_cast<double>(volume.bytes_out),
                    static_cast<double>(volume.bytes_in), static_cast<double>(volume.messages),
                    static_cast<double>(in_program)});
  left_ = Clock::now();
}

std::string Profile::line_of(const std::vector<Step>& all, std::size_t step) const {
  double compute = 0, mean = 0, out = 0, in = 0, messages = 0, least_sync = 1e30, total = 0;
  const std::size_t count = all.size() / steps_.size();
  for (std::size_t pid = 0; pid < count; ++pid) {
    const Step& one = all[pid * steps_.size() + step];
    compute = std::max(compute, one.compute);
    mean += one.compute / static_cast<double>(count);
    out = std::max(out, one.bytes_out);
    in = std::max(in, one.bytes_in);
    messages = std::max(messages, one.messages);
    least_sync = std::min(least_sync, one.sync);
    total = std::max(total, one.compute + one.sync);
  }
  return fmt::format("{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.0f},{:.6g},{:.6g}", step, compute, mean,
                     std::max(out, in) / word, out / word, in / word, messages, least_sync, total);
}

void Profile::write(const Machine& machine) {
  std::vector<Step> all(machine.pid == 0 ? steps_.size() * static_cast<std::size_t>(machine.count) : 0);
  constexpr std::size_t fields = sizeof(Step) / sizeof(double);
  const tutti_data input = tutti_array(steps_.data(), static_cast<std::int64_t>(steps_.size() * fields), TUTTI_DOUBLE);
  const tutti_data output = tutti_array(all.data(), static_cast<std::int64_t>(all.size() * fields), TUTTI_DOUBLE);
  check("bsp_end", tutti_gather(machine.peers.group, &input, &output, 0));
  if (machine.pid != 0) return;
  std::FILE* const file = std::fopen(file_.c_str(), "w");
  if (file == nullptr) fail("bsp_end", "the profile '{}' cannot be written", file_);
  std::fputs("superstep,compute_s,compute_mean_s,h_words,h_out_words,h_in_words,messages,sync_s,total_s,called at\n",
             file);
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    const auto site = static_cast<std::uint64_t>(all[step].site) + program_address();
    fmt::print(file, "{},\"{}\"\n", line_of(all, step), site_text(site));
  }
  if (std::fclose(file) != 0) fail("bsp_end", "the profile '{}' cannot be written", file_);
}

}  // namespace tutti::bsp
