// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of P. Krusche's thesis (paper 003, chapter 3 and appendix A.2) on BSPWrapper. All
// processes call these functions, and all get the same result, in seconds. A word is a double. With
// _USE_BLAS, dot products and matrix products of doubles are those of a BLAS library.
#pragma once

// The default of older compilers is C++14, where inline variables are an extension, of which they
// would warn.
#if __cplusplus < 201703L
#pragma GCC system_header
#endif

#include <tutti-bspwrapper/BSPUtils.h>
#include <tutti-bspwrapper/avector.h>

#include <sys/utsname.h>

#include <cstdio>
#include <string>
#include <vector>

// The functions that measure_g_random and measure_g_alltoall measure.
#define HR_FUNCTIONS 5
#define HR_FN_GET 0
#define HR_FN_SEND 1
#define HR_FN_PUT 2
#define HR_FN_HPPUT 3
#define HR_FN_HPGET 4

#ifdef _USE_BLAS
extern "C" {
double ddot_(const int* n, const double* x, const int* step_x, const double* y, const int* step_y);
void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
            const int* k, const double* alpha, const double* a, const int* lda, const double* b,
            const int* ldb, const double* beta, double* c, const int* ldc);
}
#endif

namespace BSPBenchmark {

inline const char* fnames[] = {"Get", "Send", "Put", "HpPut", "HpGet"};

namespace detail {

constexpr int dot_size = 1 << 18, matrix_size = 100, runs = 10;

// Returns the largest value of all processes.
inline double Slowest(double seconds) {
  double slowest = 0;
  BSPWrapper::Fold(
      &seconds, &slowest, sizeof seconds, [](char* result, char* left, char* right, int* size) {
        BSPUtils::dbl_max(reinterpret_cast<double*>(result), reinterpret_cast<double*>(left),
                          reinterpret_cast<double*>(right), size);
      });
  return slowest;
}

// Returns the seconds per operation of the slowest process, while all of them run `run`.
template <class Run>
double TimeOf(double operations, const Run& run) {
  BSPWrapper::Sync();
  const double start = BSPWrapper::Time();
  for (int i = 0; i < runs; ++i) run();
  return Slowest(BSPWrapper::Time() - start) / (runs * operations);
}

// A sum that the compiler must compute.
template <class T>
inline volatile T kept{};

template <class T>
T Dot(const CAVector<T>& x, const CAVector<T>& y) {
  T sum = 0;
  for (int i = 0; i < x.size; ++i) sum += x.data[i] * y.data[i];
  return sum;
}
// c = a b, where b is transposed, so that both are read along their rows.
template <class T>
void Multiply(int n, const CAVector<T>& a, const CAVector<T>& b, CAVector<T>& c) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      T sum = 0;
      for (int k = 0; k < n; ++k) sum += a.data[i * n + k] * b.data[j * n + k];
      c.data[i * n + j] = sum;
    }
  }
}
#ifdef _USE_BLAS
inline double Dot(const CAVector<double>& x, const CAVector<double>& y) {
  const int one = 1;
  return ddot_(&x.size, x.data, &one, y.data, &one);
}
inline void Multiply(int n, const CAVector<double>& a, const CAVector<double>& b,
                     CAVector<double>& c) {
  const double one = 1, zero = 0;
  dgemm_("T", "N", &n, &n, &n, &one, a.data, &n, b.data, &n, &zero, c.data, &n);
}
#endif

template <class T>
CAVector<T> Filled(int size) {
  CAVector<T> vector(size);
  for (int i = 0; i < size; ++i) vector[i] = static_cast<T>(i % 7 + 1);
  return vector;
}

template <class T>
double TimeOfDot() {
  const CAVector<T> x = Filled<T>(dot_size), y = Filled<T>(dot_size);
  return TimeOf(2.0 * dot_size, [&] { kept<T> = Dot(x, y); });
}
template <class T>
double TimeOfProduct() {
  constexpr int n = matrix_size;
  const CAVector<T> a = Filled<T>(n * n), b = Filled<T>(n * n);
  CAVector<T> c(n * n);
  return TimeOf(2.0 * n * n * n, [&] {
    Multiply(n, a, b, c);
    kept<T> = c.data[n];
  });
}

}  // namespace detail

// ---- f: the time of an operation of one process, while all of them compute ----

