// SPDX-License-Identifier: BSD-3-Clause
// Files of numbers in the byte order of the machine, row by row, without a header.
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cstring>
#include <vector>

#include "formats.hpp"

namespace matrix {
namespace {

class RawFile : public File {
 public:
  RawFile(std::string path, Stream stream, Element element)
      : File(std::move(path)), stream_(std::move(stream)), element_(element) {}

  void open(const Raw& raw) {
    rows_ = raw.rows;
    columns_ = raw.columns;
    is_complex_ = element_ == Element::complex;
    const long expected = rows_ * columns_ * static_cast<long>(size_of(element_));
    struct stat status {};
    if (fstat(fileno(stream_.get()), &status) != 0 || status.st_size != expected)
      fail(fmt::format("with {} bytes it is no file of {} x {} elements of {} bytes each",
                       status.st_size, rows_, columns_, size_of(element_)));
  }

  void read(const std::function<void(long, long, Value)>& take) override {
    std::vector<char> line(static_cast<std::size_t>(columns_) * size_of(element_));
    for (long i = 0; i < rows_; ++i) {
      if (std::fread(line.data(), 1, line.size(), stream_.get()) != line.size())
        fail(fmt::format("the file ends before row {}", i + 1));
      for (long j = 0; j < columns_; ++j)
        take(i, j, value(&line[static_cast<std::size_t>(j) * size_of(element_)]));
    }
  }

 private:
  template <class T>
  static T as(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  [[nodiscard]] Value value(const char* bytes) const {
    if (element_ == Element::float_) return static_cast<double>(as<float>(bytes));
    return element_ == Element::double_ ? as<double>(bytes) : as<Value>(bytes);
  }

  Stream stream_;
  Element element_;
};

}  // namespace

std::size_t size_of(Element element) {
  return element == Element::float_    ? sizeof(float)
         : element == Element::double_ ? sizeof(double)
                                       : sizeof(Value);
}

std::unique_ptr<File> open_raw(const std::string& path, Stream stream, const Raw& raw) {
  auto file = std::make_unique<RawFile>(path, std::move(stream), raw.element);
  file->open(raw);
  return file;
}

}  // namespace matrix
