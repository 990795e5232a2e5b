// SPDX-License-Identifier: BSD-3-Clause
// Reads MSCCL's XML.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "formats/limits.hpp"
#include "formats/msccl.hpp"
#include "formats/msccl_steps.hpp"
#include "formats/xml_text.hpp"

namespace tutti::formats {
namespace {

using schedule::Operation;

constexpr std::string_view type_names[] = {"s",    "r",   "rcs", "rrs", "rrc",
                                           "rrcs", "cpy", "re",  "nop"};
constexpr int most_chunks = 1 << 20;
constexpr int most_steps = 1 << 20;  // of a thread block
constexpr int most_thread_blocks = 1 << 12;
constexpr std::size_t most_notes = 8;

class MscclReader {
 public:
  MscclReader(std::string_view text, std::string_view name) : xml_(text, name), name_(name) {}

  ProgramFile read() {
    if (!xml_.enter("algo")) xml_.fail("no element <algo> is found");
    read_algorithm();
    while (xml_.enter("gpu")) {
      read_gpu();
      xml_.leave();
    }
    xml_.leave();
    xml_.end();
    if (static_cast<int>(gpus_.size()) != schedule_.p || seen_ != schedule_.p)
      xml_.fail("{} elements <gpu> are found, and ngpus is {}", seen_, schedule_.p);
    check_waits();
    require(give_blocks(file_));
    require(level_steps(gpus_, schedule_));
    require(problem_of_order(gpus_));
    give_result(file_);
    require(fit_scratch(schedule_));
    schedule_.in_place = file_.one_memory;
    return {std::move(schedule_), {}, std::move(notes_)};
  }

 private:
  void require(const std::string& problem) const {
    if (!problem.empty()) xml_.fail("{}", problem);
  }

  // Notes the attributes of an element that are not in the list, each once for the file.
  void note_others(std::string_view element, std::initializer_list<std::string_view> known) {
    for (const std::string_view attribute : xml_.others(known)) {
      if (noted_.size() > most_notes || !noted_.insert({element, attribute}).second) continue;
      if (noted_.size() > most_notes) {
        notes_.push_back(fmt::format("{} has more attributes that tutti does not know", name_));
        return;
      }
      notes_.push_back(
          fmt::format("{} line {}: tutti does not know the attribute {} of <{}> and passes it over",
                      name_, xml_.line(), attribute.substr(0, 40), element));
    }
  }

  void read_algorithm() {
    note_others("algo", {"name", "proto", "nchannels", "nchunksperloop", "ngpus", "coll", "inplace",
                         "outofplace", "minBytes", "maxBytes", "root", "redop", "nthreadblocks"});
    schedule_.name = xml_.optional("name").value_or("");
    if (schedule_.name.size() > most_text) xml_.fail("the name is longer than {} bytes", most_text);
    schedule_.about = fmt::format("from MSCCL, proto {}, {} channels",
                                  xml_.optional("proto").value_or("Simple").substr(0, 20),
                                  xml_.optional("nchannels").value_or("1").substr(0, 10));
    schedule_.p = xml_.integer("ngpus", 1, most_ranks);
    file_.chunks = xml_.integer("nchunksperloop", 1, most_chunks);
    const bool in_place = xml_.optional("inplace") && xml_.integer("inplace", 0, 1) == 1;
    const bool separate = xml_.optional("outofplace") && xml_.integer("outofplace", 0, 1) == 1;
    file_.one_memory = in_place && !separate;
    const std::string_view name = xml_.text("coll");
    const auto operation = operation_named(name);
    if (name == "custom")
      xml_.fail(
          "coll is custom, so the file does not say what each GPU must have at the end, and there "
          "is nothing to prove");
    if (!operation)
      xml_.fail(
          "coll is {}, which tutti does not have: it has allreduce, allgather, reduce_scatter, "
          "alltoall, broadcast and reduce",
          name.substr(0, 40));
    schedule_.operation = *operation;
    if (has_root(*operation))
      schedule_.root = xml_.optional("root") ? xml_.integer("root", 0, schedule_.p - 1) : 0;
    gpus_.resize(static_cast<std::size_t>(schedule_.p));
    seen_gpus_.resize(gpus_.size());
  }

  static std::optional<Operation> operation_named(std::string_view name) {
    using enum Operation;
    constexpr std::array<std::pair<std::string_view, Operation>, 7> known{
        {{"allreduce", allreduce},
         {"allgather", allgather},
         {"reduce_scatter", reduce_scatter},
         {"reducescatter", reduce_scatter},
         {"alltoall", alltoall},
         {"broadcast", broadcast},
         {"reduce", reduce}}};
    for (const auto& [word, operation] : known)
      if (word == name) return operation;
    return std::nullopt;
  }

  void read_gpu() {
    note_others("gpu", {"id", "i_chunks", "o_chunks", "s_chunks"});
    const auto id = static_cast<std::size_t>(xml_.integer("id", 0, schedule_.p - 1));
    if (seen_gpus_[id]) xml_.fail("gpu {} stands twice", id);
    seen_gpus_[id] = true;
    ++seen_;
    check_size("i_chunks", input_chunks_);
    check_size("o_chunks", output_chunks_);
    file_.scratch = std::max(file_.scratch, xml_.integer("s_chunks", 0, most_chunks));
    while (xml_.enter("tb")) {
      read_thread_block(id);
      xml_.leave();
    }
  }

