// SPDX-License-Identifier: BSD-3-Clause
#include "costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace profile {
namespace {

constexpr const char* header =
    "superstep,compute_s,compute_mean_s,h_words,h_out_words,h_in_words,messages,sync_s,total_s,put_"
    "words,puts,hpput_words,hpputs,get_words,gets,hpget_words,hpgets,send_words,sends,call "
    "path,called at\n";

// The largest value of any process, as in the profile of a run. Columns that only a run can measure
// are 0.
std::string line_of(std::size_t number, const Superstep& step, const std::string& name) {
  double seconds = 0, mean = 0, out = 0, in = 0, messages = 0;
  std::array<double, accesses> words{}, counts{};
  for (const Work& work : step) {
    double all_out = -work.own.out, all_in = -work.own.in, all_messages = -work.own.messages;
    for (std::size_t k = 0; k < accesses; ++k) {
      const Work::Flow& flow = work.flows[k];
      all_out += flow.out;
      all_in += flow.in;
      all_messages += flow.messages;
      words[k] = std::max({words[k], flow.out, flow.in});
      counts[k] = std::max(counts[k], flow.messages);
    }
    seconds = std::max(seconds, work.seconds);
    mean += work.seconds / static_cast<double>(step.size());
    out = std::max(out, all_out);
    in = std::max(in, all_in);
    messages = std::max(messages, all_messages);
  }
  std::string line = fmt::format("{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.0f},0,0", number,
                                 seconds, mean, std::max(out, in), out, in, messages);
  for (std::size_t k = 0; k < accesses; ++k)
    line += fmt::format(",{:.6g},{:.0f}", words[k], counts[k]);
  return line + fmt::format(",{},\"\"\n", name);
}

}  // namespace

void add_words(Superstep& step, Access access, int from, int to, double words, double messages) {
  Work& sender_work = step[static_cast<std::size_t>(from)];
  Work::Flow& sender = sender_work.of(access);
  Work::Flow& receiver = step[static_cast<std::size_t>(to)].of(access);
  sender.out += words;
  receiver.in += words;
  (access == Access::get || access == Access::hpget ? receiver : sender).messages += messages;
  if (from == to) {
    sender_work.own.out += words;
    sender_work.own.in += words;
    sender_work.own.messages += messages;
  }
}

void write(const std::string& path, const std::vector<Superstep>& steps, const std::string& name) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  bool good = file != nullptr && std::fputs(header, file) >= 0;
  for (std::size_t i = 0; i < steps.size() && good; ++i)
    good = std::fputs(line_of(i, steps[i], name).c_str(), file) >= 0;
  int reason = errno;
  if (file != nullptr && std::fclose(file) != 0 && good) {
    good = false;
    reason = errno;
  }
  if (!good)
    throw std::runtime_error(fmt::format("cannot write '{}': {}", path, std::strerror(reason)));
}

}  // namespace profile