inline double measure_f_dot_int() {
  return detail::TimeOfDot<int>();
}
inline double measure_f_dot_double() {
  return detail::TimeOfDot<double>();
}
inline double measure_f_matmul_int() {
  return detail::TimeOfProduct<int>();
}
inline double measure_f_matmul_double() {
  return detail::TimeOfProduct<double>();
}

namespace detail {

// Runs supersteps until they take about a millisecond, after some that warm up. Returns the least
// time of a superstep of the slowest process.
template <class Communicate>
double TimeOfSuperstep(const Communicate& communicate) {
  double least = 0;
  for (int series = 0, repeats = 10; series < 6; ++series) {
    BSPWrapper::Sync();
    const double start = BSPWrapper::Time();
    for (int i = 0; i < repeats; ++i) {
      communicate();
      BSPWrapper::Sync();
    }
    const double each = Slowest((BSPWrapper::Time() - start) / repeats);
    if (series == 0) repeats = std::max(1, std::min(1000, static_cast<int>(1e-3 / each)));
    if (series == 1 || (series > 1 && each < least)) least = each;
  }
  return least;
}

// Puts one int to `others` of the processes after this one, and to itself if that is all.
inline double TimeOfPuts(int others) {
  CAVector<int> places(BSPWrapper::P);
  BSPWrapper::PushReg(places.data, places.size * static_cast<int>(sizeof(int)));
  BSPWrapper::Sync();
  const int own = BSPWrapper::Pid;
  const double time = TimeOfSuperstep([&] {
    for (int step = 1; step <= others; ++step)
      BSPWrapper::HpPut((own + step) % BSPWrapper::P, &own, places.data,
                        own * static_cast<int>(sizeof(int)), sizeof own);
  });
  BSPWrapper::PopReg(places.data);
  BSPWrapper::Sync();
  return time;
}

}  // namespace detail

// ---- l: the time of a Sync after nothing, after a cyclic shift, and after an all-to-all ----

inline double measure_l_nocomm() {
  return detail::TimeOfSuperstep([] {});
}
inline double measure_l_localshift() {
  return detail::TimeOfPuts(1);
}
inline double measure_l_alltoall() {
  return detail::TimeOfPuts(BSPWrapper::P);
}

namespace detail {

// Supersteps of one pattern and one function. In a random one, every process sends to another one
// of a random permutation; otherwise each sends to all.
class Relation {
 public:
  Relation(bool random, int function, int size, int count)
      : random_(random),
        function_(function),
        targets_(random ? 1 : BSPWrapper::P),
        source_(size * count * targets_),
        target_(size * count * targets_),
        permutation_(BSPWrapper::P) {
    if (function < 0 || function >= HR_FUNCTIONS) ERROR("measure_g: there is no such function");
    BSPWrapper::PushReg(source_.data, source_.size * word);
    BSPWrapper::PushReg(target_.data, target_.size * word);
    BSPWrapper::Backend().set_tagsize(&tag_size_);
    BSPWrapper::Sync();
  }
  ~Relation() {
    BSPWrapper::PopReg(source_.data);
    BSPWrapper::PopReg(target_.data);
    BSPWrapper::Backend().set_tagsize(&tag_size_);
    BSPWrapper::Sync();
  }
  Relation(const Relation&) = delete;
  Relation& operator=(const Relation&) = delete;

  // Returns the seconds per word of a superstep with `count` messages of `size` words to each.
  double Gap(int size, int count) {
    const int repeats = std::max(1, std::min(10, source_.size / (size * count * targets_)));
    BSPUtils::bsp_dtime();
    for (int i = 0; i < repeats; ++i) Superstep(size, count);
    const int others = random_ ? 1 : std::max(1, BSPWrapper::P - 1);
    return Slowest(BSPUtils::bsp_dtime()) / repeats / (static_cast<double>(size) * count * others);
  }

 private:
  static constexpr int word = sizeof(double);