  // The buffers of all ranks have the same size, if it is said.
  void check_size(std::string_view key, std::optional<int>& common) {
    if (!xml_.optional(key)) return;
    const int size = xml_.integer(key, 0, most_chunks);
    if (size != common.value_or(size))
      xml_.fail("{} is {}, and {} in a gpu before it", key, size, *common);
    common = size;
  }

  void read_thread_block(std::size_t gpu) {
    note_others("tb", {"id", "send", "recv", "chan"});
    const int id = xml_.integer("id", 0, most_thread_blocks);
    if (id != static_cast<int>(gpus_[gpu].size()))
      xml_.fail("tb {} stands where tb {} is expected", id, gpus_[gpu].size());
    ThreadBlock block;
    block.send = xml_.integer("send", -1, schedule_.p - 1);
    block.receive = xml_.integer("recv", -1, schedule_.p - 1);
    block.channel = xml_.integer("chan", 0, most_chunks);
    while (xml_.enter("step")) {
      if (xml_.integer("s", 0, most_steps) != static_cast<int>(block.steps.size()))
        xml_.fail("step {} stands where step {} is expected", xml_.text("s"), block.steps.size());
      block.steps.push_back(read_step(block));
      xml_.leave();
    }
    gpus_[gpu].push_back(std::move(block));
  }

  Step read_step(const ThreadBlock& block) {
    note_others("step", {"s", "type", "srcbuf", "srcoff", "dstbuf", "dstoff", "cnt", "depid",
                         "deps", "hasdep"});
    if (++steps_ > most_operations)
      xml_.fail("there are more steps than the limit, {}", most_operations);
    Step read;
    const std::string_view type = xml_.text("type");
    const auto known = std::find(std::begin(type_names), std::end(type_names), type);
    if (known == std::end(type_names)) xml_.fail("there is no type of step {}", type.substr(0, 40));
    read.type = static_cast<StepType>(known - std::begin(type_names));
    if (sends(read.type) && block.send < 0) xml_.fail("a tb without send has a step {}", type);
    if (receives(read.type) && block.receive < 0)
      xml_.fail("a tb without recv has a step {}", type);
    read.thread_block = xml_.integer("depid", -1, most_thread_blocks);
    if (read.thread_block >= 0) read.step = xml_.integer("deps", 0, most_steps);
    if (read.type == StepType::nop) return read;
    const int count = xml_.integer("cnt", 1, most_chunks);
    read.from = {buffer_in("srcbuf"), xml_.integer("srcoff", 0, most_chunks), count};
    read.to = {buffer_in("dstbuf"), xml_.integer("dstoff", 0, most_chunks), count};
    return read;
  }

  // A step may wait for a thread block that comes later, so this is checked when all are there.
  void check_waits() const {
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu)
      for (std::size_t block = 0; block < gpus_[gpu].size(); ++block)
        for (std::size_t step = 0; step < gpus_[gpu][block].steps.size(); ++step)
          check_wait(gpu, block, step);
  }

  void check_wait(std::size_t gpu, std::size_t block, std::size_t step) const {
    const Step& read = gpus_[gpu][block].steps[step];
    if (read.thread_block < 0) return;
    const auto other = static_cast<std::size_t>(read.thread_block);
    const auto before = static_cast<std::size_t>(read.step);
    if (other == block && before == step)
      xml_.fail("step {} of tb {} of gpu {} waits for itself", step, block, gpu);
    if (other >= gpus_[gpu].size() || before >= gpus_[gpu][other].steps.size())
      xml_.fail("step {} of tb {} of gpu {} waits for step {} of tb {}, which is not there", step,
                block, gpu, before, other);
  }

  char buffer_in(std::string_view attribute) {
    const std::string_view name = xml_.text(attribute);
    if (name != "i" && name != "o" && name != "s")
      xml_.fail("{} is '{}' but must be i, o or s", attribute, name.substr(0, 40));
    return name.front();
  }

  XmlText xml_;
  std::string_view name_;  // of the file
  MscclFile file_;
  Schedule& schedule_ = file_.schedule;
  std::vector<Gpu>& gpus_ = file_.gpus;
  std::vector<bool> seen_gpus_;
  int seen_ = 0;
  std::optional<int> input_chunks_, output_chunks_;
  std::int64_t steps_ = 0;
  std::set<std::pair<std::string_view, std::string_view>> noted_;  // elements and attributes
  std::vector<std::string> notes_;
};

}  // namespace

ProgramFile read_msccl(std::string_view text, std::string_view file) {
  if (static_cast<std::int64_t>(text.size()) > most_file_bytes)
    base::fail(base::Status::invalid_argument, "{} has {} bytes, limit {}", file, text.size(),
               most_file_bytes);
  return MscclReader(text, file).read();
}

}  // namespace tutti::formats
