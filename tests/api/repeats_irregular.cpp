// SPDX-License-Identifier: BSD-3-Clause
// Tests repeated calls with counts, and with operators of the program. Most calls repeat the last
// one. A change is small: the length of one block, which only its two ranks know, or a root. Each
// rank frees its operators and makes new ones when it likes, so that a handle stands for another
// operator later.
// Usage: under `tutti run -n P`: repeats_irregular [seed]
#include <tutti/tutti.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr int calls = 3000;
constexpr std::int64_t longest = 9;  // elements of a block

// An operator of the program. The commutative ones add or take the maximum, and the other one keeps
// the left operand.
enum class Does { sum, maximum, left };
struct Made {
  Does does = Does::sum;
  tutti_op op{0};
};
double combined(Does does, double left, double right) {
  return does == Does::sum ? left + right : does == Does::maximum ? std::max(left, right) : left;
}
void combine(void* result, const void* left, const void* right, std::int64_t count, void* user) {
  for (std::int64_t i = 0; i < count; ++i)
    static_cast<double*>(result)[i] =
        combined(static_cast<const Made*>(user)->does, static_cast<const double*>(left)[i],
                 static_cast<const double*>(right)[i]);
}

class Mix {
 public:
  explicit Mix(unsigned seed)
      : random_(seed),
        own_(seed + 1 + static_cast<unsigned>(tutti_rank(tutti_world()))),
        me_(tutti_rank(world_)),
        p_(tutti_size(world_)),
        lengths_(static_cast<std::size_t>(p_ * p_), 1),
        from_(static_cast<std::size_t>(longest * p_ + shifts)),
        to_(from_) {
    for (Made& one : made_) make(one);
  }

  int wrong() {
    int found = 0;
    for (call_ = 0; call_ < calls; ++call_) {
      if (below(3) == 0) change();
      if (own_() % 8 == 0) exchange_operators();
      shift_ = static_cast<std::int64_t>(own_() % shifts);
      const bool good = run();
      if (!good && ++found < 5)
        std::fprintf(stderr, "rank %d: call %d (kind %d, root %d) is wrong: %s\n", me_, call_,
                     kind_, root_, tutti_error_text());
    }
    return found;
  }

 private:
  static constexpr int shifts = 4;
  static constexpr std::int64_t zero = 0;
  enum Kind { gatherv, scatterv, allgatherv, alltoallv, reduce_scatterv, allreduce, kinds };
  using Counts = std::vector<std::int64_t>;

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  [[nodiscard]] std::int64_t& length(int from, int to) {
    return lengths_[static_cast<std::size_t>(from * p_ + to)];
  }

  void change() {
    switch (below(4)) {
      case 0:
        root_ = below(p_);
        break;
      case 1:
        kind_ = below(kinds);
        break;
      default:
        const int from = below(p_), to = below(p_);
        length(from, to) = below(static_cast<int>(longest) + 1);
    }
  }

  static void make(Made& one) {
    const int commutative = one.does == Does::left ? 0 : 1;
    if (tutti_op_create(TUTTI_DOUBLE, combine, commutative, &one, &one.op) != TUTTI_OK)
      std::abort();
  }
  // A new operator gets the place of the one that was freed last.
  void exchange_operators() {
    for (Made& one : made_) tutti_op_free(one.op);
    const std::size_t first = own_() % 3;
    for (std::size_t i = 0; i < 3; ++i) make(made_[(first + i) % 3]);
  }

  [[nodiscard]] Counts row(int from) {
    Counts found;
    for (int to = 0; to < p_; ++to) found.push_back(length(from, to));
    return found;
  }
  [[nodiscard]] Counts column(int to) {
    Counts found;
    for (int from = 0; from < p_; ++from) found.push_back(length(from, to));
    return found;
  }
  static std::int64_t sum(const Counts& counts) {
    return std::accumulate(counts.begin(), counts.end(), zero);
  }
  [[nodiscard]] double value(int from, int to, std::int64_t i) const {
    return static_cast<double>((from * 31 + to * 17 + call_ * 3 + i) % 1009);
  }
  // Writes the blocks that `from` sends to ranks, one behind the other.
  void fill(double* at, int from, const Counts& counts) const {
    for (int to = 0; to < p_; ++to)
      for (std::int64_t i = 0; i < counts[static_cast<std::size_t>(to)]; ++i)
        *at++ = value(from, to, i);
  }
  // Returns true if the blocks hold what each rank has sent to `to`.
  [[nodiscard]] bool holds(const double* at, int to, const Counts& counts) const {
    for (int from = 0; from < p_; ++from)
      for (std::int64_t i = 0; i < counts[static_cast<std::size_t>(from)]; ++i)
        if (*at++ != value(from, to, i)) return false;
    return true;
  }

