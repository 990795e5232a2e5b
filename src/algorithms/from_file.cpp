// SPDX-License-Identifier: BSD-3-Clause
// Makes generators of the schedules in files.
#include "algorithms/from_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/adopted.hpp"
#include "base/error.hpp"
#include "base/sha256.hpp"
#include "formats/load.hpp"
#include "formats/program_file.hpp"
#include "formats/rotate.hpp"
#include "schedule/printer.hpp"

namespace tutti::algorithms {
namespace {

using formats::Schedule;
using schedule::Operation;
using schedule::Shape;

// The schedules of one operation in a file or folder, by number of ranks and root.
class FileSource : public Source {
 public:
  // `folder` holds the file, for a message.
  void add(Schedule schedule, std::string_view folder) {
    const auto key = std::pair(schedule.p, schedule.any_root ? any_root : schedule.root);
    const auto [other, is_new] = schedules_.try_emplace(key, std::move(schedule));
    if (is_new) return;  // otherwise nothing has been moved
    base::fail(
        base::Status::invalid_argument,
        "{}: the schedules '{}' and '{}' both serve {} for {} and the same root; take one of "
        "their files away",
        folder, other->second.name, schedule.name, schedule::to_text(schedule.operation),
        schedule.p == 1 ? "1 rank" : fmt::format("{} ranks", schedule.p));
  }
  [[nodiscard]] bool in_place() const {
    return std::all_of(schedules_.begin(), schedules_.end(),
                       [](const auto& entry) { return entry.second.in_place; });
  }
  [[nodiscard]] schedule::Operators operators() const {
    const bool any = std::all_of(schedules_.begin(), schedules_.end(), [](const auto& entry) {
      return entry.second.operators == schedule::Operators::any;
    });
    return any ? schedule::Operators::any : schedule::Operators::commutative;
  }

  [[nodiscard]] int rounds(const Shape& shape) const override {
    return static_cast<int>(of(shape).programs.front().size());
  }
  [[nodiscard]] schedule::Buffers buffers(const Shape& shape) const override {
    return of(shape).buffers;
  }
  void emit(schedule::Round& out, const Shape& shape, schedule::Rank me, int t) const override {
    const Schedule& schedule = of(shape);
    const int turn = schedule.any_root ? shape.root - schedule.root : 0;
    const auto as = static_cast<std::size_t>(schedule::mod(num(me) - turn, shape.p));
    formats::append_rotated(out, schedule.programs[as][static_cast<std::size_t>(t)], turn, shape.p);
  }
  [[nodiscard]] bool applies(const Shape& shape) const override { return find(shape) != nullptr; }
  [[nodiscard]] std::string needs() const override {
    std::string text;
    for (const auto& [key, schedule] : schedules_) {
      text += fmt::format("{}p = {}", text.empty() ? "" : ", or ", key.first);
      if (has_root(schedule.operation) && !schedule.any_root)
        text += fmt::format(" and root {}", key.second);
    }
    return text;
  }
  void append_shapes(std::vector<FileShape>& out) const {
    for (const auto& entry : schedules_)
      out.push_back({entry.second.operation, entry.second.p, entry.second.root});
  }
  [[nodiscard]] const std::string& own_name() const { return schedules_.begin()->second.name; }
  [[nodiscard]] std::string identity() const override {
    std::string text;
    for (const auto& entry : schedules_) text += formats::hash_of(entry.second);
    return base::sha256(text);
  }

 private:
  static constexpr int any_root = -1;

  [[nodiscard]] Operation key_operation() const { return schedules_.begin()->second.operation; }
  [[nodiscard]] const Schedule* find(const Shape& shape) const {
    for (const int root : {has_root(key_operation()) ? shape.root : 0, any_root}) {
      const auto found = schedules_.find({shape.p, root});
      if (found != schedules_.end()) return &found->second;
    }
    return nullptr;
  }
  [[nodiscard]] const Schedule& of(const Shape& shape) const {
    if (const Schedule* found = find(shape)) return *found;
    base::fail(base::Status::no_such_plan, "the file serves only {}", needs());
  }

  std::map<std::pair<int, int>, Schedule> schedules_;
};

// Reads and proves a file, and makes a generator for each operation that it serves.
void load(const std::string& name) {
  std::map<Operation, std::unique_ptr<FileSource>> sources;
  const std::string path = name.substr(file_prefix.size());
  for (Schedule& schedule : formats::proved_schedules(path)) {
    std::unique_ptr<FileSource>& source = sources[schedule.operation];
    if (!source) source = std::make_unique<FileSource>();
    source->add(std::move(schedule), path);
  }
  for (auto& [operation, source] : sources) {
    const bool in_place = source->in_place();
    const schedule::Operators operators = source->operators();
    adopt({name, operation, operators, in_place}, std::move(source));
  }
}

// Loads the file if it has not been loaded. Returns its generators.
std::vector<const schedule::Generator*> generators_of(const std::string& name) {
  const auto found = [&] {
    std::vector<const schedule::Generator*> generators;
    for (int i = 0; i <= static_cast<int>(Operation::exscan); ++i)
      if (const auto* generator = adopted(static_cast<Operation>(i), name))
        generators.push_back(generator);
    return generators;
  };
  std::vector<const schedule::Generator*> generators = found();
  if (!generators.empty()) return generators;
  load(name);
  return found();
}

}  // namespace

const schedule::Generator* from_file(Operation operation, std::string_view name) {
  for (const schedule::Generator* generator : generators_of(std::string(name)))
    if (generator->operation == operation) return generator;
  return nullptr;
}

std::string own_name(const schedule::Generator& generator) {
  if (generator.name != fmt::format("{}-", file_prefix)) return {};
  const std::string& name = static_cast<const FileSource*>(source_of(generator))->own_name();
  return name.empty() ? "schedule" : name;
}

std::vector<FileShape> shapes_in_file(std::string_view name) {
  std::vector<FileShape> shapes;
  for (const schedule::Generator* generator : generators_of(std::string(name)))
    static_cast<const FileSource*>(source_of(*generator))->append_shapes(shapes);
  return shapes;
}

std::string operations_in_file(std::string_view name) {
  std::string text;
  for (const schedule::Generator* generator : generators_of(std::string(name)))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", schedule::to_text(generator->operation));
  return text;
}

}  // namespace tutti::algorithms
