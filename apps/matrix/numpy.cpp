// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npy format, versions 1 to 3 (NumPy Enhancement Proposal 1).
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <regex>
#include <vector>

#include "formats.hpp"

namespace matrix {
namespace {

template <class T>
Value real(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}
template <class T>
Value complex(const char* bytes) {
  std::array<T, 2> value;
  std::memcpy(&value, bytes, sizeof value);
  return {value[0], value[1]};
}

struct Type {
  const char* name;
  std::size_t size;
  Value (*read)(const char* bytes);
  [[nodiscard]] bool is_complex() const { return name[1] == 'c'; }
};
constexpr std::array<Type, 6> types{{{"<f8", 8, real<double>},
                                     {"<f4", 4, real<float>},
                                     {"<i8", 8, real<std::int64_t>},
                                     {"<i4", 4, real<std::int32_t>},
                                     {"<c16", 16, complex<double>},
                                     {"<c8", 8, complex<float>}}};

class Numpy : public File {
 public:
  Numpy(std::string path, Stream stream) : File(std::move(path)), stream_(std::move(stream)) {
    parse(header());
  }

  void read(const std::function<void(long, long, Value)>& take) override {
    const long lines = by_columns_ ? columns_ : rows_, length = by_columns_ ? rows_ : columns_;
    std::vector<char> line(static_cast<std::size_t>(length) * type_->size);
    for (long i = 0; i < lines; ++i) {
      if (std::fread(line.data(), 1, line.size(), stream_.get()) != line.size())
        fail(fmt::format("the file ends before {} {}", by_columns_ ? "column" : "row", i + 1));
      for (long j = 0; j < length; ++j) {
        const Value value = type_->read(&line[static_cast<std::size_t>(j) * type_->size]);
        by_columns_ ? take(j, i, value) : take(i, j, value);
      }
    }
    if (std::fgetc(stream_.get()) != EOF) fail("there is more than the header says");
  }

 private:
  // The dictionary that describes the array. Its length has 2 bytes in version 1, and 4 later.
  std::string header() {
    std::array<unsigned char, 8> start{};
    std::array<unsigned char, 4> bytes{};
    if (std::fread(start.data(), 1, start.size(), stream_.get()) != start.size())
      fail("it ends in its header");
    const std::size_t size = start[6] == 1 ? 2 : 4;
    if (std::fread(bytes.data(), 1, size, stream_.get()) != size) fail("it ends in its header");
    std::size_t length = 0;
    for (std::size_t i = size; i-- > 0;) length = length * 256 + bytes[i];
    // The header of a matrix is short, and std::regex needs much stack for a long one.
    constexpr std::size_t longest = 4096;
    if (length > longest) fail("its header is longer than that of a matrix");
    std::string text(length, ' ');
    if (std::fread(text.data(), 1, length, stream_.get()) != length) fail("it ends in its header");
    return text;
  }

  void parse(const std::string& text) {
    std::smatch found;
    if (!std::regex_search(text, found, std::regex(R"('descr': *'([^']*)')")))
      fail("it has no type of elements");
    const std::string name = found[1];
    for (const Type& type : types)
      if (name == type.name) type_ = &type;
    if (type_ == nullptr)
      fail(fmt::format("elements of type '{}' cannot be read, only <f8, <f4, <i8, <i4, <c16, <c8",
                       name));
    is_complex_ = type_->is_complex();
    by_columns_ = std::regex_search(text, std::regex("'fortran_order': *True"));
    if (!std::regex_search(text, found,
                           std::regex(R"('shape': *\( *(\d{1,18}) *, *(\d{1,18}) *,? *\))")))
      fail("it is no array with two dimensions");
    rows_ = std::stol(found[1]);
    columns_ = std::stol(found[2]);
  }

  Stream stream_;
  const Type* type_ = nullptr;
  bool by_columns_ = false;
};

}  // namespace

std::unique_ptr<File> open_numpy(const std::string& path, Stream stream) {
  return std::make_unique<Numpy>(path, std::move(stream));
}

}  // namespace matrix