  bool run() {
    double* const from = from_.data() + shift_;
    double* const to = to_.data() + shift_;
    to_.assign(to_.size(), -1);
    switch (kind_) {
      case gatherv:
      case allgatherv:
        return collect(from, to, column(kind_ == gatherv ? root_ : 0));
      case scatterv:
        return spread(from, to, row(root_));
      case alltoallv:
        return exchange(from, to, row(me_), column(me_));
      default:
        return reduce(from, to, row(0));
    }
  }

  bool collect(double* from, double* to, const Counts& counts) const {
    const int receiver = kind_ == gatherv ? root_ : 0;
    const std::int64_t mine = counts[static_cast<std::size_t>(me_)];
    for (std::int64_t i = 0; i < mine; ++i) from[i] = value(me_, receiver, i);
    const tutti_data input = tutti_array(from, mine, TUTTI_DOUBLE);
    const tutti_data output = tutti_array(to, sum(counts), TUTTI_DOUBLE);
    if (kind_ == allgatherv)
      return tutti_allgatherv(world_, &input, &output, counts.data()) == TUTTI_OK &&
             holds(to, receiver, counts);
    const bool at_root = me_ == root_;
    return tutti_gatherv(world_, &input, at_root ? &output : nullptr,
                         at_root ? counts.data() : nullptr, root_) == TUTTI_OK &&
           (!at_root || holds(to, receiver, counts));
  }

  bool spread(double* from, double* to, const Counts& counts) const {
    const bool at_root = me_ == root_;
    const std::int64_t mine = counts[static_cast<std::size_t>(me_)];
    if (at_root) fill(from, root_, counts);
    const tutti_data input = tutti_array(from, sum(counts), TUTTI_DOUBLE);
    const tutti_data output = tutti_array(to, mine, TUTTI_DOUBLE);
    if (tutti_scatterv(world_, at_root ? &input : nullptr, &output,
                       at_root ? counts.data() : nullptr, root_) != TUTTI_OK)
      return false;
    for (std::int64_t i = 0; i < mine; ++i)
      if (to[i] != value(root_, me_, i)) return false;
    return true;
  }

  bool exchange(double* from, double* to, const Counts& sent, const Counts& received) const {
    fill(from, me_, sent);
    const tutti_data input = tutti_array(from, sum(sent), TUTTI_DOUBLE);
    const tutti_data output = tutti_array(to, sum(received), TUTTI_DOUBLE);
    return tutti_alltoallv(world_, &input, &output, sent.data(), received.data()) == TUTTI_OK &&
           holds(to, me_, received);
  }

  bool reduce(double* from, double* to, const Counts& counts) const {
    const Made& with = made_[call_ / 4 % 3];
    fill(from, me_, counts);
    const auto before = kind_ == allreduce ? counts.begin() : counts.begin() + me_;
    const std::int64_t all = sum(counts), first = std::accumulate(counts.begin(), before, zero);
    const std::int64_t mine = kind_ == allreduce ? all : counts[static_cast<std::size_t>(me_)];
    const tutti_data input = tutti_array(from, all, TUTTI_DOUBLE);
    const tutti_data output = tutti_array(to, mine, TUTTI_DOUBLE);
    const tutti_status status =
        kind_ == allreduce ? tutti_allreduce(world_, &input, &output, with.op)
                           : tutti_reduce_scatterv(world_, &input, &output, counts.data(), with.op);
    std::vector<double> wanted(static_cast<std::size_t>(all)), part(wanted);
    fill(wanted.data(), 0, counts);
    for (int rank = 1; rank < p_; ++rank) {
      fill(part.data(), rank, counts);
      for (std::size_t i = 0; i < part.size(); ++i)
        wanted[i] = combined(with.does, wanted[i], part[i]);
    }
    return status == TUTTI_OK && std::equal(to, to + mine, wanted.begin() + first);
  }

  std::mt19937 random_, own_;
  tutti_group world_ = tutti_world();
  int me_, p_;
  std::vector<std::int64_t> lengths_;  // [from][to]
  std::vector<double> from_, to_;
  Made made_[3] = {{Does::sum}, {Does::maximum}, {Does::left}};
  int call_ = 0, kind_ = gatherv, root_ = 0;
  std::int64_t shift_ = 0;
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
