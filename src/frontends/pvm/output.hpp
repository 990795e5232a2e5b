// SPDX-License-Identifier: BSD-3-Clause
// What spawned tasks print, collected by the task that has asked for it (pvm_catchout). Their
// stdout is a socket that tells who has written each piece, so the lines of several tasks are told
// apart.
#pragma once

#include <cstdio>
#include <list>
#include <string>
#include <vector>

namespace tutti::pvm {

class Output {
 public:
  ~Output();

  // Of the tasks spawned from now on; nullptr: of nobody.
  void collect_into(FILE* file) { file_ = file; }

  // Around the start of tasks: they inherit the stdout of this process.
  class Lent {
   public:
    explicit Lent(Output& output);
    ~Lent();
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

   private:
    int kept_ = -1;
  };
  void started(int tid);

  // Prints what has come. Costs nothing when nothing is collected.
  void look() {
    if (!sources_.empty()) read_pieces();
  }
  // Until all tasks whose output is collected have ended.
  void finish();

 private:
  struct Source {
    int tid;
    FILE* file;
    std::string line;  // begun and not ended
  };
  struct Piece {
    int pid;
    std::string text;
  };

  [[nodiscard]] bool open();
  void read_pieces();
  // False when nobody knows yet which task it is.
  [[nodiscard]] bool take(const Piece& piece);
  void print(const Source& source, const std::string& line) const;

  FILE* file_ = nullptr;
  int reading_ = -1, writing_ = -1;
  std::list<Source> sources_;
  std::vector<Piece> unclaimed_;
};

}  // namespace tutti::pvm
