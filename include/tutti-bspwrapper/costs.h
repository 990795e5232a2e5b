// SPDX-License-Identifier: BSD-3-Clause
// The cost expressions of the two programs of P. Krusche's thesis (paper 003): the product of two
// n x n matrices, (4.5) to (4.10), and the length of a longest common subsequence of two strings of
// n characters, (5.2) to (5.5). Words have 8 bytes, times are in seconds.
#pragma once

#include <cmath>

#include "paramfile.h"

namespace BSPWrapper {

// The cost of a superstep without its computation: g h + l by (2.3), g(h) h + l_0 by (2.5), or
// g(h, h*) h + l_0 by (2.6). In the first one, l is that of a superstep that communicates.
enum class BSPModel { plain, startup, overhead };

struct BSPRates {
  double f = 0;        // of one operation of the program
  double l = 0;        // of a superstep that communicates
  double l_empty = 0;  // l_0, of a superstep that does not
  BSPGap gap;

  double Latency(BSPModel model) const { return model == BSPModel::plain ? l : l_empty; }
  // The communication of a superstep of h words in messages of `size` words.
  double Communication(BSPModel model, double h, double size) const {
    if (h <= 0) return 0;
    if (model == BSPModel::plain) return gap.g_inf * h;
    return (model == BSPModel::startup ? gap.At(h) : gap.At(h, size)) * h;
  }
};

// (4.12) for a problem of `operations`: the part of the time of p processors that one processor
// with the rate 1/f would need.
inline double Efficiency(double operations, double f, double seconds, int p) {
  return operations * f / (seconds * p);
}

// The product in q blocks, q being a third power, on p processors (chapter 4).
class ProductCost {
 public:
  // The matrices lie in the blocks of the algorithm, dealt to the processors in turn, or in
  // one square of n / sqrt(p) for each processor.
  enum Distribution { Customized, Static };
  // The blocks of C that no processor computes alone are sent in ceil((q^(2/3) mod p) q^(1/3) / p)
  // supersteps. (4.6), (4.8) and (4.9) multiply them by ceil(q / p), as if each superstep of the
  // computation had so many; the text of 4.2 has them once.
  enum Reading { AsPrinted, OutputOnce };

  ProductCost(int n, int q, int p, Distribution distribution, Reading reading = OutputOnce)
      : n_(n), q_(q), p_(p), distribution_(distribution), reading_(reading) {}

  int Side() const { return static_cast<int>(std::lround(std::cbrt(q_))); }  // q^(1/3)
  double Width() const { return double(n_) / Side(); }                       // s
  double Rounds() const { return std::ceil(double(q_) / p_); }
  double Operations() const { return double(n_) * n_ * n_; }
  // Supersteps in which a processor sends a block of C.
  double Outputs() const {
    const double own = distribution_ == Static ? Rounds() / Side() : 0;
    const double shared = std::ceil(double(Side() * Side() % p_) * Side() / p_);
    return own + (reading_ == AsPrinted ? Rounds() * shared : shared);
  }

  double W() const { return Rounds() * std::pow(Width(), 3); }                    // (4.5)
  double H() const { return std::pow(Width(), 2) * (2 * Rounds() + Outputs()); }  // (4.6)
  double S() const { return 2 * Rounds(); }                                       // (4.7)

  // (4.8) and (4.9); with start-up and overhead as (4.10) has it.
  double Seconds(const BSPRates& rates, BSPModel model) const {
    const double block = Width() * Width(), size = MessageSize();
    return rates.f * W() + Rounds() * rates.Communication(model, 2 * block, size) +
           Outputs() * rates.Communication(model, block, size) + rates.Latency(model) * S();
  }

  // h*, the average of all messages. A block that lies whole in one place is one message. Others
  // are transferred row by row: those at the edge of a matrix whose n is no multiple of s, and all
  // of a static distribution, whose rows are also cut where a processor's square ends.
  double MessageSize() const {
    const int side = Side(), width = (n_ + side - 1) / side, grid = Grid();
    if (distribution_ == Static && grid != side)
      return double(n_) / PiecesOfRow(width, (n_ + grid - 1) / grid);
    if (n_ % width == 0) return double(width) * width;
    const double whole = double(side - 1) * side, rows = double(n_);
    return double(n_) * n_ / (whole + rows);
  }

 private:
  // Squares in a row of the static distribution. If p is no square, the thesis's efficiencies of q
  // = 64 on 10 processors and of q = 216 on 32 are those of whole blocks, so 4 and 6 lie in a row.
  int Grid() const { return static_cast<int>(std::ceil(std::sqrt(double(p_)) - 1e-9)); }
  // The pieces into which the blocks and the processors' squares cut a row of the matrix.
  int PiecesOfRow(int width, int square) const {
    int pieces = 0;
    for (int at = 0; at < n_; ++pieces) {
      const int next_block = (at / width + 1) * width, next_square = (at / square + 1) * square;
      at = next_block < next_square ? next_block : next_square;
    }
    return pieces;
  }

  int n_, q_, p_;
  Distribution distribution_;
  Reading reading_;
};

// The table of a longest common subsequence in a grid of alpha p x alpha p blocks on p processors
// (chapter 5).
class SubsequenceCost {
 public:
  enum Algorithm { Standard, BitParallel };

  SubsequenceCost(double n, int alpha, int p, Algorithm algorithm)
      : n_(n), alpha_(alpha), p_(p), algorithm_(algorithm) {}

  double Operations() const { return n_ * n_; }
  double Width() const { return std::ceil(n_ / (double(alpha_) * p_)); }  // of a block
  // Words that a processor moves for a block: a column of the table and a part of a string. A
  // number of the table has 32 bits and a character 8; the bit-parallel algorithm has 1 and 3.
  double WordsOfBlock() const { return Width() * (algorithm_ == Standard ? 5.0 / 8 : 1.0 / 16); }

  double W() const {  // (5.2)
    return Width() * Width() * (double(p_) * alpha_ * (alpha_ + 1) - alpha_);
  }
  double H() const { return WordsOfBlock() * Transfers(); }  // of (5.3), (5.5)
  double S() const {
    return (2.0 * alpha_ * p_ - 1) * alpha_ + (algorithm_ == BitParallel ? 1 : 0);
  }

  double Seconds(const BSPRates& rates, BSPModel model) const {  // (5.3), (5.5)
    const double words = WordsOfBlock();
    return rates.f * W() + Transfers() * rates.Communication(model, words, words) +
           rates.Latency(model) * S();
  }

  // (5.4): the alpha with which a row of a block of the standard algorithm takes b bytes.
  static double BestAlpha(double n, int p, double b) { return 5 * n / (p * b); }

 private:
  double Transfers() const { return alpha_ * (double(alpha_) * p_ - 1); }

  double n_;
  int alpha_, p_;
  Algorithm algorithm_;
};

}  // namespace BSPWrapper
