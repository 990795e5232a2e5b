// SPDX-License-Identifier: BSD-3-Clause
// Distributed arrays: random distributions and rectangles, with every way to fetch and to store.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <tutti-bsp/bsp_array.hpp>

namespace {

using namespace BSPWrapper;

void require(bool good, const char* what) {
  if (!good) Backend().abort("bsp_arrays: wrong on process %d: %s\n", Pid, what);
}

using Numbers = std::mt19937;  // with the same seed everywhere, so that all draw the same

int draw(Numbers& numbers, int least, int most) {
  return least + static_cast<int>(numbers() % static_cast<unsigned>(most - least + 1));
}

Distribution random_distribution(Shape size, Numbers& numbers) {
  const Shape block{draw(numbers, 1, 9), draw(numbers, 1, 9)};
  int rows = draw(numbers, 1, P);
  switch (numbers() % 4) {
    case 0:
      return Distribution::Grid(size, block, rows, P / rows);
    case 1:
      while (P % rows != 0) --rows;
      return Distribution::Static(size, rows, P / rows);
    case 2:
      return Distribution::Cyclic(size, block, rows);
    default:
      return Distribution(size, block, P, [](int i, int j) { return (3 * i + 5 * j + i * j) % P; });
  }
}

double value_at(int row, int column) {
  return 1000.0 * row + column;
}

void fill(Array<double>& array) {
  array.ForEachOwn([](int row, int column, double& element) { element = value_at(row, column); });
}

Rectangle random_rectangle(Shape size, Numbers& numbers) {
  const int row = draw(numbers, 0, size.rows), column = draw(numbers, 0, size.columns);
  return {row, column, draw(numbers, 0, size.rows - row), draw(numbers, 0, size.columns - column)};
}

// Memory outside of the rectangle must not change.
void check(const std::vector<double>& found, const Rectangle& r, int stride, const char* what) {
  for (std::size_t k = 0; k < found.size(); ++k) {
    const int i = static_cast<int>(k) / stride, j = static_cast<int>(k) % stride;
    const bool inside = i < r.rows && j < r.columns;
    require(found[k] == (inside ? value_at(r.row + i, r.column + j) : -1), what);
  }
}

void get_rectangles(Array<double>& array, Numbers& numbers) {
  for (const Primitive primitive : {Primitive::Get, Primitive::HpGet, Primitive::Put}) {
    // Each process fetches another rectangle, and all know which.
    std::vector<Rectangle> all;
    for (int process = 0; process < P; ++process)
      all.push_back(random_rectangle(array.Where().Size(), numbers));
    const int stride = array.Columns() + draw(numbers, 0, 3);
    std::vector<double> found(static_cast<std::size_t>(array.Rows() * stride), -1.0);
    PushReg(found.data(), static_cast<int>(found.size() * sizeof(double)));
    Sync();
    if (primitive == Primitive::Put) {
      for (int process = 0; process < P; ++process)
        array.PutTo(process, all[static_cast<std::size_t>(process)], found.data(), stride);
    } else {
      array.Get(all[static_cast<std::size_t>(Pid)], found.data(), stride, primitive);
    }
    Sync();
    check(found, all[static_cast<std::size_t>(Pid)], stride, "a rectangle that was fetched");
    PopReg(found.data());
  }
}

void put_rectangles(Array<double>& array, Numbers& numbers) {
  const Rectangle r = random_rectangle(array.Where().Size(), numbers);
  array.ForEachOwn([](int, int, double& element) { element = 0; });
  if (Pid == static_cast<int>(numbers() % static_cast<unsigned>(P))) {
    std::vector<double> values;
    for (int i = 0; i < r.rows; ++i)
      for (int j = 0; j < r.columns; ++j) values.push_back(value_at(r.row + i, r.column + j));
    array.Put(r, values.data(), r.columns);
    std::fill(values.begin(), values.end(), -2.0);  // they have been taken
  }
  Sync();
  array.ForEachOwn([&r](int row, int column, double& element) {
    const bool inside =
        row >= r.row && row < r.row + r.rows && column >= r.column && column < r.column + r.columns;
    require(element == (inside ? value_at(row, column) : 0), "a rectangle that was stored");
  });
}

void redistribute(Array<double>& from, Numbers& numbers) {
  fill(from);
  Array<double> to(random_distribution(from.Where().Size(), numbers));
  Sync();
  from.Redistribute(to);
  Sync();
  long count = 0;
  to.ForEachOwn([&count](int row, int column, double& element) {
    require(element == value_at(row, column), "a redistributed element");
    ++count;
  });
  long total = 0;
  Fold(&count, &total, sizeof count, [](char* result, char* left, char* right, int*) {
    long x = 0, y = 0;
    std::memcpy(&x, left, sizeof x);
    std::memcpy(&y, right, sizeof y);
    x += y;
    std::memcpy(result, &x, sizeof x);
  });
  require(total == static_cast<long>(from.Rows()) * from.Columns(), "each element has one owner");
}

template <class Exception, class Call>
void refuses(const Call& call, const char* what) {
  bool thrown = false;
  try {
    call();
  } catch (const Exception&) {
    thrown = true;
  }
  require(thrown, what);
}

void errors() {
  refuses<std::invalid_argument>([] { Distribution::Grid({3, 3}, {0, 1}, 1, 1); }, "empty blocks");
  refuses<std::invalid_argument>(
      [] {
        Distribution({3, 3}, {1, 1}, 2, [](int i, int) { return i; });
      },
      "no such process");
  refuses<std::invalid_argument>([] { Distribution::Grid({3, 3}, {1, 1}, 0, 1); }, "no processes");
  refuses<std::invalid_argument>([] { Distribution::Static({3, 3}, 1, 0); }, "no processes");
  refuses<std::invalid_argument>([] { Distribution::Cyclic({3, 3}, {1, 1}, 0); }, "no processes");
  refuses<std::length_error>([] { Distribution::Static({100000, 100000}, 1, 1); }, "huge blocks");
  refuses<std::invalid_argument>(
      [] {
        Array<double> array(Distribution::Static({2, 2}, P + 1, 1));
      },
      "too few processes");
  Array<double> array(Distribution::Static({4, 5}, 1, 1)),
      other(Distribution::Static({4, 4}, 1, 1));
  Sync();
  double value = 0;
  refuses<std::out_of_range>([&] { array.Get({0, 0, 5, 1}, &value, 1); }, "a rectangle outside");
  refuses<std::invalid_argument>(
      [&] {
        array.Get({0, 0, 1, 1}, &value, 1, Primitive::Put);
      },
      "a Get that would have to put");
  const Distribution none = Distribution::Static({0, 3}, P, 1);
  require(none.Blocks().rows == 0 && none.Count(0) == 0, "an array without elements");
  refuses<std::out_of_range>([&] { array.Put({0, -1, 1, 1}, &value, 1); }, "a negative column");
  refuses<std::invalid_argument>([&] { array.Redistribute(other); }, "different sizes");
}

}  // namespace

int main(int argc, char** argv) {
  Init(argc, argv);
  Numbers numbers(34);
  for (int round = 0; round < 40; ++round) {
    const Shape size{draw(numbers, 1, 30), draw(numbers, 1, 30)};
    Array<double> array(random_distribution(size, numbers));
    // A process may have nothing of both arrays, and must not confuse them.
    const Array<double> another(Distribution::Static({1, 1}, 1, 1));
    Sync();
    fill(array);
    get_rectangles(array, numbers);
    put_rectangles(array, numbers);
    redistribute(array, numbers);
  }
  errors();
  Exit();
}
