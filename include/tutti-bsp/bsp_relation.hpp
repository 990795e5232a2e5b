// SPDX-License-Identifier: BSD-3-Clause
// h-relations on values, a part of bsp.hpp: each process says which values go to which process, and
// gets the values for itself. Values may be anything that can be copied byte by byte; strings,
// vectors and other sequences; pairs and tuples; nestings of all these; and types that specialise
// Packing.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>
#include <tutti-bsp/bsp.hpp>

namespace BSPWrapper {

namespace detail {

class Writer;
class Reader;

template <class T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;
template <class T>
concept Sequence = requires(T& t, std::size_t size) {
  typename T::value_type;
  t.resize(size);
  t.begin();
};
// A sequence of plain values in contiguous memory.
template <class T>
concept Block = Sequence<T> && Plain<typename T::value_type> && requires(T& t) {
  t.data();
};
template <class T>
concept Tuple = requires {
  std::tuple_size<T>::value;
};

}  // namespace detail

// A type specialises Packing with two functions, `static void Write(Writer& out, const T&)` and
// `static void Read(Reader& in, T&)`. `out & value` and `in & value` write and read a part there.
template <class T>
struct Packing;

namespace detail {

class Writer {
 public:
  template <class T>
  Writer& operator&(const T& value) {
    if constexpr (Plain<T>) {
      Bytes(&value, sizeof value);
    } else if constexpr (Block<T>) {
      *this& static_cast<std::uint64_t>(value.size());
      Bytes(value.data(), value.size() * sizeof(typename T::value_type));
    } else if constexpr (Sequence<T>) {
      *this& static_cast<std::uint64_t>(value.size());
      for (const auto& each : value) *this& static_cast<const typename T::value_type&>(each);
    } else if constexpr (Tuple<T>) {
      std::apply([this](const auto&... each) { ((void)(*this & each), ...); }, value);
    } else {
      Packing<T>::Write(*this, value);
    }
    return *this;
  }
  void Bytes(const void* from, std::size_t size) {
    const auto* first = static_cast<const char*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  [[nodiscard]] const std::vector<char>& All() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

class Reader {
 public:
  Reader(const char* at, std::size_t size) : at_(at), end_(at + size) {}
  template <class T>
  Reader& operator&(T& value) {
    if constexpr (Plain<T>) {
      Bytes(&value, sizeof value);
    } else if constexpr (Sequence<T>) {
      std::uint64_t size = 0;
      *this& size;
      if (size > static_cast<std::size_t>(end_ - at_))
        throw std::out_of_range("Packing: more is read than was written");
      value.resize(size);
      if constexpr (Block<T>) {
        Bytes(value.data(), value.size() * sizeof(typename T::value_type));
      } else {
        for (auto& each : value) *this& each;
      }
    } else if constexpr (Tuple<T>) {
      std::apply([this](auto&... each) { ((void)(*this & each), ...); }, value);
    } else {
      Packing<T>::Read(*this, value);
    }
    return *this;
  }
  void Bytes(void* to, std::size_t size) {
    if (size > static_cast<std::size_t>(end_ - at_))
      throw std::out_of_range("Packing: more is read than was written");
    std::memcpy(to, at_, size);
    at_ += size;
  }
  [[nodiscard]] bool Done() const { return at_ == end_; }

 private:
  const char* at_;
  const char* end_;
};

inline int AsSize(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::length_error("Exchange: more than an int can count");
  }
  return static_cast<int>(bytes);
}

inline void CheckQueues(std::size_t queues) {
  if (queues != static_cast<std::size_t>(P)) {
    throw std::invalid_argument("Exchange: as many queues as processes are needed");
  }
}

// Sends out[q] to process q and receives sizes[q] bytes from it. Returns the received parts one
// after the other.
inline std::vector<char> ExchangeBytes(const std::vector<std::vector<char>>& out,
                                       const std::vector<int>& sizes) {
  std::vector<int> sent;
  std::vector<char> from;
  std::size_t bytes = 0;
  for (const auto& part : out) {
    sent.push_back(AsSize(part.size()));
    from.insert(from.end(), part.begin(), part.end());
  }
  for (const int size : sizes) bytes += static_cast<std::size_t>(size);
  std::vector<char> to(bytes);
  Need(Backend().total_exchangev, "bsp_total_exchangev")(from.data(), sent.data(), to.data(),
                                                         sizes.data());
  return to;
}

inline std::vector<int> ExchangeSizes(const std::vector<std::vector<char>>& out) {
  std::vector<int> sent, received(out.size());
  for (const auto& part : out) sent.push_back(AsSize(part.size()));
  Need(Backend().total_exchange, "bsp_total_exchange")(sent.data(), received.data(), sizeof(int));
  return received;
}

template <class T>
std::vector<std::vector<char>> Packed(const std::vector<std::vector<T>>& out) {
  std::vector<std::vector<char>> bytes;
  for (const auto& values : out) {
    Writer writer;
    for (const T& value : values) writer& value;
    bytes.push_back(writer.All());
  }
  return bytes;
}

template <class T>
std::vector<std::vector<T>> Unpacked(const std::vector<char>& bytes,
                                     const std::vector<int>& sizes) {
  std::vector<std::vector<T>> values(sizes.size());
  const char* at = bytes.data();
  for (std::size_t q = 0; q < sizes.size(); ++q) {
    Reader reader(at, static_cast<std::size_t>(sizes[q]));
    while (!reader.Done()) reader& values[q].emplace_back();
    at += sizes[q];
  }
  return values;
}

}  // namespace detail

using detail::Reader;
using detail::Writer;

// Sends the values of out[q] to process q. result[q] holds the values from process q, in order. All
// processes call it; no Sync is needed.
template <class T>
std::vector<std::vector<T>> Exchange(const std::vector<std::vector<T>>& out) {
  detail::CheckQueues(out.size());
  const auto bytes = detail::Packed(out);
  const std::vector<int> sizes = detail::ExchangeSizes(bytes);
  return detail::Unpacked<T>(detail::ExchangeBytes(bytes, sizes), sizes);
}

// Exchanges values where each process knows how many it gets: counts[q] from process q. No counts
// are exchanged, and no message passes between processes that have nothing for each other.
template <detail::Plain T>
std::vector<std::vector<T>> Exchange(const std::vector<std::vector<T>>& out,
                                     const std::vector<int>& counts) {
  detail::CheckQueues(out.size());
  detail::CheckQueues(counts.size());
  std::vector<int> sizes;
  for (const int count : counts)
    sizes.push_back(detail::AsSize(static_cast<std::size_t>(count) * sizeof(T)));
  return detail::Unpacked<T>(detail::ExchangeBytes(detail::Packed(out), sizes), sizes);
}

// Sends each value to process destination(value). Returns the received values in the order of the
// processes.
template <class T, class Destination>
std::vector<T> Route(const std::vector<T>& values, const Destination& destination) {
  std::vector<std::vector<T>> out(static_cast<std::size_t>(P));
  for (const T& value : values)
    out.at(static_cast<std::size_t>(destination(value))).push_back(value);
  std::vector<T> all;
  for (auto& part : Exchange(out)) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Exchanges the values of queues, which are empty afterwards.
template <class T>
CMultiQueue<T> Exchange(CMultiQueue<T>& out) {
  detail::CheckQueues(static_cast<std::size_t>(out.Queues()));
  std::vector<std::vector<T>> values;
  for (int q = 0; q < P; ++q) {
    T* data = nullptr;
    int count = 0;
    out.Head(q, data, count);
    values.emplace_back(data, data + count);
  }
  CMultiQueue<T> in(P);
  const auto found = Exchange(values);
  for (int q = 0; q < P; ++q) {
    const auto& part = found[static_cast<std::size_t>(q)];
    in.Enqueue(q, part.data(), static_cast<int>(part.size()));
  }
  out.Reset();
  return in;
}

}  // namespace BSPWrapper