  void Superstep(int size, int count) {
    BSPUtils::randompermutation(permutation_.data, BSPWrapper::P);
    for (int step = 0; step < targets_; ++step) {
      const int pid = random_ ? permutation_[BSPWrapper::Pid] : step;
      const int from = step * size * count;
      const int to = (random_ ? 0 : BSPWrapper::Pid) * size * count;
      for (int i = 0; i < count; ++i) Access(pid, from + i * size, to + i * size, size * word);
    }
    BSPWrapper::Sync();
    if (function_ == HR_FN_SEND) Receive();
  }
  // `from` is a place in this process, `to` in the other one.
  void Access(int pid, int from, int to, int bytes) {
    switch (function_) {
      case HR_FN_GET:
        return BSPWrapper::Get(pid, source_.data, to * word, target_.data + from, bytes);
      case HR_FN_HPGET:
        return BSPWrapper::HpGet(pid, source_.data, to * word, target_.data + from, bytes);
      case HR_FN_PUT:
        return BSPWrapper::Put(pid, source_.data + from, target_.data, to * word, bytes);
      case HR_FN_HPPUT:
        return BSPWrapper::HpPut(pid, source_.data + from, target_.data, to * word, bytes);
      default:
        return BSPWrapper::Send(pid, &to, source_.data + from, bytes);
    }
  }
  void Receive() {
    int status = 0, to = 0;
    for (BSPWrapper::GetTag(&status, &to); status >= 0; BSPWrapper::GetTag(&status, &to))
      BSPWrapper::Move(target_.data + to, status);
  }

  bool random_;
  int function_;
  int targets_;
  CAVector<double> source_, target_;
  CAVector<int> permutation_;
  int tag_size_ = sizeof(int);  // in the destructor, that of the program
};

struct Sampled {
  int size, count;
  double g;
};

// The next size after this one, by the factor and the difference of the caller. It must fall.
inline int Next(int size, double factor, int difference) {
  return std::min(size - 1, static_cast<int>(size * factor - difference));
}

inline std::string FileName(const char* pattern, int function) {
  utsname system{};
  uname(&system);
  return std::string("bspprobe_") + system.machine + "_p" + std::to_string(BSPWrapper::P) + "_" +
         fnames[function] + "_" + pattern + ".dat";
}

// Writes the samples in process 0, with an empty line between sizes, as gnuplot wants it.
inline void Write(const std::string& name, const std::vector<Sampled>& samples) {
  if (BSPWrapper::Pid != 0) return;
  std::FILE* const file = std::fopen(name.c_str(), "w");
  if (file == nullptr) ERROR("measure_g cannot write its file into this folder");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i > 0 && samples[i].size != samples[i - 1].size) std::fputc('\n', file);
    std::fprintf(file, "%d\t%d\t%g\n", samples[i].size, samples[i].count, samples[i].g);
  }
  std::fclose(file);
}

// Returns the mean of the gaps below twice the least one.
inline double MeanGap(const std::vector<Sampled>& samples) {
  double least = samples.empty() ? 0 : samples.front().g, sum = 0;
  int summed = 0;
  for (const Sampled& sample : samples) least = std::min(least, sample.g);
  for (const Sampled& sample : samples) {
    if (sample.g > 2 * least) continue;
    sum += sample.g;
    ++summed;
  }
  return summed > 0 ? sum / summed : 0;
}

inline double MeasureGap(const char* pattern, int size, int h, int function, double factor,
                         int difference, bool diagonal) {
  Relation relation(std::string(pattern) == "random", function, size, diagonal ? 2 * size : h);
  std::vector<Sampled> samples;
  for (; size > 0; size = Next(size, factor, difference)) {
    for (int count = diagonal ? 2 * size : h; count > 0; count = Next(count, factor, difference)) {
      samples.push_back({size, count, relation.Gap(size, count)});
      if (diagonal) break;
    }
  }
  Write(FileName(pattern, function), samples);
  return MeanGap(samples);
}

}  // namespace detail

// ---- g: the time of a word ----

// Measure messages of `size` words and less, `h` of them and less: each next size, and each next
// number, is that before times `factor`, less `difference`. With `diagonal`, there are twice as
// many messages as a message has words. The samples go to a file in the folder of process 0, which
// paramfile.h reads. For a random permutation that is the same on all processes, all must have
// given srand the same number.
inline double measure_g_random(int size, int h, int function, double factor, int difference,
                               bool diagonal = false) {
  return detail::MeasureGap("random", size, h, function, factor, difference, diagonal);
}
inline double measure_g_alltoall(int size, int h, int function, double factor, int difference,
                                 bool diagonal = false) {
  return detail::MeasureGap("alltoall", size, h, function, factor, difference, diagonal);
}

}  // namespace BSPBenchmark
