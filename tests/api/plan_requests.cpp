// SPDX-License-Identifier: BSD-3-Clause
// Tests plans by name that are started and waited for later, once and repeatedly, several at a
// time. It also tests which calls are refused.
#include <tutti/tutti.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

int me = 0, p = 1;

void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "rank %d: %s: %s\n", me, what, tutti_error_text());
  std::exit(1);
}

tutti_plan plan_of(tutti_operation operation, const char* algorithm, int branches) {
  tutti_plan_request request = {};
  request.struct_size = sizeof request;
  request.operation = operation;
  request.algorithm = algorithm;
  request.branches = branches;
  request.root = operation == TUTTI_OP_BROADCAST ? p - 1 : 0;
  tutti_plan plan{};
  require(tutti_plan_get(tutti_world(), &request, &plan) == TUTTI_OK, algorithm);
  return plan;
}

struct Vector {
  std::vector<double> values;
  tutti_data data;
  explicit Vector(std::size_t n)
      : values(n), data(tutti_array(values.data(), static_cast<int64_t>(n), TUTTI_DOUBLE)) {}
  void fill(double value) { values.assign(values.size(), value); }
  void check(double wanted, const char* what) const {
    for (const double value : values) require(value == wanted, what);
  }
};

// Two plans of one group are in flight at the same time. They are waited for in either order.
void again_and_again(std::size_t n) {
  Vector mine(n), sum(n), news(n);
  const tutti_plan ring = plan_of(TUTTI_OP_ALLREDUCE, "ring", 0),
                   tree = plan_of(TUTTI_OP_BROADCAST, "tree", 2);
  const tutti_run add = {sizeof(tutti_run), &mine.data, &sum.data, TUTTI_SUM, nullptr};
  const tutti_run tell = {sizeof(tutti_run), nullptr, &news.data, {0}, nullptr};
  std::array<tutti_request, 2> requests{};
  require(tutti_plan_init(ring, &add, &requests[0]) == TUTTI_OK, "init of the sum");
  require(tutti_plan_init(tree, &tell, &requests[1]) == TUTTI_OK, "init of the broadcast");
  for (int turn = 0; turn < 100; ++turn) {
    mine.fill(me + turn);
    news.fill(me == p - 1 ? turn : -1);
    for (const tutti_request request : requests) require(tutti_start(request) == TUTTI_OK, "start");
    const std::size_t first = turn % 2 == 0 ? 0 : 1;
    require(
        tutti_wait(&requests[first]) == TUTTI_OK && tutti_wait(&requests[1 - first]) == TUTTI_OK,
        "wait");
    sum.check(p * turn + p * (p - 1) / 2, "sum");
    news.check(turn, "news");
  }
  for (tutti_request& request : requests) require(tutti_request_free(&request) == TUTTI_OK, "free");
}

void once(std::size_t n) {
  Vector mine(n);
  mine.fill(me + 1);
  const tutti_plan plan = plan_of(TUTTI_OP_ALLREDUCE, "mst", 0);
  const tutti_run run = {sizeof(tutti_run), &mine.data, &mine.data, TUTTI_MAX, nullptr};
  tutti_request request{};
  require(tutti_plan_start(plan, &run, &request) == TUTTI_OK, "start of a plan");
  require(tutti_wait(&request) == TUTTI_OK && request.id == 0, "wait for it");
  mine.check(p, "maximum");
}

void refused() {
  Vector mine(1);
  std::int32_t rank = 0;
  const tutti_locations where = {&rank, 1, 0};
  const tutti_plan plan = plan_of(TUTTI_OP_ALLREDUCE, "mst", 0);
  const tutti_run located = {sizeof(tutti_run), &mine.data, &mine.data, TUTTI_ABSMAX, &where};
  const tutti_run good = {sizeof(tutti_run), &mine.data, &mine.data, TUTTI_ABSMAX, nullptr};
  tutti_request request{};
  const auto says = [](tutti_status status, tutti_status wanted, const char* words) {
    require(status == wanted && std::strstr(tutti_error_text(), words) != nullptr, words);
  };
  says(tutti_plan_init(plan, &located, &request), TUTTI_INVALID_ARGUMENT,
       "tutti_plan_init: run.locations is for");
  says(tutti_plan_start(plan, &good, nullptr), TUTTI_INVALID_ARGUMENT,
       "tutti_plan_start: argument 'request' is NULL");
  says(tutti_plan_start(plan, nullptr, &request), TUTTI_INVALID_ARGUMENT, "argument 'run'");
  says(tutti_plan_init({77}, &good, &request), TUTTI_STALE_HANDLE, "argument 'plan' names no plan");
  require(request.id == 0, "a request of a refused call");
}

}  // namespace

int main() {
  tutti_errors_return();
  if (tutti_init() != TUTTI_OK) return 1;
  me = tutti_rank(tutti_world());
  p = tutti_size(tutti_world());
  for (const std::size_t n : {std::size_t{1}, std::size_t{0}, std::size_t{40'000}}) {
    again_and_again(n);
    once(n);
  }
  refused();
  return tutti_finalize();
}
