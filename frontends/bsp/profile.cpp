// SPDX-License-Identifier: BSD-3-Clause
// Writes one line for each superstep, with the largest value of any process. Time outside of
// BSPlib's calls counts as computation (profile.hpp).
#include "profile.hpp"

#include <fcntl.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstdio>

#include "audit.hpp"
#include "call_path.hpp"
#include "errors.hpp"
#include "state.hpp"

namespace tutti::bsp {
namespace {

constexpr double bytes_per_word = 8;
constexpr const char* header =
    "superstep,compute_s,compute_mean_s,h_words,h_out_words,h_in_words,messages,sync_s,total_s,"
    "each process,call path,called at\n";
constexpr std::array<const char*, kinds> kind_names = {"put", "hpput", "get", "hpget", "send"};

}  // namespace

CallProfile::CallProfile(std::string file) : file_(std::move(file)) {
  left_ = CallClock::ticks();
}

void CallProfile::arrive() {
  arrived_ = CallClock::ticks();
}

void CallProfile::leave(const Volume& volume, std::uint64_t site) {
  const std::uint64_t now = CallClock::ticks();
  const Flow exchanged = volume.exchanged();
  const double computed = static_cast<double>(arrived_ - left_) - clock_.spent();
  Step step{std::max(computed, 0.0),
            static_cast<double>(now - arrived_),
            static_cast<double>(now - left_),
            static_cast<double>(exchanged.out) / bytes_per_word,
            static_cast<double>(exchanged.in) / bytes_per_word,
            static_cast<double>(exchanged.items),
            static_cast<double>(site - std::min(site, program_address())),
            number_of_path(),
            {}};
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const Flow &flow = volume.flows[kind], &own = volume.own[kind];
    step.flows[kind] = {static_cast<double>(flow.out) / bytes_per_word,
                        static_cast<double>(flow.in) / bytes_per_word,
                        static_cast<double>(flow.items),
                        static_cast<double>(flow.served),
                        static_cast<double>(own.out) / bytes_per_word,
                        static_cast<double>(own.items)};
  }
  steps_.push_back(step);
  clock_.clear();
  left_ = CallClock::ticks();
}

double CallProfile::number_of_path() {
  return static_cast<double>(paths_.emplace(call_path(), paths_.size()).first->second);
}

// Returns the part of a process: seconds of computation; for each kind of access words out, words
// in, calls and calls of others; and for what it exchanges with itself words and calls.
std::string CallProfile::process_text(const Step& step) {
  std::string text = fmt::format("{:.6g}", step.compute);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const ProfiledFlow& flow = step.flows[kind];
    if (flow.out + flow.in + flow.items + flow.served > 0)
      text += fmt::format(" {}:{:.10g}:{:.10g}:{:.10g}:{:.10g}", kind_names[kind], flow.out,
                          flow.in, flow.items, flow.served);
    if (flow.own_items > 0)
      text += fmt::format(" own-{}:{:.10g}:{:.10g}", kind_names[kind], flow.own, flow.own_items);
  }
  return text;
}

std::string CallProfile::line_of(const std::vector<Step>& all, std::size_t step) const {
  Step most{};
  std::string processes;
  double mean = 0, least_sync = 1e300;
  const std::size_t count = all.size() / steps_.size();
  for (std::size_t pid = 0; pid < count; ++pid) {
    const Step& one = all[pid * steps_.size() + step];
    most.compute = std::max(most.compute, one.compute);
    mean += one.compute / static_cast<double>(count);
    most.out = std::max(most.out, one.out);
    most.in = std::max(most.in, one.in);
    most.messages = std::max(most.messages, one.messages);
    least_sync = std::min(least_sync, one.sync);
    most.total = std::max(most.total, one.total);
    processes += (pid > 0 ? ";" : "") + process_text(one);
  }
  return fmt::format("{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.0f},{:.6g},{:.6g},{}", most.compute,
                     mean, std::max(most.out, most.in), most.out, most.in, most.messages,
                     least_sync, most.total, processes);
}

// Ticks are converted to seconds by how much of both has passed since the start.
void CallProfile::write(const BspMachine& machine) {
  const double seconds = static_cast<double>(tutti_nanoseconds() - start_) * 1e-9;
  const double each = seconds / static_cast<double>(CallClock::ticks() - started_);
  for (Step& step : steps_) {
    step.compute *= each;
    step.sync *= each;
    step.total *= each;
  }
  std::vector<Step> all(machine.pid == 0 ? steps_.size() * static_cast<std::size_t>(machine.count)
                                         : 0);
  constexpr std::size_t fields = sizeof(Step) / sizeof(double);
  const tutti_data input =
      tutti_array(steps_.data(), static_cast<std::int64_t>(steps_.size() * fields), TUTTI_DOUBLE);
  const tutti_data output =
      tutti_array(all.data(), static_cast<std::int64_t>(all.size() * fields), TUTTI_DOUBLE);
  check("bsp_end", tutti_gather, machine.peers.group, &input, &output, 0);
  if (machine.pid != 0) return;
  std::vector<std::string> paths(paths_.size());
  for (const auto& [path, number] : paths_) paths[number] = call_path_text(path);
  std::size_t& before = state().profiled;
  const int begin = before == 0 ? O_TRUNC : O_APPEND;
  const int descriptor =
      tutti_raise_descriptor(::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | begin, 0666));
  std::FILE* const file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "a");
  if (file == nullptr) fail("bsp_end", "the profile '{}' cannot be written", file_);
  // Failure is harmless: ferror() tells of it below.
  if (before == 0) std::fputs(header, file);
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    const auto site = static_cast<std::uint64_t>(all[step].site) + program_address();
    const std::string line =
        fmt::format("{},{},{},\"{}\"\n", before + step, line_of(all, step),
                    paths[static_cast<std::size_t>(all[step].path)], site_text(site));
    // Failure is harmless: ferror() tells of it below.
    std::fputs(line.c_str(), file);
  }
  before += steps_.size();
  const bool written = std::ferror(file) == 0;
  if (std::fclose(file) != 0 || !written)
    fail("bsp_end", "the profile '{}' cannot be written", file_);
}

}  // namespace tutti::bsp
