// SPDX-License-Identifier: BSD-3-Clause
// Writes Chakra's execution traces (et_def.proto): the metadata, then a node for each message, each
// behind its length.
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/message_graph.hpp"

namespace tutti::formats {
namespace {

using Kind = MessageNode::Kind;

// Node types and numbers of fields in et_def.proto.
enum NodeType : std::uint8_t { compute = 4, send = 5, receive = 6 };
enum AttributeField : std::uint8_t { int32_value = 7, int64_value = 9, bool_value = 27 };

// Collects the fields of a message of protobuf.
class Message {
 public:
  void add(int field, std::uint64_t value) {
    add_varint(static_cast<std::uint64_t>(field) << 3);
    add_varint(value);
  }
  void add(int field, std::string_view bytes) {
    add_varint(static_cast<std::uint64_t>(field) << 3 | 2);
    add_varint(bytes.size());
    bytes_ += bytes;
  }
  void add_attribute(std::string_view name, AttributeField field, std::uint64_t value) {
    Message attribute;
    attribute.add(1, name);
    attribute.add(field, value);
    add(10, attribute.bytes_);
  }
  [[nodiscard]] std::string delimited() const {
    Message whole;
    whole.add_varint(bytes_.size());
    return whole.bytes_ + bytes_;
  }
  void add_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(0x80 | (value & 0x7f));
    bytes_ += static_cast<char>(value);
  }

 private:
  std::string bytes_;
};

Message message_of(const MessageNode& node, std::size_t id, int rank, const GraphCosts& costs) {
  Message out;
  const bool work = node.kind == Kind::work, sends = node.kind == Kind::send;
  const auto me = static_cast<std::uint64_t>(rank), peer = static_cast<std::uint64_t>(node.peer);
  out.add(1, id);
  out.add(2, work ? "combine" : sends ? "send" : "receive");
  out.add(3, std::uint64_t{work ? compute : sends ? send : receive});
  for (const int before : node.after) out.add(5, static_cast<std::uint64_t>(before));
  if (work) {
    const double us = costs.nanoseconds * static_cast<double>(node.bytes) / 1000;
    out.add(7, static_cast<std::uint64_t>(std::llround(us)));
    return out;
  }
  out.add_attribute("is_cpu_op", bool_value, 0);
  out.add_attribute("comm_src", int32_value, sends ? me : peer);
  out.add_attribute("comm_dst", int32_value, sends ? peer : me);
  out.add_attribute("comm_tag", int32_value, static_cast<std::uint64_t>(node.round));
  out.add_attribute("comm_size", int64_value, static_cast<std::uint64_t>(node.bytes));
  return out;
}

}  // namespace

std::string chakra_trace(const MessageGraph& graph, int rank, const GraphCosts& costs) {
  Message metadata;
  metadata.add(1, "0.0.4");
  std::string trace = metadata.delimited();
  const auto& nodes = graph[static_cast<std::size_t>(rank)];
  for (std::size_t i = 0; i < nodes.size(); ++i)
    trace += message_of(nodes[i], i, rank, costs).delimited();
  return trace;
}

}  // namespace tutti::formats
