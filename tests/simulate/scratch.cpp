#include <fmt/format.h>
#include <chrono>
#include "machines.hpp"
#include "simulate/text.hpp"
using namespace tutti;
using namespace tutti::simulate;
int main() {
  auto run = [&](const machine::Machine& m, Job j, Options o = {}) {
    auto t0 = std::chrono::steady_clock::now();
    try {
      Report r = simulate::simulate(m, j, o);
      double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
      fmt::print("time {} msgs {} cont {} portw {} ev {} wall {:.3f} {:.2f} Mmsg/s\n", r.time, r.messages,
                 r.contentions, r.port_waits, r.events, s, static_cast<double>(r.messages) / s / 1e6);
      for (size_t i = 0; i < std::min<size_t>(1, r.worst.size()); ++i) fmt::print("   {}\n", to_text(r.worst[i], m));
    } catch (std::exception& e) {
      fmt::print("error {}\n", e.what());
    }
  };
  using schedule::Operation;
  for (int d : {2, 3, 4, 5, 6, 7})
    for (auto ports : {machine::Ports::unlimited, machine::Ports::duplex}) {
      auto m = unit_steps(fmt::format("hypercube:{}", d), ports);
      fmt::print("d={} ", d);
      auto op = operation(Operation::alltoall, "naive", {.p = 1 << d}, 1 << d);
      op.posting = Posting::ahead;
      op.copies = Copies::free;
      run(m, job_of(op));
    }
  for (const char* a : {"linear", "pairwise", "circle", "stable"}) {
    auto m = unit_steps("hypercube:7", machine::Ports::unlimited);
    auto op = operation(Operation::alltoall, a, {.p = 128}, 128);
    op.posting = Posting::ahead;
    op.copies = Copies::free;
    fmt::print("{} ", a);
    run(m, job_of(op));
  }
  for (int d : {5, 6, 7})
    for (const char* a : {"linear", "stable", "pairwise"})
      for (int ah : {1, 0}) {
        auto m = ipsc(d);
        auto op = operation(Operation::alltoall, a, {.p = 1 << d}, 1024 << d);
        op.posting = ah ? Posting::ahead : Posting::by_round;
        op.copies = Copies::free;
        if (std::string(a) == "stable") op.idle = 95 + .394 * 1024;
        fmt::print("{} {} ah{} units of 95+.394m: ", d, a, ah);
        Report r = simulate::simulate(m, job_of(op));
        fmt::print("{} {}\n", r.time / (95 + .394 * 1024), r.contentions);
      }
  for (const char* a : {"linear", "pairwise", "naive"}) {
    auto m = ipsc(10);
    auto op = operation(Operation::alltoall, a, {.p = 1024}, 1024 << 10);
    op.posting = Posting::ahead;
    op.copies = Copies::free;
    fmt::print("{} ", a);
    run(m, job_of(op));
  }
}
