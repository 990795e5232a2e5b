// SPDX-License-Identifier: BSD-3-Clause
// A rank for the launcher's tests. Its arguments are steps, "RANK:STEP" or "RANK:STEP=VALUE" (RANK
// * is every rank): it takes those of its own rank in order. It joins the job first.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

#include "launch/join.hpp"

namespace {

using tutti::launch::Membership;

struct Step {
  std::string name;
  std::string value;
  int number() const { return std::atoi(value.c_str()); }
};

[[noreturn]] void compute() {
  for (volatile unsigned turn = 0;;) turn = turn + 1;
}

// Sleeps in a wait for "A,B" (all of them) or "A|B" (any of them), so that the transport shows the
// rank as waiting.
[[noreturn]] void wait_for(Membership& job, const std::string& targets) {
  auto& endpoint = job.mapping().endpoint(job.endpoint());
  auto& state = endpoint.state;
  std::uint64_t words[3] = {};
  std::memcpy(words, "test_call", 9);
  for (int i = 0; i < 3; ++i) state.call[i].put(words[i]);
  state.operation.put(2);
  state.group_size.put(4);
  state.sequence.put(12);
  state.round.put(1);
  std::uint32_t count = 0;
  for (const char& c : targets) {
    if (c >= '0' && c <= '9') state.wait_for[count++].put(static_cast<std::uint16_t>(c - '0'));
  }
  state.wait_count.put(count);
  state.waiting.publish(targets.find('|') == std::string::npos ? 1 : 2);
  for (;;) {
    state.looks.add(1);
    endpoint.waiter.show(1);
    const timespec nap{0, 10'000'000};
    ::syscall(SYS_futex, &endpoint.waiter, FUTEX_WAIT, 1, &nap, nullptr, 0);
  }
}

void fork_a_child(Membership& job) {
  const pid_t child = ::fork();
  if (child == 0) {
    job.finalize();  // must do nothing here
    std::exit(job.valid() ? 1 : 7);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  std::printf("child said %d\n", WEXITSTATUS(status));
}

void write_pid(const std::string& file) {
  std::ofstream(file + ".new") << ::getpid() << '\n';
  std::rename((file + ".new").c_str(), file.c_str());
}

void take(Membership& job, const Step& step) {
  if (step.name == "finalize") {
    job.finalize();
    return;
  }
  if (step.name == "spawn") {
    if (step.number() > 1) job = job.start_world(step.number());
    return;
  }
  if (step.name == "abort") job.abort(step.number(), "the probe was told to");
  if (step.name == "wait") wait_for(job, step.value);
  if (step.name == "compute") compute();
  if (step.name == "exit") std::exit(step.number());
  if (step.name == "_exit") ::_exit(step.number());
  if (step.name == "kill") ::raise(step.number());
  if (step.name == "sleep") ::usleep(static_cast<unsigned>(step.number()) * 1000);
  if (step.name == "fork") fork_a_child(job);
  if (step.name == "print") std::cout << step.value << std::endl;
  if (step.name == "pid") write_pid(step.value);
  if (step.name == "handle") ::signal(step.number(), [](int) { ::_exit(0); });
  if (step.name == "ignore") ::signal(step.number(), SIG_IGN);
  if (step.name == "size") std::cout << job.endpoint() << " of " << job.world_size() << std::endl;
  if (step.name == "job_descriptor")
    std::cout << (std::getenv("TUTTI_JOB") == nullptr ? "no job_descriptor" : "job_descriptor")
              << std::endl;
  if (step.name == "copy") {
    for (std::string line; std::getline(std::cin, line);) std::cout << line << std::endl;
  }
}

std::optional<Step> step_for(const std::string& argument, int rank) {
  const auto colon = argument.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const std::string who = argument.substr(0, colon);
  if (who != "*" && who != std::to_string(rank)) return std::nullopt;
  const auto equals = argument.find('=', colon);
  if (equals == std::string::npos) return Step{argument.substr(colon + 1), ""};
  return Step{argument.substr(colon + 1, equals - colon - 1), argument.substr(equals + 1)};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Membership job = tutti::launch::join();
    for (int i = 1; i < argc; ++i) {
      if (const auto step = step_for(argv[i], job.endpoint())) take(job, *step);
    }
  } catch (const std::exception& error) {
    std::cerr << "probe: " << error.what() << std::endl;
    return 99;
  }
}
