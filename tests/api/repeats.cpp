// SPDX-License-Identifier: BSD-3-Clause
// Calls that repeat earlier ones take a shorter way. A random mix of repeated and changed calls
// must give the right results. It changes sizes, roots, types, operators, layouts and places in
// memory, uses plans by name in between, with and without locations, and gives memory back. The
// user's hook may free the group of the call.
// Usage: under `tutti run -n P`: repeats [seed]
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

constexpr int calls = 4000;
constexpr int largest = 600;  // more than a located operator delivers at a time

class Mix {
 public:
  explicit Mix(unsigned seed)
      : random_(seed), world_(tutti_world()), me_(tutti_rank(world_)), p_(tutti_size(world_)) {
    for (auto& buffer : buffers_) buffer.resize(2 * largest + 8);
  }

  int wrong() {
    int found = 0;
    for (int i = 0; i < calls; ++i) {
      if (i == 0 || below(3) == 0) change();
      const bool good = run(i);
      if (!good && ++found < 5) {
        std::fprintf(stderr, "rank %d: call %d (kind %d, %d elements, root %d) is wrong: %s\n", me_,
                     i, kind_, count_, root_, tutti_error_text());
      }
    }
    return found;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // Changes one of the properties that identify a call.
  void change() {
    constexpr int counts[] = {0, 1, 2, 5, 30, 31, largest};
    switch (below(6)) {
      case 0:
        count_ = counts[below(7)];
        break;
      case 1:
        root_ = below(p_);
        break;
      case 2:
        maximum_ = !maximum_;
        break;
      case 3:
        strided_ = !strided_;
        break;
      case 4:
        if (below(8) == 0) tutti_mail_release(0);
        break;
      default:
        kind_ = below(6);
    }
  }

  // Returns data; strided data have columns of two elements with a gap after each.
  tutti_data data(std::vector<double>& buffer, int shift) const {
    tutti_data all = tutti_array(buffer.data() + shift, count_, TUTTI_DOUBLE);
    if (!strided_ || count_ % 2 != 0) return all;
    all.shape = TUTTI_MATRIX;
    all.m = 2;
    all.n = count_ / 2;
    all.ld = 3;
    return all;
  }
  double& at(std::vector<double>& buffer, int shift, int i) const {
    const bool gaps = strided_ && count_ % 2 == 0;
    return buffer[static_cast<std::size_t>(shift + (gaps ? i / 2 * 3 + i % 2 : i))];
  }

  bool run(int call) {
    std::vector<double>& from = buffers_[call % 2];
    std::vector<double>& to = buffers_[2 + below(2)];
    const int shift = below(4);
    const bool given = below(2) == 0 || me_ == root_;  // where it is not needed
    const tutti_data input = data(from, shift), output = data(to, shift);
    for (int i = 0; i < count_; ++i) {
      at(from, shift, i) = value(me_, call, i);
      at(to, shift, i) = -1;
    }
    const tutti_op op = maximum_ ? TUTTI_MAX : TUTTI_SUM;
    switch (kind_) {
      case 0:
        return tutti_barrier(world_) == TUTTI_OK;
      case 1:
        return tutti_bcast(world_, &input, root_) == TUTTI_OK &&
               holds(from, shift, [&](int i) { return value(root_, call, i); });
      case 2:
        return tutti_reduce(world_, &input, given ? &output : nullptr, op, root_) == TUTTI_OK &&
               (me_ != root_ || holds(to, shift, [&](int i) { return combined(call, i); }));
      case 3:
        return tutti_allreduce(world_, &input, &output, op) == TUTTI_OK &&
               holds(to, shift, [&](int i) { return combined(call, i); });
      case 4:
        return by_name(input, output, op, nullptr) &&
               holds(to, shift, [&](int i) { return combined(call, i); });
      default:
        return located(input, output, call) &&
               holds(to, shift, [&](int i) { return value(winner(call, i), call, i); });
    }
  }

  // Calls operators with and without locations. Ties and distances change with the call.
  bool located(const tutti_data& input, const tutti_data& output, int call) {
    if (call % 5 == 0) {
      tutti_locations nowhere = {nullptr, largest, 0};
      if (count_ > 0 && by_name(input, output, TUTTI_ABSMAX, &nowhere)) return false;
    }
    ranks_.assign(2 * largest + 8, -1);
    const int shift = below(4);
    distance_root_ = below(2) == 0 ? distance_root_ : below(p_);
    const tutti_locations where = {ranks_.data() + shift, 3, distance_root_};
    if (!by_name(input, output, TUTTI_ABSMAX, &where)) return false;
    const bool gaps = strided_ && count_ % 2 == 0;
    for (int i = 0; i < count_; ++i) {
      if (where.rank[gaps ? i / 2 * 3 + i % 2 : i] != winner(call, i)) return false;
    }
    return true;
  }
  int winner(int call, int i) const {
    int best = distance_root_;
    for (int step = 1; step < p_; ++step) {
      const int rank = (distance_root_ + step) % p_;
      if (value(rank, call, i) > value(best, call, i)) best = rank;
    }
    return best;
  }

  // Runs a plan by name, which the chosen calls may use, too.
  bool by_name(const tutti_data& input, const tutti_data& output, tutti_op op,
               const tutti_locations* locations) const {
    tutti_plan_request request{};
    request.struct_size = sizeof request;
    request.operation = TUTTI_OP_ALLREDUCE;
    request.algorithm = "direct";
    tutti_plan plan;
    tutti_run arguments{};
    arguments.struct_size = sizeof arguments;
    arguments.input = &input;
    arguments.output = &output;
    arguments.op = op;
    arguments.locations = locations;
    return tutti_plan_get(world_, &request, &plan) == TUTTI_OK &&
           tutti_plan_run(plan, &arguments) == TUTTI_OK;
  }

  // The values are coarse, so that ranks may tie.
  double value(int rank, int call, int i) const {
    const int fine = (rank * 7 + call * 3 + i) % 101;
    return kind_ == 5 ? fine / 20 : fine;
  }
  double combined(int call, int i) const {
    double result = 0;
    for (int r = 0; r < p_; ++r) {
      result = maximum_ ? std::max(result, value(r, call, i)) : result + value(r, call, i);
    }
    return result;
  }
  template <class Expected>
  bool holds(std::vector<double>& buffer, int shift, const Expected& expected) const {
    for (int i = 0; i < count_; ++i) {
      if (at(buffer, shift, i) != expected(i)) return false;
    }
    return true;
  }

  std::mt19937 random_;
  tutti_group world_;
  int me_, p_;
  int kind_ = 3, count_ = 1, root_ = 0, distance_root_ = 0;
  bool maximum_ = false, strided_ = false;
  std::vector<double> buffers_[4];
  std::vector<std::int32_t> ranks_;
};

void free_group(void* /*user*/, tutti_group group, tutti_plan /*plan*/,
                const tutti_plan_request* /*shape*/) {
  tutti_on_run(nullptr, nullptr);
  tutti_group_free(group);
}

bool hook_may_free_the_group() {
  const int me = tutti_rank(tutti_world());
  tutti_group own;
  if (tutti_group_create(tutti_world(), 1, &me, &own) != TUTTI_OK) return false;
  tutti_on_run(free_group, nullptr);
  return tutti_barrier(own) == TUTTI_OK && tutti_barrier(own) == TUTTI_STALE_HANDLE;
}

}  // namespace

int main(int argc, char** argv) {
  tutti_errors_return();
  if (tutti_init() != TUTTI_OK) return 1;
  const unsigned seed =
      argc > 1 ? static_cast<unsigned>(std::atol(argv[1])) : std::random_device{}();
  tutti_data shared;
  unsigned agreed = seed;
  shared = tutti_array(&agreed, 1, TUTTI_INT32);
  if (tutti_bcast(tutti_world(), &shared, 0) != TUTTI_OK) return 1;
  if (tutti_rank(tutti_world()) == 0) std::printf("seed %u\n", agreed);
  int wrong = Mix(agreed).wrong();
  if (!hook_may_free_the_group()) ++wrong;
  tutti_finalize();
  return wrong == 0 ? 0 : 1;
}
