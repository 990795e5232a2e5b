// SPDX-License-Identifier: BSD-3-Clause
// Reads the file of a record (record.hpp).
#include "verdict/record.hpp"

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace tutti::tools {
namespace {

constexpr double ns = 1e-9;

// A file may come from another machine, so every number of a list is one that exists.
int index_in(const nlohmann::json& number, std::size_t count) {
  const auto index = number.get<std::size_t>();
  if (index >= count)
    throw nlohmann::json::other_error::create(501, "a number is too large", &number);
  return static_cast<int>(index);
}

RecordedRank rank_of(const nlohmann::json& from) {
  const double ahead = from.at("ahead").get<double>() * ns;
  const auto time = [&](const char* name) { return from.at(name).get<double>() * ns - ahead; };
  RecordedRank rank;
  rank.host = from.at("host").get<std::string>();
  rank.joining = time("joining");
  rank.begun = time("begun");
  rank.ended = time("ended");
  rank.compared = time("compared");
  const auto used = from.at("processor").get<std::array<double, 3>>();
  rank.used_at_begin = used[0];
  rank.used_at_end = used[1];
  rank.used_when_compared = used[2];
  return rank;
}

RecordedKind kind_of(const nlohmann::json& from, std::size_t ranks) {
  RecordedKind kind;
  kind.operation = from.at("operation").get<std::string>();
  kind.place = from.at("place").get<std::string>();
  kind.members = from.at("members").get<int>();
  kind.by_tutti = from.at("by") == "tutti";
  kind.mpi_operator = from.at("operator") == "mpi";
  kind.why = from.at("why").get<std::string>();
  for (const auto& sums : from.at("ranks")) {
    kind.ranks.push_back({index_in(sums.at(0), ranks), sums.at(1).get<double>(),
                          sums.at(2).get<double>(), sums.at(3).get<double>() * ns});
  }
  return kind;
}

std::vector<RecordedCall> call_of(const nlohmann::json& from, const nlohmann::json& all) {
  const nlohmann::json& ranks = all.at("ranks");
  std::vector<RecordedCall> call;
  if (from.empty()) throw nlohmann::json::other_error::create(501, "a call has no rank", &from);
  for (const auto& member : from) {
    RecordedCall one;
    one.rank = index_in(member.at(0), ranks.size());
    one.kind = index_in(member.at(1), all.at("kinds").size());
    const auto ahead = ranks.at(static_cast<std::size_t>(one.rank)).at("ahead").get<double>();
    one.begun = (member.at(2).get<double>() - ahead) * ns;
    one.taken = member.at(3).get<double>() * ns;
    one.is_root = member.at(4).get<int>() != 0;
    call.push_back(one);
  }
  return call;
}

RepeatedCalls repeated_of(const nlohmann::json& from) {
  RepeatedCalls calls;
  calls.operation = from.at("operation").get<std::string>();
  calls.mpi_operator = from.at("operator") == "mpi";
  calls.members = from.at("members").get<int>();
  calls.calls = from.at("calls").get<double>();
  calls.bytes = from.at("bytes").get<double>();
  calls.tutti_us = from.at("tutti_us").get<std::vector<double>>();
  calls.mpi_us = from.at("mpi_us").get<std::vector<double>>();
  return calls;
}

struct Interval {
  int first, last;  // moments of "load"
  double RecordedRank::*begin, RecordedRank::*end;
  double RecordedRank::*used_before, RecordedRank::*used_after;
};
constexpr Interval of_program{0,
                              1,
                              &RecordedRank::begun,
                              &RecordedRank::ended,
                              &RecordedRank::used_at_begin,
                              &RecordedRank::used_at_end};
constexpr Interval of_comparison{1,
                                 2,
                                 &RecordedRank::ended,
                                 &RecordedRank::compared,
                                 &RecordedRank::used_at_end,
                                 &RecordedRank::used_when_compared};

// The processes of the job on the host of rank 0 are one's own.
Load load_of(const nlohmann::json& record, const std::vector<RecordedRank>& ranks,
             const Interval& what) {
  LoadReading before, after;
  before.moment = ranks.front().*what.begin;
  after.moment = ranks.front().*what.end;
  const auto fill = [&](LoadReading& reading, int moment) {
    const auto line = record.at("load").at(static_cast<std::size_t>(moment)).get<std::string>();
    reading.processors = record.at("processors").get<int>();
    reading.quota = reading.processors;
    const auto seconds = processor_seconds(line);
    if (!seconds) return;
    reading.used = seconds->used;
    reading.stolen = seconds->stolen;
  };
  fill(before, what.first);
  fill(after, what.last);
  for (const RecordedRank& rank : ranks) {
    if (rank.host != ranks.front().host) continue;
    before.own += rank.*what.used_before;
    after.own += rank.*what.used_after;
  }
  return load_between(before, after);
}

MpiRecord record_of(const nlohmann::json& from) {
  MpiRecord record;
  record.program = from.at("program").get<std::string>();
  record.mpi = from.at("mpi").get<std::string>();
  for (const auto& rank : from.at("ranks")) record.ranks.push_back(rank_of(rank));
  for (const auto& kind : from.at("kinds"))
    record.kinds.push_back(kind_of(kind, record.ranks.size()));
  record.one_in = from.at("one_in").get<int>();
  for (const auto& call : from.at("samples")) record.samples.push_back(call_of(call, from));
  record.compares = from.contains("compared");
  if (record.compares)
    for (const auto& calls : from.at("compared")) record.compared.push_back(repeated_of(calls));
  record.load = load_of(from, record.ranks, of_program);
  record.load_comparing = load_of(from, record.ranks, of_comparison);
  return record;
}

}  // namespace

MpiRecord read_mpi_record(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) base::fail(base::Status::invalid_argument, "{} cannot be read", file);
  try {
    const nlohmann::json all = nlohmann::json::parse(stream);
    if (!all.is_object() || all.value("schema", "") != "tutti-mpi-record-1" ||
        all.at("ranks").empty()) {
      base::fail(base::Status::invalid_argument,
                 "{} is no record of a program: mpirun tutti mpi --verdict={} ./program writes one",
                 file, file);
    }
    return record_of(all);
  } catch (const nlohmann::json::exception& error) {
    base::fail(base::Status::invalid_argument, "{} is no complete record: {}", file, error.what());
  }
}

}  // namespace tutti::tools
