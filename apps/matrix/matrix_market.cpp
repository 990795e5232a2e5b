// SPDX-License-Identifier: BSD-3-Clause
// The Matrix Market exchange format (Boisvert, Pozo and Remington 1996, NISTIR 5935).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "formats.hpp"

namespace matrix {
namespace {

enum class Symmetry { general, symmetric, skew, hermitian };

class MatrixMarket : public File {
 public:
  MatrixMarket(std::string path, Stream stream)
      : File(std::move(path)), stream_(std::move(stream)) {
    read_banner();
    read_sizes();
  }

  void read(const std::function<void(long, long, Value)>& take) override {
    const auto take_both = [&](long i, long j, Value value) {
      take(i, j, value);
      if (i != j && symmetry_ != Symmetry::general) take(j, i, mirrored(value));
    };
    if (coordinate_) {
      read_entries(take_both);
    } else {
      read_array(take_both);
    }
    if (next_line()) fail_line("there are more entries than the header says");
  }

 private:
  [[noreturn]] void fail_line(const std::string& reason) const {
    fail(fmt::format("line {}: {}", line_number_, reason));
  }

  // Reads the next line that is neither empty nor a comment.
  bool next_line() {
    std::size_t capacity = 0;
    char* text = nullptr;
    bool found = false;
    ssize_t length = 0;
    while (!found && (length = getline(&text, &capacity, stream_.get())) >= 0) {
      ++line_number_;
      line_.assign(text, static_cast<std::size_t>(length));
      const std::size_t first = line_.find_first_not_of(" \t\r\n");
      found = first != std::string::npos && line_[first] != '%';
    }
    std::free(text);
    place_ = line_.c_str();
    return found;
  }

  static std::string lower(std::string word) {
    std::ranges::transform(word, word.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
  }

  void read_banner() {
    std::array<char[64], 5> words{};
    if (std::fscanf(stream_.get(), "%63s %63s %63s %63s %63s%*[^\n]", words[0], words[1], words[2],
                    words[3], words[4]) != 5)
      fail_line("the first line is not '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
    std::fgetc(stream_.get());
    line_number_ = 1;
    const std::string object = lower(words[1]), format = lower(words[2]);
    field_ = lower(words[3]);
    if (object != "matrix") fail_line(fmt::format("'{}' is no matrix", object));
    if (format != "coordinate" && format != "array")
      fail_line(fmt::format("the format '{}' is neither coordinate nor array", format));
    coordinate_ = format == "coordinate";
    if (field_ != "real" && field_ != "double" && field_ != "integer" && field_ != "complex" &&
        !(field_ == "pattern" && coordinate_))
      fail_line(fmt::format("the field '{}' is not real, integer, complex or pattern", field_));
    is_complex_ = field_ == "complex";
    set_symmetry(lower(words[4]));
  }
  void set_symmetry(const std::string& name) {
    static constexpr std::array<const char*, 4> names{"general", "symmetric", "skew-symmetric",
                                                      "hermitian"};
    const auto found = std::ranges::find(names, name, [](const char* n) { return std::string(n); });
    if (found == names.end()) fail_line(fmt::format("the symmetry '{}' is not known", name));
    symmetry_ = static_cast<Symmetry>(found - names.begin());
  }
  void read_sizes() {
    if (!next_line()) fail_line("the line with the sizes is missing");
    rows_ = whole_number("number of rows");
    columns_ = whole_number("number of columns");
    if (coordinate_) entries_ = whole_number("number of entries");
    end_of_line();
    if (symmetry_ != Symmetry::general && rows_ != columns_)
      fail_line("a symmetric matrix must be square");
  }

  long whole_number(const char* what) {
    char* end = nullptr;
    errno = 0;
    const long value = std::strtol(place_, &end, 10);
    if (end == place_ || errno != 0 || value < 0) fail_line(fmt::format("the {} is missing", what));
    place_ = end;
    return value;
  }
  double number() {
    char* end = nullptr;
    const double value = std::strtod(place_, &end);
    if (end == place_) fail_line("a value is missing");
    place_ = end;
    return value;
  }
  void end_of_line() {
    while (std::isspace(static_cast<unsigned char>(*place_)) != 0) ++place_;
    if (*place_ != 0) fail_line(fmt::format("'{}' does not belong here", place_));
  }
  Value value() {
    if (field_ == "pattern") return 1;
    const double real = number();
    return {real, is_complex_ ? number() : 0};
  }
  [[nodiscard]] Value mirrored(Value value) const {
    if (symmetry_ == Symmetry::skew) return -value;
    return symmetry_ == Symmetry::hermitian ? std::conj(value) : value;
  }

  template <class Take>
  void read_entries(const Take& take) {
    for (long entry = 0; entry < entries_; ++entry) {
      if (!next_line())
        fail_line(fmt::format("the file ends after {} of {} entries", entry, entries_));
      const long i = whole_number("row") - 1, j = whole_number("column") - 1;
      const Value v = value();
      end_of_line();
      if (i < 0 || i >= rows_ || j < 0 || j >= columns_)
        fail_line(fmt::format("entry ({}, {}) lies outside of the matrix", i + 1, j + 1));
      if (i < first_row(j))
        fail_line(
            fmt::format("entry ({}, {}) follows from another one by the symmetry of the "
                        "matrix; such a file has only those {} the diagonal",
                        i + 1, j + 1, symmetry_ == Symmetry::skew ? "below" : "on or below"));
      take(i, j, v);
    }
  }
  // The first row that a file has of a column: the format gives the lower triangle of a symmetric
  // matrix.
  [[nodiscard]] long first_row(long column) const {
    if (symmetry_ == Symmetry::general) return 0;
    return symmetry_ == Symmetry::skew ? column + 1 : column;
  }
  // Column by column.
  template <class Take>
  void read_array(const Take& take) {
    for (long j = 0; j < columns_; ++j) {
      for (long i = first_row(j); i < rows_; ++i) {
        if (!next_line())
          fail_line(fmt::format("the file ends before entry ({}, {})", i + 1, j + 1));
        const Value v = value();
        end_of_line();
        take(i, j, v);
      }
    }
  }

  Stream stream_;
  std::string line_, field_;
  const char* place_ = nullptr;  // in the line: what has not been read
  long line_number_ = 0, entries_ = 0;
  bool coordinate_ = false;
  Symmetry symmetry_ = Symmetry::general;
};

}  // namespace

std::unique_ptr<File> open_matrix_market(const std::string& path, Stream stream) {
  return std::make_unique<MatrixMarket>(path, std::move(stream));
}

}  // namespace matrix
