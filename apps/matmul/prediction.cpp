// SPDX-License-Identifier: BSD-3-Clause
#include "prediction.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <memory>
#include <tuple>

#include "all_busy.hpp"
#include "block_plan.hpp"
#include "split_plan.hpp"

namespace matmul {
namespace {

using profile::Access;
using profile::Superstep;

Access access_of(Primitive primitive) {
  switch (primitive) {
    case Primitive::Put:
      return Access::put;
    case Primitive::Get:
      return Access::get;
    default:
      return Access::hpget;
  }
}

// Adds what process `to` fetches of a rectangle, in messages as Array makes them: the rows of a
// part, or a whole block at once.
void add_fetch(Superstep& step, const Distribution& where, const Rectangle& all, int stride, int to,
               Primitive primitive, double words) {
  where.ForEachPart(all, [&](int owner, long, const Rectangle& part) {
    const bool whole = part.columns == where.Block().columns && stride == part.columns;
    profile::add_words(step, access_of(primitive), owner, to, words * part.rows * part.columns,
                       whole ? 1 : part.rows);
  });
}
// Adds what process `from` stores of a rectangle.
void add_store(Superstep& step, const Distribution& where, const Rectangle& all, int stride,
               int from, double words) {
  where.ForEachPart(all, [&](int owner, long, const Rectangle& part) {
    const bool whole = part.columns == where.Block().columns && stride == part.columns;
    profile::add_words(step, Access::put, from, owner, words * part.rows * part.columns,
                       whole ? 1 : part.rows);
  });
}

class BlocksCost {
 public:
  BlocksCost(const BlockPlan& plan, int processes, double words, const Rate& rate)
      : plan_(plan), p_(processes), words_(words), rate_(rate) {}

  // The computation after a Sync belongs to the superstep that the next Sync ends.
  std::vector<Superstep> all() {
    steps_.assign(1, empty());
    for (int step = 0; step < plan_.schedule.length(); ++step) {
      for (int process = 0; process < p_; ++process) fetch(process, step);
      sync();
      for (int process = 0; process < p_; ++process) compute(process, step);
      if (plan_.stores_after(step)) sync();
    }
    if (plan_.first_shared() < plan_.block_columns()) complete_shared();
    return std::move(steps_);
  }

 private:
  [[nodiscard]] Superstep empty() const { return profile::empty_superstep(p_); }
  void sync() { steps_.push_back(empty()); }

  void fetch(int process, int step) {
    const BlockProduct* const v = plan_.product_of(process, step);
    if (v == nullptr) return;
    for (const auto& [where, rectangle, stride] :
         {std::tuple{&plan_.a, plan_.left_of(*v), plan_.depth},
          std::tuple{&plan_.b, plan_.right_of(*v), plan_.columns}})
      if (!BlockPlan::whole_at(process, *where, rectangle))
        add_fetch(steps_.back(), *where, rectangle, stride, process, plan_.options.primitive,
                  words_);
  }
  void compute(int process, int step) {
    const BlockProduct* const v = plan_.product_of(process, step);
    if (v == nullptr) return;
    const Rectangle result = plan_.result_of(v->column);
    steps_.back().processes[static_cast<std::size_t>(process)].compute +=
        rate_(result.rows, result.columns, plan_.left_of(*v).columns);
    const bool complete = v->j == plan_.options.side - 1 && !plan_.schedule.shared(v->column);
    if (complete && !plan_.in_place(v->column))
      add_store(steps_.back(), plan_.c, result, plan_.columns, process, words_);
  }
  void complete_shared() {
    const double block = words_ * plan_.rows * plan_.columns;
    for (int column = plan_.first_shared(); column < plan_.block_columns(); ++column)
      for (int process = 0; process < p_; ++process)
        if (process != plan_.schedule.keeper(column) && has_part(process, column))
          profile::add_words(steps_.back(), Access::send, process, plan_.schedule.keeper(column),
                             block, 1);
    sync();
    for (int column = plan_.first_shared(); column < plan_.block_columns(); ++column)
      add_store(steps_.back(), plan_.c, plan_.result_of(column), plan_.columns,
                plan_.schedule.keeper(column), words_);
  }
  [[nodiscard]] bool has_part(int process, int column) const {
    return std::ranges::any_of(plan_.products[static_cast<std::size_t>(process)],
                               [column](const BlockProduct& v) { return v.column == column; });
  }

