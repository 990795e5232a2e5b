// SPDX-License-Identifier: BSD-3-Clause
// Writes a verdict as text and as JSON (report.hpp).
#include "verdict/report.hpp"

#include <fmt/format.h>

#include "support/table.hpp"

namespace tutti::tools {
namespace {

using nlohmann::json;

// Returns the file and line, if the place has one, else the function.
std::string short_place(const std::string& place) {
  const auto line = place.rfind(", ");
  return line == std::string::npos ? place : place.substr(line + 2);
}

std::string times_text(const Figures& times) {
  if (times.samples == 0) return "";
  return fmt::format("{:.4g} ({:.3g}-{:.3g})", times.median, times.lower, times.upper);
}

std::string facts_text(const MpiRecord& record, const Verdict& verdict) {
  std::string text = fmt::format(
      "verdict on {} ({} ranks, {})\nran {:.4g} s from MPI_Init to MPI_Finalize; joining tutti "
      "took {:.2g} s before\ncollectives took {:.4g} s a rank, {:.3g} % of the time ({:.3g} to "
      "{:.3g} s); {:.4g} s of it ({:.0f} %) was waiting for others",
      record.program, record.ranks.size(), record.mpi, verdict.seconds, verdict.starting,
      verdict.collectives, percent(verdict.collectives, verdict.seconds), verdict.least,
      verdict.most, verdict.waiting, percent(verdict.waiting, verdict.collectives));
  if (!verdict.late.empty() && verdict.waiting > 0) {
    text += "; last came";
    for (std::size_t i = 0; i < std::min<std::size_t>(3, verdict.late.size()); ++i) {
      text += fmt::format("{} rank {} ({:.0f} %)", i == 0 ? "" : ",", verdict.late[i].rank,
                          100 * verdict.late[i].share);
    }
  }
  return text + "\n";
}

std::string places_text(const Verdict& verdict) {
  Table table(
      "place<20;  operation<12;  by<6;  calls>8.0f;  bytes>9.0f;  seconds>9.4f;  "
      "waiting>7;  us a call>24");
  for (const PlaceCosts& one : verdict.places) {
    table.add({short_place(one.place), one.operation, one.by_tutti ? "tutti" : "MPI", one.calls,
               one.by_tutti || one.bytes > 0 ? nlohmann::json(one.bytes) : nlohmann::json("?"),
               one.seconds,
               one.waiting ? fmt::format("{:.0f} %", percent(*one.waiting, one.seconds)) : "?",
               times_text(one.call)});
  }
  return verdict.places.empty() ? "" : "\n" + table.text();
}

std::string compared_text(const Verdict& verdict) {
  if (verdict.compared.empty()) return "";
  Table table(
      "made again<12;  ranks>5;  calls>8.0f;  bytes>9.0f;  by tutti, us>24;  by the MPI, us>24;  "
      "the MPI takes more, s>22");
  for (const ComparedCalls& one : verdict.compared) {
    table.add({one.calls.operation, one.calls.members, one.calls.calls, one.calls.bytes,
               times_text(one.ours), times_text(one.theirs),
               one.is_significant() ? fmt::format("{:+.4f}", one.more) : "not significant"});
  }
  return fmt::format(
      "\n{}median and quartiles of {} repeats; the MPI would take {:+.4f} s more in "
      "all ({:+.4f} to {:+.4f})\n",
      table.text(), verdict.compared.front().ours.samples, verdict.more, verdict.least_more,
      verdict.most_more);
}

json times_json(const Figures& times) {
  if (times.samples == 0) return nullptr;
  return {{"median", times.median},
          {"lower_quartile", times.lower},
          {"upper_quartile", times.upper},
          {"repeats", times.samples}};
}

json places_json(const Verdict& verdict) {
  json all = json::array();
  for (const PlaceCosts& one : verdict.places) {
    all.push_back({{"place", one.place},
                   {"operation", one.operation},
                   {"by", one.by_tutti ? "tutti" : "mpi"},
                   {"why", one.why.empty() ? json() : json(one.why)},
                   {"calls", one.calls},
                   {"bytes", one.bytes},
                   {"seconds", one.seconds},
                   {"waiting", one.waiting ? json(*one.waiting) : json()},
                   {"us", times_json(one.call)}});
  }
  return all;
}

json compared_json(const Verdict& verdict) {
  json all = json::array();
  for (const ComparedCalls& one : verdict.compared) {
    all.push_back({{"operation", one.calls.operation},
                   {"operator", one.calls.mpi_operator ? "mpi" : "tutti"},
                   {"members", one.calls.members},
                   {"calls", one.calls.calls},
                   {"bytes", one.calls.bytes},
                   {"tutti_us", times_json(one.ours)},
                   {"mpi_us", times_json(one.theirs)},
                   {"mpi_takes_more", one.more},
                   {"significant", one.is_significant()}});
  }
  return all;
}

}  // namespace

std::string verdict_text(const MpiRecord& record, const Verdict& verdict) {
  std::string text = facts_text(record, verdict) + places_text(verdict) + compared_text(verdict);
  if (verdict.not_sampled > 0) {
    text += fmt::format(
        "of {:.3g} s it is not known how much is waiting: communicators that the MPI serves\n",
        verdict.not_sampled);
  }
  return text + "\n" + verdict.sentence + "\n";
}

json verdict_json(const MpiRecord& record, const Verdict& verdict) {
  json late = json::array();
  for (const LateRank& one : verdict.late)
    late.push_back({{"rank", one.rank}, {"share", one.share}});
  json compared;
  if (record.compares) {
    compared = {{"calls", compared_json(verdict)},
                {"mpi_takes_more", verdict.more},
                {"least", verdict.least_more},
                {"most", verdict.most_more}};
  }
  return {{"program", record.program},
          {"mpi", record.mpi},
          {"ranks", record.ranks.size()},
          {"answer", to_text(verdict.answer)},
          {"sentence", verdict.sentence},
          {"seconds", verdict.seconds},
          {"joining", verdict.starting},
          {"collectives", verdict.collectives},
          {"least_of_a_rank", verdict.least},
          {"most_of_a_rank", verdict.most},
          {"waiting", verdict.waiting},
          {"not_sampled", verdict.not_sampled},
          {"late", late},
          {"places", places_json(verdict)},
          {"compared", compared},
          {"busy", verdict.busy.empty() ? json() : json(verdict.busy)}};
}

}  // namespace tutti::tools
