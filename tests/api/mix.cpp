// SPDX-License-Identifier: BSD-3-Clause
// Runs random mixes of blocking, non-blocking and persistent calls of all operations on several
// groups. All ranks start the same operations in the same order. Each rank decides for itself in
// which order and how it waits for them. Data lie in memory of tutti_alloc or elsewhere, and ranks
// may differ in that. With "long", vectors have up to 4 MiB. Usage: under `tutti run -n P`: mix
// [operations [seed ["long"]]]
#include <tutti/tutti.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "collective_case.hpp"

namespace {

using tutti::test::Call;
using tutti::test::Case;
using tutti::test::Way;

constexpr std::size_t most_at_once = 8;

struct Running {
  std::unique_ptr<Call> call;
  tutti_request request{0};
  bool persistent = false;
};

class Mix {
 public:
  Mix(int operations, unsigned seed, bool is_long)
      : operations_(operations),
        is_long_(is_long),
        together_(seed),
        alone_(seed * 31 + static_cast<unsigned>(tutti_rank(tutti_world()))) {
    const tutti_group world = tutti_world();
    const int me = tutti_rank(world), p = tutti_size(world);
    groups_.push_back(world);
    expect(tutti_group_dup(world, &groups_.emplace_back()));
    expect(tutti_group_split(world, me % 2, -me, &groups_.emplace_back()));
    const int columns = p % 3 == 0 ? 3 : p % 2 == 0 ? 2 : 1;
    tutti_group row{0}, column{0};
    expect(tutti_group_mesh(world, p / columns, columns, &row, &column));
    groups_.insert(groups_.end(), {row, column});
    expect(tutti_op_create(TUTTI_INT64, tutti::test::compose, 0, nullptr, &compose_));
  }

  int run() {
    for (int i = 0; i < operations_ && wrong_ == 0; ++i) {
      if (running_.size() >= most_at_once || below(6) == 0) wait_for_all();
      start(i);
    }
    wait_for_all();
    for (Running& idle : idle_) expect(tutti_request_free(&idle.request));
    for (std::size_t i = 1; i < groups_.size(); ++i) expect(tutti_group_free(groups_[i]));
    expect(tutti_op_free(compose_));
    return wrong_;
  }

 private:
  int below(int n) { return static_cast<int>(together_() % static_cast<unsigned>(n)); }

  void expect(tutti_status status, const std::string& what = {}) {
    if (status != TUTTI_OK) complain(what + ": " + tutti_error_text());
  }
  void complain(const std::string& text) {
    if (++wrong_ < 5)
      std::fprintf(stderr, "rank %d: %s\n", tutti_rank(tutti_world()), text.c_str());
  }

  Case any_case(int number, tutti_group group) {
    constexpr std::int64_t sizes[] = {0, 1, 2, 7, 33, 500, 5000};
    Case one;
    one.operation = static_cast<tutti_operation>(below(TUTTI_OP_EXSCAN + 1));
    one.by_counts =
        one.operation >= TUTTI_OP_SCATTER && one.operation <= TUTTI_OP_ALLTOALL && below(2) == 0;
    one.root = below(1000) % tutti_size(group);
    one.n = sizes[below(60) == 0 ? 6 : below(6)];
    if (is_long_) one.n = long_size(one, tutti_size(group));
    one.in_place = below(3) == 0;
    one.strided = below(3) == 0;
    one.ordered = below(2) == 0;
    one.op = one.ordered ? compose_ : TUTTI_SUM;
    one.salt = number;
    const int all = below(3);  // in the segment; 2: each side of each rank as it likes
    one.input_in_segment = all == 2 ? alone_() % 2 == 0 : all == 1;
    one.output_in_segment = all == 2 ? alone_() % 2 == 0 : all == 1;
    return one;
  }

  // Where the vector is cut by rank, `n` is a part of it.
  std::int64_t long_size(const Case& one, int p) {
    constexpr std::int64_t bytes[] = {8, 4096, 65536, 131072, 160008, 524288, 1000008, 4194304};
    const bool cut = one.operation >= TUTTI_OP_SCATTER && one.operation <= TUTTI_OP_ALLTOALL;
    return std::max<std::int64_t>(bytes[below(8)] / 8 / (cut ? p : 1), 1);
  }

  void start(int number) {
    const Way way = static_cast<Way>(below(3));
    if (way == Way::persistent && idle_.size() > 4 && below(3) != 0) return start_again();
    const tutti_group group =
        groups_[static_cast<std::size_t>(below(static_cast<int>(groups_.size())))];
    Running one{
        std::make_unique<Call>(group, any_case(number, group)), {0}, way == Way::persistent};
    one.call->fill();
    expect(one.call->make(way, &one.request), describe(one.call->what()));
    if (way == Way::blocking) return check(one);
    if (way == Way::persistent) expect(tutti_start(one.request), describe(one.call->what()));
    running_.push_back(std::move(one));
  }

  void start_again() {
    const auto which = idle_.begin() + below(static_cast<int>(idle_.size()));
    Running one = std::move(*which);
    idle_.erase(which);
    one.call->fill();
    expect(tutti_start(one.request), describe(one.call->what()));
    running_.push_back(std::move(one));
  }

  void check(const Running& one) {
    const std::string verdict = one.call->verdict();
    if (!verdict.empty()) complain(verdict);
  }

  // Waits in any order and by any means. The operations themselves stay in order for the next step.
  void wait_for_all() {
    std::vector<tutti_request> requests;
    for (const Running& one : running_) requests.push_back(one.request);
    for (std::size_t tries = alone_() % 2 == 0 ? running_.size() : 0; tries > 0; --tries) {
      tutti_request& request = requests[alone_() % requests.size()];
      int done = 0;
      expect(alone_() % 2 == 0 ? tutti_wait(&request) : tutti_test(&request, &done),
             "one of several");
    }
    expect(tutti_waitall(static_cast<int>(requests.size()), requests.data()), "all");
    for (std::size_t i = 0; i < running_.size(); ++i) {
      check(running_[i]);
      if (running_[i].persistent) idle_.push_back(std::move(running_[i]));
    }
    running_.clear();
    while (idle_.size() > 8) {
      expect(tutti_request_free(&idle_.front().request));
      idle_.erase(idle_.begin());
    }
  }

  int operations_;
  bool is_long_;
  std::mt19937 together_, alone_;
  std::vector<tutti_group> groups_;
  tutti_op compose_{0};
  std::vector<Running> running_, idle_;
  int wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int operations = argc > 1 ? std::atoi(argv[1]) : 1000;
  const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 20261121);
  const bool is_long = argc > 3 && std::strcmp(argv[3], "long") == 0;
  if (tutti_init() != TUTTI_OK) return 1;
  const bool speaks = tutti_rank(tutti_world()) == 0;
  if (speaks) std::printf("mix %d %u%s\n", operations, seed, is_long ? " long" : "");
  const int wrong = Mix(operations, seed, is_long).run();
  tutti_finalize();
  if (speaks && wrong == 0) std::printf("right\n");
  return wrong == 0 ? 0 : 1;
}
