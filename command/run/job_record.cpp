// SPDX-License-Identifier: BSD-3-Clause
// Reads the parts of processes and writes them as JSON.
#include "run/job_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "formats/json_text.hpp"
#include "formats/recorded_operation.hpp"
#include "transport/record/item.hpp"
#include "transport/trace/part.hpp"
#include "transport/trace/ticks.hpp"

namespace tutti::tools {
namespace {

using record::ItemKind;
using record::RecordHeader;
using record::RecordItem;

std::string json_list(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(formats::json_string(text));
  return fmt::format("[{}]", fmt::join(quoted, ","));
}

// Returns how many nanoseconds a tick takes. A processor's counter is compared with the clock of
// the system over the time since the process has begun.
double nanoseconds_per_tick(const RecordHeader& header) {
  if (!header.counter) return 1;
  const std::uint64_t ticks = trace::ticks(header.counter) - header.begin_ticks;
  const std::int64_t time = trace::nanoseconds(CLOCK_MONOTONIC) - header.begin_monotonic;
  return static_cast<double>(time) / static_cast<double>(ticks);
}

// Each endpoint with the rank that it has in the file.
using RankOf = std::map<int, int>;

bool names_endpoint(ItemKind kind) {
  return kind == ItemKind::send || kind == ItemKind::receive || kind == ItemKind::probe ||
         kind == ItemKind::come;
}

// The items of one process.
class PartOfRecord {
 public:
  explicit PartOfRecord(const std::string& path) : path_(path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream all;
    all << file.rdbuf();
    bytes_ = std::move(all).str();
    if (bytes_.size() < sizeof header_) refuse();
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    if (header_.magic != RecordHeader::current_magic) refuse();
    parse();
  }

  // Makes the part of a process that has recorded nothing.
  explicit PartOfRecord(int process) { header_.process = process; }

  [[nodiscard]] int process() const { return header_.process; }
  // Adds all endpoints that stand in the part.
  void add_endpoints(std::set<int>& endpoints) const {
    endpoints.insert(process());
    for (const RecordItem& item : items_)
      if (names_endpoint(item.kind)) endpoints.insert(item.peer);
    for (const std::string& text : groups_) {
      const std::vector<int> members = formats::group_in(text).endpoints;
      endpoints.insert(members.begin(), members.end());
    }
  }
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const std::vector<std::string>& groups() const { return groups_; }

  // Returns how many items it has written.
  std::size_t write(std::ostream& out, const RankOf& rank_of) const {
    out << fmt::format(
        "{{\"process\":{},\"complete\":{},\"calls\":{},\"counters\":{},\"places\":{},\n", process(),
        complete_, json_list(names_), json_list(counters_), json_list(places_));
    out << fmt::format("\"bound\":[{}],\n\"items\":[", fmt::join(bound_, ",\n"));
    const double tick = nanoseconds_per_tick(header_);
    std::size_t written = 0;
    for (const RecordItem& item : items_) {
      const std::string text = what(item, rank_of);
      if (text.empty()) continue;
      out << (written++ == 0 ? "\n{" : ",\n{") << text;
      if (item.call > 0) out << fmt::format(",\"call\":{}", item.call - 1);
      if (item.place > 0) out << fmt::format(",\"place\":{}", item.place - 1);
      if (item.ticks > 0)
        out << fmt::format(",\"after\":{:.0f}", static_cast<double>(item.ticks) * tick);
      out << '}';
    }
    out << "]}";
    return written;
  }

 private:
  [[noreturn]] void refuse() const {
    base::fail(base::Status::system_error, "'{}' is no part of a record", path_);
  }

  // The last item of a process that was killed may announce a text that is not there.
  void parse() {
    std::size_t at = record::first_item_at;
    for (RecordItem item; at + sizeof item <= bytes_.size(); items_.push_back(item)) {
      std::memcpy(&item, bytes_.data() + at, sizeof item);
      at += sizeof item;
      if (item.kind == ItemKind::none) break;
      complete_ = item.kind == ItemKind::end;
      if (complete_) break;
      if (item.kind == ItemKind::come) come_[item.request] = item;
      if (item.kind == ItemKind::withdraw) withdrawn_.insert(item.request);
      std::vector<std::string>* const texts = texts_of(item.kind);
      if (texts == nullptr) continue;
      if (item.bytes > bytes_.size() - at) break;
      texts->push_back(bytes_.substr(at, item.bytes));
      at += (item.bytes + sizeof item - 1) / sizeof item * sizeof item;
    }
  }

  std::vector<std::string>* texts_of(ItemKind kind) {
    if (kind == ItemKind::name) return &names_;
    if (kind == ItemKind::group) return &groups_;
    if (kind == ItemKind::bound) return &bound_;
    if (kind == ItemKind::counter) return &counters_;
    if (kind == ItemKind::place) return &places_;
    return nullptr;
  }

