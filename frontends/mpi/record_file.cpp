// SPDX-License-Identifier: BSD-3-Clause
// Writes the record of a job (record_file.hpp). Kinds of all ranks that are equal become one, and
// so do the samples of one call.
#include "record_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cinttypes>
#include <map>
#include <tuple>

namespace tutti::mpi {
namespace {

// Returns true if the bytes are letters in UTF-8, which JSON needs. Names of files may be others.
bool is_utf8(const std::string& text) {
  int more = 0;  // bytes of the present letter that are still to come
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool goes_on = (byte & 0xc0U) == 0x80U;
    if (goes_on != (more > 0)) return false;
    more = goes_on ? more - 1 : byte < 0x80U ? 0 : byte < 0xe0U ? 1 : byte < 0xf0U ? 2 : 3;
  }
  return more == 0;
}

std::string quoted(const std::string& text) {
  const bool valid = is_utf8(text);
  std::string result = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') result += '\\';
    result += byte < ' ' ? ' ' : byte < 0x80U || valid ? letter : '?';
  }
  return result + "\"";
}

// Returns the shortest text of the number that is as good, whatever the program's locale is.
std::string number(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 9);
  return {text.data(), end.ptr};
}

// A kind of calls of the whole job.
using KindKey = std::tuple<MpiOperation, Applier, bool, std::int32_t, std::int32_t, std::string>;
KindKey key_of(const NamedKind& kind) {
  const CallKind& about = kind.sums.kind;
  return {about.operation, about.applier, about.ours, about.members, about.size_class, kind.place};
}

struct Kinds {
  explicit Kinds(const JobRecord& all) {
    for (const ProcessReport& report : all.reports) {
      std::vector<int>& mine = number.emplace_back();
      for (const NamedKind& kind : report.kinds) {
        const auto [found, is_new] =
            known.try_emplace(key_of(kind), static_cast<int>(known.size()));
        if (is_new) {
          first.push_back(&kind);
          sums.emplace_back();
        }
        mine.push_back(found->second);
        sums[static_cast<std::size_t>(found->second)].emplace_back(number.size() - 1, &kind.sums);
      }
    }
  }
  std::map<KindKey, int> known;
  std::vector<const NamedKind*> first;   // a rank's, by number
  std::vector<std::vector<int>> number;  // by rank and number on the rank
  // The ranks of a kind with their sums, by number.
  std::vector<std::vector<std::pair<std::size_t, const KindSums*>>> sums;
};

const char* comma(bool first) {
  return first ? "\n" : ",\n";
}

void write_ranks(std::FILE* file, const JobRecord& all) {
  std::fprintf(file, " \"ranks\": [");
  for (std::size_t rank = 0; rank < all.reports.size(); ++rank) {
    const ProcessFacts& facts = all.reports[rank].facts;
    std::fprintf(
        file,
        "%s  {\"host\": %s, \"joining\": %" PRId64 ", \"begun\": %" PRId64 ", \"ended\": %" PRId64
        ", \"compared\": %" PRId64 ", \"ahead\": %" PRId64 ", \"processor\": [%s, %s, %s]}",
        comma(rank == 0), quoted(all.reports[rank].host).c_str(), facts.joining, facts.begun.time,
        facts.ended.time, facts.compared.time, facts.ahead, number(facts.begun.processor).c_str(),
        number(facts.ended.processor).c_str(), number(facts.compared.processor).c_str());
  }
  std::fprintf(file, "],\n");
}

