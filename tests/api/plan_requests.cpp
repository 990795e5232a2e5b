// SPDX-License-Identifier: BSD-3-Clause
// Tests plans by name that are started and waited for later, once and repeatedly, several at a
// time. It also tests which calls are refused.
#include <tutti/tutti.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
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
  const tutti_run add = {sizeof(tutti_run), &mine.data, &sum.data, TUTTI_SUM,
                         nullptr,           nullptr,    nullptr,   nullptr};
  const tutti_run tell = {sizeof(tutti_run), nullptr, &news.data, {0},
                          nullptr,           nullptr, nullptr,    nullptr};
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
  const tutti_run run = {sizeof(tutti_run), &mine.data, &mine.data, TUTTI_MAX,
                         nullptr,           nullptr,    nullptr,    nullptr};
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
  const tutti_run located = {sizeof(tutti_run), &mine.data, &mine.data, TUTTI_ABSMAX, &where,
                             nullptr,           nullptr,    nullptr};
  const tutti_run good = {sizeof(tutti_run), &mine.data, &mine.data, TUTTI_ABSMAX,
                          nullptr,           nullptr,    nullptr,    nullptr};
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

tutti_plan_request request_for(tutti_operation operation, const char* algorithm, int rows) {
  tutti_plan_request request = {};
  request.struct_size = sizeof request;
  request.operation = operation;
  request.algorithm = algorithm;
  request.bytes = 1000;
  request.rows = rows;
  return request;
}

std::string text_of(const tutti_plan_request& request) {
  tutti_plan plan{};
  require(tutti_plan_get(tutti_world(), &request, &plan) == TUTTI_OK, request.algorithm);
  std::string text(tutti_plan_text(plan, nullptr, 0) + 1, ' ');
  tutti_plan_text(plan, text.data(), text.size());
  return text;
}

// Settings in a name mean what the fields mean. Four ranks are a mesh of two rows.
void settings_in_names() {
  tutti_plan_request fields = request_for(TUTTI_OP_BROADCAST, "tree", 0);
  fields.branches = 3;
  require(text_of(fields) == text_of(request_for(TUTTI_OP_BROADCAST, "tree:branches=3", 0)),
          "tree:branches=3");
  const int factors[] = {p};
  fields = request_for(TUTTI_OP_ALLGATHER, "hybrid", 0);
  fields.factors = factors;
  fields.factor_count = p == 1 ? 0 : 1;
  fields.cut = fields.factor_count;
  require(text_of(fields) == text_of(request_for(TUTTI_OP_ALLGATHER, "hybrid:long", 0)),
          "hybrid:long on a line");
  if (p != 4) return;
  for (const auto& [name, factors_of_it] :
       {std::pair{"hybrid:long", "hybrid:2rx2c"}, {"hybrid:short", "hybrid:.2r.2c"}})
    require(text_of(request_for(TUTTI_OP_GATHER, name, 2)) ==
                text_of(request_for(TUTTI_OP_GATHER, factors_of_it, 0)),
            name);
  require(text_of(request_for(TUTTI_OP_BROADCAST, "hybrid:short", 2)) ==
              text_of(request_for(TUTTI_OP_BROADCAST, "hybrid:.2c.2r", 0)),
          "hybrid:short of a broadcast");
  // By the model, few bytes go along trees, and many along rings.
  tutti_plan_request few = request_for(TUTTI_OP_BROADCAST, "hybrid", 2), many = few;
  few.bytes = 1;
  many.bytes = 1 << 30;
  require(text_of(few) != text_of(many), "the size decides which hybrid it is");
}