  // Returns an item as JSON; an empty text for one that the file does not have.
  [[nodiscard]] std::string what(const RecordItem& item, const RankOf& rank_of) const {
    const auto rank = [&](const RecordItem& named) { return rank_of.at(named.peer); };
    const std::string request =
        item.request == 0 ? "" : fmt::format(",\"request\":{}", item.request);
    switch (item.kind) {
      case ItemKind::run:
        return fmt::format("\"run\":{}{}", item.peer, request);
      case ItemKind::send:
        if (withdrawn_.contains(item.request)) return "";
        return fmt::format("\"send\":{},\"bytes\":{}{}", rank(item), item.bytes, request);
      case ItemKind::receive:
        return fmt::format("\"receive\":{},\"message\":{}", rank(item), item.bytes);
      case ItemKind::probe:
        return fmt::format("\"probe\":{},\"message\":{}", rank(item), item.bytes);
      case ItemKind::wait:
        return fmt::format("\"wait\":{}", item.request);
      case ItemKind::share:
        return "\"shared\":1";
      case ItemKind::spend:
        return fmt::format("\"spend\":{}", item.bytes);
      case ItemKind::until:
        return fmt::format("\"until\":{}", item.bytes);
      case ItemKind::arrive:
        return fmt::format("\"arrive\":{},\"count\":{}", item.peer, item.bytes);
      case ItemKind::post: {
        const auto message = come_.find(item.request);
        if (message == come_.end()) return "";  // it was taken back, or nothing came for it
        return fmt::format("\"post\":{},\"message\":{}{}", rank(message->second),
                           message->second.bytes, request);
      }
      default:
        return "";
    }
  }

  std::string path_;
  std::string bytes_;
  RecordHeader header_;
  bool complete_ = false;
  std::vector<RecordItem> items_;
  std::map<std::uint32_t, RecordItem> come_;  // by the request of the posted receive
  std::set<std::uint32_t> withdrawn_;         // requests of sends that did not take place
  std::vector<std::string> names_, groups_, bound_, counters_, places_;
};

// Returns the groups of all parts as JSON; each part has told of its own ones.
std::string groups_of(const std::vector<PartOfRecord>& parts, const RankOf& rank_of) {
  std::map<std::string, std::string> groups;
  for (const PartOfRecord& part : parts)
    for (const std::string& text : part.groups()) {
      const auto [id, endpoints] = formats::group_in(text);
      std::vector<int> members;
      for (const int endpoint : endpoints) members.push_back(rank_of.at(endpoint));
      groups.emplace(id, fmt::format("{}:[{}]", formats::json_string(id), fmt::join(members, ",")));
    }
  std::vector<std::string> all;
  for (const auto& [id, text] : groups) all.push_back(text);
  return fmt::format("{}", fmt::join(all, ",\n"));
}

// Processes that others name and that have not joined the job are ranks, too.
RankOf ranks_of(const std::vector<PartOfRecord>& parts) {
  std::set<int> endpoints;
  for (const PartOfRecord& part : parts) part.add_endpoints(endpoints);
  RankOf rank_of;
  for (const int endpoint : endpoints) rank_of.emplace(endpoint, static_cast<int>(rank_of.size()));
  return rank_of;
}

struct Written {
  std::size_t items = 0;
  std::vector<int> cut;  // processes whose records end early
};

// Writes the file of all parts.
Written write(std::ostream& out, const std::vector<PartOfRecord>& parts) {
  Written written;
  const RankOf rank_of = ranks_of(parts);
  out << fmt::format("{{\"tutti_recording\":1,\"tutti\":\"{}\",\n\"groups\":{{{}}},\n\"ranks\":[",
                     TUTTI_VERSION, groups_of(parts, rank_of));
  const char* between = "\n";
  for (const auto& [process, rank] : rank_of) {
    out << std::exchange(between, ",\n");
    const auto part = std::find_if(
        parts.begin(), parts.end(),
        [number = process](const PartOfRecord& one) { return one.process() == number; });
    const PartOfRecord nothing(process);
    const PartOfRecord& of_process = part == parts.end() ? nothing : *part;
    if (!of_process.complete()) written.cut.push_back(process);
    written.items += of_process.write(out, rank_of);
  }
  out << "]}\n";
  return written;
}

}  // namespace

JobRecord::JobRecord(const std::string& file) {
  std::error_code error;
  path_ = std::filesystem::absolute(file, error).string();
  if (error || !std::ofstream(path_))
    base::fail(base::Status::invalid_argument, "--record: the file '{}' cannot be written", file);
  for (const std::string& part : trace::parts_beside(path_)) std::filesystem::remove(part, error);
}

void JobRecord::ask(launch::LaunchedProgram& program, Places places) const {
  std::vector<std::string>& given = program.setting.environment;
  given.push_back(fmt::format("{}={}", base::name_of(base::Variable::record), path_));
  given.push_back(fmt::format("{}=0", base::name_of(base::Variable::bsp_windows)));
  given.push_back(fmt::format("{}={}", base::name_of(base::Variable::record_places),
                              places == Places::recorded ? 1 : 0));
}

std::string JobRecord::finish() const {
  std::vector<PartOfRecord> parts;
  const std::vector<std::string> paths = trace::parts_beside(path_);
  for (const std::string& path : paths) parts.emplace_back(path);
  // All parts are in memory. A disk that they have filled gets room for the file.
  std::error_code error;
  for (const std::string& path : paths) std::filesystem::remove(path, error);
  if (parts.empty()) {
    std::filesystem::remove(path_, error);
    base::fail(base::Status::invalid_argument,
               "--record: there is no record, because no process has joined the job");
  }
  std::ofstream out(path_);
  const Written written = write(out, parts);
  if (!out.flush()) {
    const int failure = errno;
    std::filesystem::remove(path_, error);
    base::fail(base::Status::system_error,
               "--record: there is no record, because '{}' cannot be written: {}", path_,
               std::strerror(failure));
  }
  const std::string ends = written.cut.empty() ? ""
                                               : fmt::format("; the record of {} ends early",
                                                             fmt::join(written.cut, ", "));
  return fmt::format("{} items of {} processes are in {}{}", written.items, parts.size(), path_,
                     ends);
}

}  // namespace tutti::tools
