// SPDX-License-Identifier: BSD-3-Clause
#include "writer.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "formats.hpp"

namespace matrix {
namespace {

class FileWriter : public Writer {
 public:
  FileWriter(std::string path, bool is_complex)
      : path_(std::move(path)), is_complex_(is_complex), stream_(std::fopen(path_.c_str(), "wb")) {
    if (!stream_) fail();
  }
  void finish() override {
    if (std::fclose(stream_.release()) != 0) fail();
  }

 protected:
  void write(const void* data, std::size_t size) {
    if (std::fwrite(data, 1, size, stream_.get()) != size) fail();
  }
  [[noreturn]] void fail() const {
    throw std::runtime_error(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
  }

  std::string path_;
  bool is_complex_;
  Stream stream_;
};

class NumpyWriter : public FileWriter {
 public:
  NumpyWriter(const std::string& path, long rows, long columns, bool is_complex)
      : FileWriter(path, is_complex) {
    // Version 1: the dictionary and spaces fill the first 128 bytes.
    constexpr std::size_t length = 118;
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   is_complex ? "<c16" : "<f8", rows, columns);
    text.resize(length - 1, ' ');
    const char start[] = {'\x01', '\x00', static_cast<char>(length), '\x00'};
    write(numpy_magic.data(), numpy_magic.size());
    write(start, sizeof start);
    write((text + "\n").data(), length);
  }
  [[nodiscard]] bool by_columns() const override { return false; }
  void line(const std::vector<Value>& values) override {
    if (is_complex_) return write(values.data(), values.size() * sizeof(Value));
    for (const Value& value : values) {
      const double real = value.real();
      write(&real, sizeof real);
    }
  }
};

class MatrixMarketWriter : public FileWriter {
 public:
  MatrixMarketWriter(const std::string& path, long rows, long columns, bool is_complex)
      : FileWriter(path, is_complex) {
    const std::string text = fmt::format("%%MatrixMarket matrix array {} general\n{} {}\n",
                                         is_complex ? "complex" : "real", rows, columns);
    write(text.data(), text.size());
  }
  [[nodiscard]] bool by_columns() const override { return true; }
  void line(const std::vector<Value>& values) override {
    for (const Value& value : values) {
      const std::string text = is_complex_
                                   ? fmt::format("{:.17g} {:.17g}\n", value.real(), value.imag())
                                   : fmt::format("{:.17g}\n", value.real());
      write(text.data(), text.size());
    }
  }
};

}  // namespace

std::unique_ptr<Writer> Writer::create(const std::string& path, long rows, long columns,
                                       bool is_complex) {
  if (path.ends_with(".npy")) return std::make_unique<NumpyWriter>(path, rows, columns, is_complex);
  return std::make_unique<MatrixMarketWriter>(path, rows, columns, is_complex);
}

}  // namespace matrix