// A program that was compiled with the first version of the structures.
void older_structures() {
  tutti_plan_request request = request_for(TUTTI_OP_ALLREDUCE, "mst", 77);
  request.struct_size = offsetof(tutti_plan_request, rows);
  tutti_plan plan{};
  require(tutti_plan_get(tutti_world(), &request, &plan) == TUTTI_OK, "an older request");
  Vector mine(3);
  mine.fill(1);
  const std::int64_t no_counts = -1;
  const auto never_asked = [](void*) { return 1; };
  const tutti_run run = {offsetof(tutti_run, counts),
                         &mine.data,
                         &mine.data,
                         TUTTI_SUM,
                         nullptr,
                         &no_counts,
                         nullptr,
                         nullptr};
  require(tutti_plan_run(plan, &run) == TUTTI_OK, "an older run");
  mine.check(p, "sum of an older run");
  mine.fill(1);
  tutti_run later = run;
  later.struct_size = offsetof(tutti_run, give_up);
  later.counts = nullptr;
  later.give_up = never_asked;
  tutti_request request_of_it{};
  require(tutti_plan_start(plan, &later, &request_of_it) == TUTTI_OK &&
              tutti_wait(&request_of_it) == TUTTI_OK,
          "a run without a predicate");
  mine.check(p, "sum of a run without a predicate");
}

// If all ranks know all counts, any algorithm gathers and scatters parts of different lengths.
void counts_everywhere() {
  std::vector<std::int64_t> counts;
  std::int64_t all = 0, start = 0;
  for (int r = 0; r < p; ++r) {
    counts.push_back(r % 3 * 5);
    if (r < me) start += counts.back();
    all += counts.back();
  }
  const auto own = static_cast<std::size_t>(counts[static_cast<std::size_t>(me)]);
  for (const char* algorithm : {"mst", "hybrid:long", "fully_connected"}) {
    Vector mine(own), back(own), whole(static_cast<std::size_t>(all));
    for (std::size_t i = 0; i < own; ++i)
      mine.values[i] = static_cast<double>(start) + static_cast<double>(i);
    const tutti_plan gather = plan_of(TUTTI_OP_GATHER, algorithm, 0),
                     scatter = plan_of(TUTTI_OP_SCATTER, algorithm, 0);
    const tutti_data* const at_root = me == 0 ? &whole.data : nullptr;
    const tutti_run bring = {sizeof(tutti_run), &mine.data,    at_root, {0},
                             nullptr,           counts.data(), nullptr, nullptr};
    const tutti_run divide = {sizeof(tutti_run), at_root,       &back.data, {0},
                              nullptr,           counts.data(), nullptr,    nullptr};
    for (int turn = 0; turn < 3; ++turn) {
      require(tutti_plan_run(gather, &bring) == TUTTI_OK, algorithm);
      require(tutti_plan_run(scatter, &divide) == TUTTI_OK, algorithm);
      for (std::size_t i = 0; me == 0 && i < whole.values.size(); ++i)
        require(whole.values[i] == static_cast<double>(i), "gathered");
      require(back.values == mine.values, "scattered");
    }
  }
}

void refused_requests() {
  tutti_plan plan{};
  const auto says = [&](const tutti_plan_request& request, tutti_status wanted, const char* words) {
    require(tutti_plan_get(tutti_world(), &request, &plan) == wanted &&
                std::strstr(tutti_error_text(), words) != nullptr,
            words);
  };
  says(request_for(TUTTI_OP_GATHER, "hybrid:shrt", 0), TUTTI_INVALID_ARGUMENT,
       "there is no setting 'shrt'");
  says(request_for(TUTTI_OP_GATHER, "hybrid:long", -1), TUTTI_INVALID_ARGUMENT,
       "request.rows is -1, which does not divide");
  says(request_for(TUTTI_OP_GATHER, "hybrid:long", p + 1), TUTTI_INVALID_ARGUMENT,
       "which does not divide");
  says(request_for(TUTTI_OP_GATHER, "hybrid:99", 0), TUTTI_NO_SUCH_PLAN,
       "algorithm 'hybrid' does not serve gather");
  Vector mine(1);
  const std::int64_t counts[] = {1};
  const tutti_run run = {sizeof(tutti_run), &mine.data, &mine.data, TUTTI_SUM,
                         nullptr,           counts,     nullptr,    nullptr};
  require(tutti_plan_run(plan_of(TUTTI_OP_ALLREDUCE, "mst", 0), &run) == TUTTI_INVALID_ARGUMENT &&
              std::strstr(tutti_error_text(), "run.counts is for gather") != nullptr,
          "counts of an allreduce");
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
  settings_in_names();
  older_structures();
  counts_everywhere();
  refused_requests();
  return tutti_finalize();
}
