// SPDX-License-Identifier: BSD-3-Clause
// Tests repeated calls whose input and output differ in size: gather, scatter, allgather,
// reduce-scatter and complete exchange. Sizes, roots and places in memory change now and then, also
// to in place and back. Input and output that overlap in another way must be refused, also after
// calls that were not refused.
// Usage: under `tutti run -n P`: repeats_parts [seed]
#include <tutti/tutti.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

constexpr int calls = 3000;
constexpr int largest = 150;

class Mix {
 public:
  explicit Mix(unsigned seed)
      : random_(seed),
        world_(tutti_world()),
        me_(tutti_rank(world_)),
        p_(tutti_size(world_)),
        part_(largest + shifts),
        whole_(static_cast<std::size_t>(largest * p_ + shifts)),
        other_(whole_) {}

  int wrong() {
    int found = 0;
    for (call_ = 0; call_ < calls; ++call_) {
      if (call_ == 0 || below(4) == 0) change();
      shift_ = below(shifts);
      const bool good = run();
      if (!good && ++found < 5) {
        std::fprintf(stderr,
                     "rank %d: call %d (kind %d, %d elements, root %d, in place %d) is wrong: %s\n",
                     me_, call_, kind_, count_, root_, in_place_ ? 1 : 0, tutti_error_text());
      }
    }
    return found;
  }

 private:
  static constexpr int shifts = 4;
  enum Kind { gather, scatter, allgather, reduce_scatter, alltoall, refused, kinds };

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void change() {
    constexpr int counts[] = {0, 1, 2, 5, 31, largest};
    switch (below(4)) {
      case 0:
        count_ = counts[below(6)];
        break;
      case 1:
        root_ = below(p_);
        break;
      case 2:
        in_place_ = !in_place_;
        break;
      default:
        kind_ = below(kinds);
    }
  }

  // Returns the contribution of `from` at an index, and the sum of all contributions.
  [[nodiscard]] double value(int from, int index) const {
    return (from * 7 + call_ * 3 + index) % 101;
  }
  [[nodiscard]] double sum(int index) const {
    double all = 0;
    for (int r = 0; r < p_; ++r) all += value(r, index);
    return all;
  }

  bool run() {
    if (kind_ == refused) return is_refused();
    double* const whole = whole_.data() + shift_;
    double* const part = in_place_ ? whole + me_ * count_ : part_.data() + shift_;
    const tutti_data all = tutti_array(whole, count_ * p_, TUTTI_DOUBLE),
                     own = tutti_array(part, count_, TUTTI_DOUBLE);
    const bool at_root = me_ == root_;
    for (int i = 0; i < count_ * p_; ++i) whole[i] = value(me_, i);
    const bool from_parts = kind_ == gather || kind_ == allgather;
    for (int i = 0; from_parts && i < count_; ++i) part[i] = value(me_, i);
    switch (kind_) {
      case gather:
        return tutti_gather(world_, &own, at_root ? &all : nullptr, root_) == TUTTI_OK &&
               (!at_root || holds_all(whole));
      case scatter:
        return tutti_scatter(world_, at_root ? &all : nullptr, &own, root_) == TUTTI_OK &&
               holds(part, [&](int i) { return value(root_, me_ * count_ + i); });
      case allgather:
        return tutti_allgather(world_, &own, &all) == TUTTI_OK && holds_all(whole);
      case reduce_scatter:
        return tutti_reduce_scatter(world_, &all, &own, TUTTI_SUM) == TUTTI_OK &&
               holds(part, [&](int i) { return sum(me_ * count_ + i); });
      default:
        return exchange(all);
    }
  }

  bool exchange(const tutti_data& all) {
    double* const to = in_place_ ? static_cast<double*>(all.address) : other_.data() + shift_;
    const tutti_data output = tutti_array(to, count_ * p_, TUTTI_DOUBLE);
    if (tutti_alltoall(world_, &all, &output) != TUTTI_OK) return false;
    for (int r = 0; r < p_; ++r) {
      if (!holds(to + r * count_, [&](int i) { return value(r, me_ * count_ + i); })) return false;
    }
    return true;
  }

  // The output begins one element beside the place that is allowed.
  bool is_refused() {
    if (count_ < 2) return true;
    double* const whole = whole_.data();
    const tutti_data all = tutti_array(whole, count_ * p_, TUTTI_DOUBLE);
    const tutti_data own = tutti_array(whole + me_ * count_ + 1, count_, TUTTI_DOUBLE);
    return tutti_allgather(world_, &own, &all) == TUTTI_INVALID_ARGUMENT &&
           tutti_reduce_scatter(world_, &all, &own, TUTTI_SUM) == TUTTI_INVALID_ARGUMENT;
  }

  [[nodiscard]] bool holds_all(const double* whole) const {
    for (int r = 0; r < p_; ++r) {
      if (!holds(whole + r * count_, [&](int i) { return value(r, i); })) return false;
    }
    return true;
  }
  template <class Expected>
  [[nodiscard]] bool holds(const double* found, const Expected& expected) const {
    for (int i = 0; i < count_; ++i) {
      if (found[i] != expected(i)) return false;
    }
    return true;
  }

  std::mt19937 random_;
  tutti_group world_;
  int me_, p_;
  std::vector<double> part_, whole_, other_;
  int call_ = 0, kind_ = gather, count_ = 1, root_ = 0, shift_ = 0;
  bool in_place_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  tutti_errors_return();
  if (tutti_init() != TUTTI_OK) return 1;
  unsigned agreed = argc > 1 ? static_cast<unsigned>(std::atol(argv[1])) : std::random_device{}();
  const tutti_data shared = tutti_array(&agreed, 1, TUTTI_INT32);
  if (tutti_bcast(tutti_world(), &shared, 0) != TUTTI_OK) return 1;
  if (tutti_rank(tutti_world()) == 0) std::printf("seed %u\n", agreed);
  const int wrong = Mix(agreed).wrong();
  tutti_finalize();
  return wrong == 0 ? 0 : 1;
}
