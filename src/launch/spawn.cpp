// SPDX-License-Identifier: BSD-3-Clause
// Packs requests and answers: a number as its bytes, a list or text as its length and its elements.
// Both ends run the same version of tutti on one machine.
#include "launch/spawn.hpp"

#include <cstring>

namespace tutti::launch {
namespace {

class Packer {
 public:
  Packer& number(int value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Packer& text(std::string_view value) {
    number(static_cast<int>(value.size()));
    bytes_.append(value);
    return *this;
  }
  Packer& numbers(const std::vector<int>& values) {
    number(static_cast<int>(values.size()));
    for (const int value : values) number(value);
    return *this;
  }
  [[nodiscard]] std::string done() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  int number() {
    int value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(static_cast<std::size_t>(number()))); }
  std::vector<int> numbers() {
    std::vector<int> values;
    for (int left = number(); left > 0; --left) values.push_back(number());
    return values;
  }

 private:
  std::string_view take(std::size_t bytes) {
    if (bytes > bytes_.size())
      base::fail(base::Status::bad_environment, "a message of the job's supervisor is cut off");
    const std::string_view taken = bytes_.substr(0, bytes);
    bytes_.remove_prefix(bytes);
    return taken;
  }

  std::string_view bytes_;
};

}  // namespace

std::string SpawnRequest::pack() const {
  Packer packer;
  packer.text(executable)
      .number(count)
      .number(logged ? 1 : 0)
      .number(static_cast<int>(arguments.size()));
  for (const std::string& argument : arguments) packer.text(argument);
  return packer.done();
}

SpawnRequest SpawnRequest::unpack(std::string_view bytes) {
  Unpacker unpacker(bytes);
  SpawnRequest request;
  request.executable = unpacker.text();
  request.count = unpacker.number();
  request.logged = unpacker.number() != 0;
  for (int left = unpacker.number(); left > 0; --left) request.arguments.push_back(unpacker.text());
  return request;
}

std::string SpawnAnswer::pack() const {
  return Packer().number(static_cast<int>(status)).text(text).numbers(endpoints).done();
}

SpawnAnswer SpawnAnswer::unpack(std::string_view bytes) {
  Unpacker unpacker(bytes);
  SpawnAnswer answer;
  answer.status = static_cast<base::Status>(unpacker.number());
  answer.text = unpacker.text();
  answer.endpoints = unpacker.numbers();
  return answer;
}

std::string SignalRequest::pack() const {
  return Packer().number(endpoint).number(signal).done();
}

SignalRequest SignalRequest::unpack(std::string_view bytes) {
  Unpacker unpacker(bytes);
  SignalRequest request;
  request.endpoint = unpacker.number();
  request.signal = unpacker.number();
  return request;
}

std::string SpawnGroup::pack() const {
  return Packer().number(parent).numbers(world).done();
}

SpawnGroup SpawnGroup::unpack(std::string_view bytes) {
  Unpacker unpacker(bytes);
  SpawnGroup spawn_group;
  spawn_group.parent = unpacker.number();
  spawn_group.world = unpacker.numbers();
  return spawn_group;
}

}  // namespace tutti::launch
