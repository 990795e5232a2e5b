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
    "superstep,compute_s,compute_mean_s,h_words,h_out_words,h_in_words,messages,sync_s,total_s,"
    "each process,call path,called at\n";
using tutti::tools::access_names;

std::string text_of(const Work& work) {
  std::string text = fmt::format("{:.6g}", work.compute);
  for (std::size_t k = 0; k < access_names.size(); ++k) {
    const Work::Flow& flow = work.flows[k];
    if (flow.out + flow.in + flow.messages + flow.served > 0)
      text += fmt::format(" {}:{:.10g}:{:.10g}:{:.10g}:{:.10g}", access_names[k], flow.out, flow.in,
                          flow.messages, flow.served);
    if (flow.own_messages > 0)
      text += fmt::format(" own-{}:{:.10g}:{:.10g}", access_names[k], flow.own, flow.own_messages);
  }
  return text;
}

// The largest value of any process, and what each does, as in the profile of a run. Columns that
// only a run can measure are 0.
std::string line_of(std::size_t number, const Superstep& step, const std::string& name) {
  double seconds = 0, mean = 0, most_out = 0, most_in = 0, most_messages = 0;
  std::string processes;
  for (const Work& work : step.processes) {
    double out = 0, in = 0, messages = 0;
    for (const Work::Flow& flow : work.flows) {
      out += flow.out;
      in += flow.in;
      messages += flow.messages;
    }
    seconds = std::max(seconds, work.compute);
    mean += work.compute / static_cast<double>(step.processes.size());
    most_out = std::max(most_out, out);
    most_in = std::max(most_in, in);
    most_messages = std::max(most_messages, messages);
    processes += (processes.empty() ? "" : ";") + text_of(work);
  }
  return fmt::format("{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.0f},0,0,{},{},\"\"\n", number,
                     seconds, mean, std::max(most_out, most_in), most_out, most_in, most_messages,
                     processes, name);
}

}  // namespace

Superstep empty_superstep(int processes) {
  Superstep step;
  step.processes.resize(static_cast<std::size_t>(processes));
  return step;
}

void add_words(Superstep& step, Access access, int from, int to, double words, double messages) {
  Work::Flow& sender = step.processes[static_cast<std::size_t>(from)].of(access);
  Work::Flow& receiver = step.processes[static_cast<std::size_t>(to)].of(access);
  if (from == to) {
    sender.own += words;
    sender.own_messages += messages;
    return;
  }
  sender.out += words;
  receiver.in += words;
  const bool gets = access == Access::get || access == Access::hpget;
  (gets ? receiver : sender).messages += messages;
  if (access != Access::hpput && access != Access::hpget)
    (gets ? sender : receiver).served += messages;
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
