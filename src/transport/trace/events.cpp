// SPDX-License-Identifier: BSD-3-Clause
// Each process of a job is one of the trace, with a row for its calls, one for the rounds of
// blocking operations and one for its waits. Operations that go on besides calls overlap, so they
// are asynchronous events with rows of their own.
#include "transport/trace/events.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"
#include "transport/trace/ticks.hpp"

namespace tutti::trace {
namespace {

enum Row { calls, rounds, waits };
enum class Ended : bool { no, yes };

// Turns ticks into microseconds since the origin of the trace.
class Clock {
 public:
  Clock(const Header& header, std::int64_t origin)
      : first_(header.begin_ticks), offset_(header.begin_real - origin) {
    const std::uint64_t now = ticks(header.counter);
    const std::int64_t elapsed = nanoseconds(CLOCK_MONOTONIC) - header.begin_monotonic;
    if (now > first_) rate_ = static_cast<double>(elapsed) / static_cast<double>(now - first_);
  }
  [[nodiscard]] double at(std::uint64_t tick) const {
    return (length(tick - first_) * 1e3 + static_cast<double>(offset_)) / 1e3;
  }
  [[nodiscard]] double length(std::uint64_t count) const {
    return static_cast<double>(static_cast<std::int64_t>(count)) * rate_ / 1e3;
  }

 private:
  std::uint64_t first_;
  std::int64_t offset_;
  double rate_ = 1;
};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

class Writer {
 public:
  Writer(const Header& header, Journal& journal)
      : header_(header), journal_(journal), clock_(header, journal.origin()) {}

  void titles() {
    title("process_name", calls, escaped(header_.title));
    title("thread_name", calls, "calls");
    title("thread_name", rounds, "rounds");
    title("thread_name", waits, "waits");
  }

  void lost(std::uint64_t records) {
    event(
        fmt::format("{{\"name\":\"{} earlier records are overwritten\",\"cat\":\"lost\",\"ph\":"
                    "\"i\",\"s\":\"p\",\"pid\":{},\"tid\":0,\"ts\":0,\"args\":{{\"records\":{}}}}}",
                    records, header_.process, records));
  }

  // Writes the events of a record. A process that was killed was alive at the tick `seen`.
  void record(const TraceRecord& whole, std::uint64_t seen) {
    const auto has = [&whole](std::uint8_t what) { return (whole.holds & what) != 0; };
    TraceRecord call = whole;
    if (has(Holds::in_call)) {
      if (call.begin == 0) call.begin = seen;  // it has not come to its first wait
      call.end = std::max(seen, call.begin + (has(Holds::wait) ? call.wait_to : 0));
    }
    const std::uint64_t wait_begin = call.begin + call.wait_from;
    if (has(Holds::wait))
      part_of(call, RecordKind::wait, wait_begin, call.begin + call.wait_to, Ended::yes);
    if (has(Holds::in_wait))
      part_of(call, RecordKind::wait, wait_begin, std::max(call.end, wait_begin), Ended::no);
    if (has(Holds::round)) part_of(call, RecordKind::round, call.begin, call.end, Ended::yes);
    if (has(Holds::in_round)) part_of(call, RecordKind::round, call.begin, call.end, Ended::no);
    if (call.kind == RecordKind::call) {
      if (!has(Holds::operation)) call.operation = {};
      call.round = 0;
    }
    one(call, has(Holds::in_call) ? Ended::no : Ended::yes);
  }

  void flush() {
    if (!text_.empty()) journal_.add(text_);
    text_.clear();
  }

  void one(const TraceRecord& record, Ended ended) {
    const std::string facts =
        arguments(record) + (ended == Ended::no ? ",\"unfinished\":true" : "");
    switch (record.kind) {
      case RecordKind::call:
        return span(calls, "call", name(record.call), record, facts);
      case RecordKind::choice:
        return span(calls, "choice", "choose a plan", record, facts);
      case RecordKind::round:
        return span(rounds, "round", fmt::format("round {}", record.round), record, facts);
      case RecordKind::wait:
        return span(waits, "wait", awaited(record), record, facts);
      case RecordKind::started:
        return pair("started", operation(record.operation), record, facts);
      case RecordKind::round_of_started:
        return pair("started", fmt::format("round {}", record.round), record, facts);
    }
  }

 private:
  void part_of(const TraceRecord& call, RecordKind kind, std::uint64_t begin, std::uint64_t end,
               Ended ended) {
    TraceRecord part = call;
    part.kind = kind;
    part.begin = begin;
    part.end = end;
    one(part, ended);
  }

  void event(std::string_view text) {
    constexpr std::size_t enough = 64 * 1024;
    text_ += text;
    text_ += ",\n";
    if (text_.size() > enough) flush();
  }

