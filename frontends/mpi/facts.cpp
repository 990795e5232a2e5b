// SPDX-License-Identifier: BSD-3-Clause
// Sends reports (facts.hpp) as bytes. All processes run the same library, so numbers go as they
// are.
#include "facts.hpp"

#include <sys/resource.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include "clock.hpp"

namespace tutti::mpi {
namespace {

class Writer {
 public:
  template <class Value>
  void put(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    const auto* const from = reinterpret_cast<const char*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
  }
  void put_text(const std::string& text) {
    put(text.size());
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  std::vector<char> bytes;
};

class Reader {
 public:
  Reader(const char* bytes) : at_(bytes) {}
  template <class Value>
  Value get() {
    Value value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string get_text() {
    const auto size = get<std::size_t>();
    const std::string text(at_, size);
    at_ += size;
    return text;
  }

 private:
  const char* at_;
};

std::vector<char> bytes_of(const ProcessReport& report) {
  Writer out;
  out.put_text(report.host);
  out.put(report.facts);
  out.put(report.mask);
  out.put(report.kinds.size());
  for (const NamedKind& kind : report.kinds) {
    out.put(kind.sums);
    out.put_text(kind.place);
    out.put_text(kind.why);
  }
  out.put(report.samples.size());
  for (const CallSample& sample : report.samples) out.put(sample);
  return out.bytes;
}

ProcessReport report_of(const char* bytes) {
  Reader in(bytes);
  ProcessReport report;
  report.host = in.get_text();
  report.facts = in.get<ProcessFacts>();
  report.mask = in.get<std::uint32_t>();
  report.kinds.resize(in.get<std::size_t>());
  for (NamedKind& kind : report.kinds) {
    kind.sums = in.get<KindSums>();
    kind.place = in.get_text();
    kind.why = in.get_text();
  }
  report.samples.resize(in.get<std::size_t>());
  for (CallSample& sample : report.samples) sample = in.get<CallSample>();
  return report;
}

}  // namespace

Moment moment_now() {
  Moment now{.time = nanoseconds_now()};
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return now;
  constexpr double micro = 1e-6;
  for (const timeval& part : {usage.ru_utime, usage.ru_stime})
    now.processor += static_cast<double>(part.tv_sec) + micro * static_cast<double>(part.tv_usec);
  return now;
}

namespace {

// Returns the bytes of the report, without samples if those of all processes are too many for one
// message.
std::vector<char> bytes_that_fit(ProcessReport mine) {
  std::vector<char> bytes = bytes_of(mine);
  double all = static_cast<double>(bytes.size());
  plain.Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (all < std::numeric_limits<int>::max()) return bytes;
  mine.samples.clear();
  return bytes_of(mine);
}

}  // namespace

std::vector<ProcessReport> gather_reports(const ProcessReport& mine) {
  int rank = 0, processes = 1;
  plain.Comm_rank(MPI_COMM_WORLD, &rank);
  plain.Comm_size(MPI_COMM_WORLD, &processes);
  const std::vector<char> bytes = bytes_that_fit(mine);
  const int size = static_cast<int>(bytes.size());
  std::vector<int> sizes(static_cast<std::size_t>(processes)), places(sizes.size());
  plain.Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(sizes.begin(), sizes.end(), places.begin(), 0);
  std::vector<char> all(static_cast<std::size_t>(sizes.back()) +
                        static_cast<std::size_t>(places.back()));
  plain.Gatherv(bytes.data(), size, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE, 0,
                MPI_COMM_WORLD);
  std::vector<ProcessReport> reports;
  for (std::size_t i = 0; rank == 0 && i < sizes.size(); ++i)
    reports.push_back(report_of(all.data() + places[i]));
  return reports;
}

}  // namespace tutti::mpi
