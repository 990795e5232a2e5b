// SPDX-License-Identifier: BSD-3-Clause
// Runs random collectives of tutti, several at a time, and compares each with the result of the
// same call of the MPI. It draws all operations, types and operators, equal and unequal counts,
// groups of the world and of parts of it, and blocking, non-blocking and persistent calls. The
// calls of the MPI are made while those of tutti are in flight.
// Usage: under an MPI: mpi_random [seconds [seed]]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "mpi_pair.hpp"

namespace {

using tutti::test::One;
using tutti::test::Operator;
using tutti::test::Pair;
using tutti::test::What;

class Run {
 public:
  explicit Run(unsigned seed) : random_(seed), operators_(tutti::test::all_operators()) {
    int me = 0, p = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    pairs_.push_back({tutti_world(), MPI_COMM_WORLD});
    Pair same;
    tutti_group_dup(tutti_world(), &same.group);
    MPI_Comm_dup(MPI_COMM_WORLD, &same.comm);
    pairs_.push_back(same);
    const int colors[] = {me % 2, 2 * me / p, (me + 1) % p == 0 ? 1 : 0,
                          static_cast<int>(random_() >> me & 1), 0};
    for (const int color : colors) {
      Pair part;
      const int key = (me * 7 + 3) % (p + 1);
      tutti_group_split(tutti_world(), color, key, &part.group);
      MPI_Comm_split(MPI_COMM_WORLD, color, key, &part.comm);
      pairs_.push_back(part);
    }
  }

  int for_seconds(double seconds) {
    const auto begin = std::chrono::steady_clock::now();
    for (int go_on = 1; go_on != 0 && wrong_ == 0;) {
      for (int i = 0; i < 50; ++i) one();
      finish();
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      go_on = passed.count() < seconds ? 1 : 0;
      MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
      MPI_Allreduce(MPI_IN_PLACE, &wrong_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return wrong_;
  }
  [[nodiscard]] int operations() const { return number_; }

 private:
  // Returns a number that is equal on all ranks.
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void one() {
    constexpr int sizes[] = {0, 1, 2, 3, 9, 33, 500, 5001, 100'000};
    const Pair& where = pairs_[static_cast<std::size_t>(below(static_cast<int>(pairs_.size())))];
    What what;
    what.number = ++number_;
    what.operation = static_cast<tutti_operation>(below(TUTTI_OP_EXSCAN + 1));
    what.counted =
        what.operation >= TUTTI_OP_SCATTER && what.operation <= TUTTI_OP_ALLTOALL && below(2) == 0;
    const int root = below(1 << 20);
    what.root = root % tutti_size(where.group);
    what.n = sizes[below(40) == 0 ? 8 : below(8)];
    what.op = below(static_cast<int>(operators_.size()));
    const Operator& op = operators_[static_cast<std::size_t>(what.op)];
    what.type = static_cast<tutti_type>(op.first + below(op.last - op.first + 1));
    what.strided = below(3) == 0;
    what.in_place = below(3) == 0;
    what.way = below(3);
    auto made = std::make_unique<One>(where, what, op);
    if (made->start() != TUTTI_OK) complain(made->verdict() + ": " + tutti_error_text());
    made->refer();
    pending_.push_back(std::move(made));
    if (pending_.size() >= 6 || below(4) == 0) finish();
  }

  void finish() {
    std::vector<tutti_request> requests;
    for (const auto& one : pending_) requests.push_back(one->request);
    if (tutti_waitall(static_cast<int>(requests.size()), requests.data()) != TUTTI_OK)
      complain(tutti_error_text());
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (requests[i].id != 0) tutti_request_free(&requests[i]);
      const std::string verdict = pending_[i]->verdict();
      if (!verdict.empty()) complain(verdict);
    }
    pending_.clear();
  }

  void complain(const std::string& text) {
    if (++wrong_ < 5) std::fprintf(stderr, "%s\n", text.c_str());
  }

  std::mt19937 random_;
  std::vector<Operator> operators_;
  std::vector<Pair> pairs_;
  std::vector<std::unique_ptr<One>> pending_;
  int number_ = 0, wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 3;
  const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 20261121);
  MPI_Init(&argc, &argv);
  if (tutti_init() != TUTTI_OK) return 1;
  const bool speaks = tutti_rank(tutti_world()) == 0;
  if (speaks) std::printf("mpi_random %g %u\n", seconds, seed);
  Run run(seed);
  const int wrong = run.for_seconds(seconds);
  if (speaks && wrong == 0) std::printf("right: %d operations\n", run.operations());
  tutti_finalize();
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