  void title(const char* what, Row row, std::string_view text) {
    event(
        fmt::format("{{\"name\":\"{}\",\"ph\":\"M\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":"
                    "\"{}\"}}}}",
                    what, header_.process, static_cast<int>(row), text));
  }

  void span(Row row, const char* category, std::string_view called, const TraceRecord& record,
            std::string_view facts) {
    event(
        fmt::format("{{\"name\":\"{}\",\"cat\":\"{}\",\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":"
                    "{:.3f},\"dur\":{:.3f},\"args\":{{{}}}}}",
                    called, category, header_.process, static_cast<int>(row),
                    clock_.at(record.begin), clock_.length(record.end - record.begin), facts));
  }

  // An asynchronous event begins and ends by itself; the number of its operation ties the two
  // together, and rounds to their operation.
  void pair(const char* category, std::string_view called, const TraceRecord& record,
            std::string_view facts) {
    const auto half = [&](char phase, std::uint64_t tick, std::string_view more) {
      event(
          fmt::format("{{\"name\":\"{}\",\"cat\":\"{}\",\"ph\":\"{}\",\"id\":\"{:x}.{:x}.{}\","
                      "\"pid\":{},\"tid\":0,\"ts\":{:.3f},\"args\":{{{}}}}}",
                      called, category, phase, record.operation.group, record.operation.number,
                      header_.process, header_.process, clock_.at(tick), more));
    };
    half('b', record.begin, facts);
    half('e', record.end, "");
  }

  [[nodiscard]] std::string name(std::uint32_t index) const {
    if (index == 0 || index >= header_.name_count.load()) return "other";
    return escaped(header_.names[index]);
  }

  // A plan is registered as operation, algorithm and processes with tabulators between them.
  [[nodiscard]] std::array<std::string, 3> plan(const TracedOperation& of) const {
    std::array<std::string, 3> words;
    const bool known = of.plan != 0 && of.plan < header_.name_count.load();
    std::string_view text = known ? header_.names[of.plan] : "";
    for (std::string& word : words) {
      const std::size_t end = std::min(text.find('\t'), text.size());
      word = escaped(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
  }
  [[nodiscard]] std::string operation(const TracedOperation& of) const { return plan(of)[0]; }

  static std::string awaited(const TraceRecord& record) {
    if (record.peer < 0) return "wait";
    if (record.more == 0) return fmt::format("wait for {}", record.peer);
    return fmt::format("wait for {} and {} more", record.peer, record.more);
  }

  [[nodiscard]] std::string arguments(const TraceRecord& record) const {
    std::string facts;
    const auto add = [&facts](const std::string& one) {
      facts += (facts.empty() ? "" : ",") + one;
    };
    if (record.kind == RecordKind::wait) {
      if (record.peer >= 0) add(fmt::format("\"for\":{},\"more\":{}", record.peer, record.more));
      if (record.call != 0) add(fmt::format("\"call\":\"{}\"", name(record.call)));
    }
    if (record.round != 0) add(fmt::format("\"round\":{}", record.round));
    if (record.operation.plan == 0) return facts;
    const auto words = plan(record.operation);
    add(
        fmt::format("\"operation\":\"{}\",\"algorithm\":\"{}\",\"group\":\"{}\",\"number\":{},"
                    "\"bytes\":{}",
                    words[0], words[1], words[2], record.operation.number, record.operation.bytes));
    return facts;
  }

  const Header& header_;
  Journal& journal_;
  Clock clock_;
  std::string text_;
};

}  // namespace

bool write_events(const Part& part, Journal& journal) {
  const Header& header = part.header();
  const std::uint64_t written = header.written.load(std::memory_order_acquire);
  // A process that was killed may have been writing over its oldest record.
  const std::uint64_t kept = std::min(written, header.capacity - 1);
  journal.begin();
  Writer writer(header, journal);
  writer.titles();
  if (kept < written) writer.lost(written - kept);
  std::uint64_t seen = header.present.seen;
  for (std::uint64_t i = written - kept; i < written; ++i) {
    const TraceRecord& record = part.records()[i % header.capacity];
    writer.record(record, seen);
    seen = std::max(seen, record.end);
  }
  const TraceRecord& next = part.records()[written % header.capacity];
  if ((next.holds & Holds::in_call) != 0) writer.record(next, seen);
  for (TraceRecord record : {header.present.call, header.present.round, header.present.wait}) {
    if (record.begin == 0) continue;
    record.end = std::max(seen, record.begin);
    writer.one(record, Ended::no);
  }
  writer.flush();
  return journal.end();
}

}  // namespace tutti::trace