  const BlockPlan& plan_;
  int p_;
  double words_;
  const Rate& rate_;
  std::vector<Superstep> steps_;
};

}  // namespace

std::vector<Superstep> supersteps_by_blocks(const Sizes& sizes, const BlocksOptions& options,
                                            int processes, double words, const Rate& rate) {
  const BlockPlan plan(sizes, options, processes);
  return BlocksCost(plan, processes, words, rate).all();
}

std::vector<Superstep> supersteps_by_split(const Sizes& sizes, const Cube& cube, int processes,
                                           double words, const Rate& rate) {
  const SplitPlan plan(sizes, cube);
  std::vector<Superstep> steps(1, profile::empty_superstep(processes));
  const auto sync = [&] { steps.push_back(profile::empty_superstep(processes)); };
  for (int process = 0; process < plan.processes(); ++process) {
    if (cube.n > 1)
      add_fetch(steps.back(), plan.a, plan.left_of(process), plan.k, process, Primitive::HpGet,
                words);
    if (cube.m > 1)
      add_fetch(steps.back(), plan.b, plan.right_of(process), plan.n, process, Primitive::HpGet,
                words);
  }
  if (cube.n > 1 || cube.m > 1) sync();
  for (int process = 0; process < plan.processes(); ++process) {
    const Rectangle result = plan.result_of(process);
    if (result.rows > 0 && result.columns > 0 && plan.left_of(process).columns > 0)
      steps.back().processes[static_cast<std::size_t>(process)].compute +=
          rate(result.rows, result.columns, plan.left_of(process).columns);
    for (int l = 0; l < cube.k; ++l) {
      const Rectangle kept = plan.kept_by(process, l);
      if (l != plan.place_of(process).l && kept.rows > 0 && kept.columns > 0)
        profile::add_words(steps.back(), Access::send, process, plan.partner(process, l),
                           words * kept.rows * plan.n, 1);
    }
  }
  if (cube.k > 1) sync();
  return steps;
}

// With a static distribution all blocks are fetched, and sums are formed in the same memory.
Kept kept_by_blocks(const Sizes& sizes, const BlocksOptions& options, int processes) {
  if (options.dealt == Dealt::fixed) return {};
  const auto part = [processes](int rows, int columns) {
    return static_cast<double>(rows) * columns / processes;
  };
  return {part(sizes.m, sizes.k), part(sizes.k, sizes.n), part(sizes.m, sizes.n), options.side};
}

namespace {

// Blocks of equal shape, which products take in turn.
template <class T>
class Turns {
 public:
  Turns(int rows, int columns, double kept)
      : size_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)),
        count_(std::max<std::size_t>(1, static_cast<std::size_t>(kept) / size_)),
        values_(size_ * count_, T(1)) {}
  T* at(int turn) { return &values_[static_cast<std::size_t>(turn) % count_ * size_]; }

 private:
  std::size_t size_, count_;
  std::vector<T> values_;
};

template <class T>
double seconds_of_product(int m, int n, int k, const Kept& kept) {
  Turns<T> a(m, k, kept.left), b(k, n, kept.right), c(m, n, kept.result);
  return support::seconds_while_all_busy([&](int run) {
    multiply_blocks<T>(m, n, k, {a.at(run), k}, {b.at(run), n}, {c.at(run / kept.additions), n},
                       Before::added);
  });
}

}  // namespace

template <class T>
Rate measured_rate(const Kept& kept) {
  auto known = std::make_shared<std::map<std::tuple<int, int, int>, double>>();
  return [known, kept](int m, int n, int k) {
    const auto [place, fresh] = known->try_emplace({m, n, k}, 0.0);
    if (fresh && m > 0 && n > 0 && k > 0) place->second = seconds_of_product<T>(m, n, k, kept);
    return place->second;
  };
}
template Rate measured_rate<float>(const Kept&);
template Rate measured_rate<double>(const Kept&);
template Rate measured_rate<std::complex<double>>(const Kept&);

}  // namespace matmul