void write_kinds(std::FILE* file, const Kinds& kinds) {
  std::fprintf(file, " \"kinds\": [");
  for (std::size_t number = 0; number < kinds.first.size(); ++number) {
    const NamedKind& kind = *kinds.first[number];
    const CallKind& about = kind.sums.kind;
    std::fprintf(file,
                 "%s  {\"operation\": \"%s\", \"place\": %s, \"members\": %d, \"by\": \"%s\", "
                 "\"operator\": \"%s\", \"why\": %s, \"ranks\": [",
                 comma(number == 0), name_of(about.operation), quoted(kind.place).c_str(),
                 about.members, about.ours ? "tutti" : "mpi",
                 about.applier == Applier::mpi ? "mpi" : "tutti", quoted(kind.why).c_str());
    bool first = true;
    for (const auto& [rank, sums] : kinds.sums[number]) {
      std::fprintf(file, "%s[%zu, %" PRId64 ", %" PRId64 ", %" PRId64 "]", first ? "" : ", ", rank,
                   sums->calls, sums->bytes, sums->nanoseconds);
      first = false;
    }
    std::fprintf(file, "]}");
  }
  std::fprintf(file, "],\n");
}

// Calls of which the coarsest record has no sample are left out.
void write_samples(std::FILE* file, const JobRecord& all, const Kinds& kinds) {
  struct Member {
    int rank, kind;
    const CallSample* sample;
  };
  std::uint32_t mask = 0;
  for (const ProcessReport& report : all.reports) mask = std::max(mask, report.mask);
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<Member>> calls;
  for (std::size_t rank = 0; rank < all.reports.size(); ++rank) {
    for (const CallSample& sample : all.reports[rank].samples) {
      if ((sample_hash(sample) & mask) != 0) continue;
      calls[{sample.communicator, sample.number}].push_back(
          {static_cast<int>(rank), kinds.number[rank][sample.kind], &sample});
    }
  }
  std::fprintf(file, " \"one_in\": %" PRIu64 ",\n \"samples\": [", std::uint64_t{mask} + 1);
  bool first = true;
  for (const auto& [call, members] : calls) {
    std::fprintf(file, "%s  [", comma(first));
    first = false;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Member& one = members[i];
      std::fprintf(file, "%s[%d, %d, %" PRId64 ", %" PRId64 ", %u]", i == 0 ? "" : ", ", one.rank,
                   one.kind, one.sample->begun, one.sample->taken,
                   static_cast<unsigned>(one.sample->is_root));
    }
    std::fprintf(file, "]");
  }
  std::fprintf(file, "],\n");
}

void write_times(std::FILE* file, const std::vector<double>& times) {
  for (std::size_t i = 0; i < times.size(); ++i)
    std::fprintf(file, "%s%s", i == 0 ? "" : ", ", number(times[i]).c_str());
}

void write_compared(std::FILE* file, const JobRecord& all) {
  if (!all.compares) return;
  std::fprintf(file, " \"compared\": [");
  for (std::size_t i = 0; i < all.compared.size(); ++i) {
    const Compared& one = all.compared[i];
    std::fprintf(file,
                 "%s  {\"operation\": \"%s\", \"operator\": \"%s\", \"members\": %d, \"calls\": "
                 "%" PRId64 ", \"bytes\": %" PRId64 ", \"tutti_us\": [",
                 comma(i == 0), name_of(one.operation),
                 one.applier == Applier::mpi ? "mpi" : "tutti", one.members, one.calls, one.bytes);
    write_times(file, one.turns.ours);
    std::fprintf(file, "], \"mpi_us\": [");
    write_times(file, one.turns.theirs);
    std::fprintf(file, "]}");
  }
  std::fprintf(file, "],\n");
}

}  // namespace

void write_record(std::FILE* file, const JobRecord& all) {
  const Kinds kinds(all);
  std::fprintf(file,
               "{\"schema\": \"tutti-mpi-record-1\",\n \"program\": %s,\n \"mpi\": %s,\n"
               " \"processors\": %d,\n",
               quoted(all.program).c_str(), quoted(all.mpi).c_str(), all.processors);
  write_ranks(file, all);
  write_kinds(file, kinds);
  write_samples(file, all, kinds);
  write_compared(file, all);
  std::fprintf(file, " \"load\": [%s, %s, %s]}\n", quoted(all.load[0]).c_str(),
               quoted(all.load[1]).c_str(), quoted(all.load[2]).c_str());
}

}  // namespace tutti::mpi
