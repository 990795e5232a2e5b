// SPDX-License-Identifier: BSD-3-Clause
#include "writer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "formats.hpp"

namespace matrix {
namespace {

// The file is written beside the one that it replaces. A device or a pipe is not replaced.
class FileWriter : public Writer {
 public:
  FileWriter(const std::string& path, bool is_complex) : is_complex_(is_complex), path_(path) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::canonical(path, error);
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      stream_.reset(std::fopen(path.c_str(), "wb"));
    } else {
      replaced_ = std::filesystem::exists(status) ? target.string() : path;
      beside_ = fmt::format("{}.{}", replaced_, getpid());
      stream_.reset(std::fopen(beside_.c_str(), "wbx"));
    }
    if (!stream_) fail();
    if (std::filesystem::exists(status) && !beside_.empty())
      std::filesystem::permissions(beside_, status.permissions(), error);
  }
  ~FileWriter() override {
    if (!beside_.empty()) std::remove(beside_.c_str());
  }
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void finish() override {
    if (std::fclose(stream_.release()) != 0) fail();
    if (beside_.empty()) return;
    if (std::rename(beside_.c_str(), replaced_.c_str()) != 0) fail();
    beside_.clear();
  }

 protected:
  void write(const void* data, std::size_t size) {
    if (std::fwrite(data, 1, size, stream_.get()) != size) fail();
  }
  [[noreturn]] void fail() const {
    throw std::runtime_error(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
  }

  bool is_complex_;

 private:
  std::string path_, replaced_;
  std::string beside_;  // the name until the file is complete; empty if it has none
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

class RawWriter : public FileWriter {
 public:
  RawWriter(const std::string& path, Element element)
      : FileWriter(path, element == Element::complex), element_(element) {}
  [[nodiscard]] bool by_columns() const override { return false; }
  void line(const std::vector<Value>& values) override {
    if (is_complex_) return write(values.data(), values.size() * sizeof(Value));
    for (const Value& value : values) {
      const double real = value.real();
      const auto rounded = static_cast<float>(real);
      element_ == Element::float_ ? write(&rounded, sizeof rounded) : write(&real, sizeof real);
    }
  }

 private:
  Element element_;
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
                                       Element element) {
  const bool is_complex = element == Element::complex;
  if (path.ends_with(raw_ending)) return std::make_unique<RawWriter>(path, element);
  if (path.ends_with(".npy")) return std::make_unique<NumpyWriter>(path, rows, columns, is_complex);
  return std::make_unique<MatrixMarketWriter>(path, rows, columns, is_complex);
}

}  // namespace matrix
