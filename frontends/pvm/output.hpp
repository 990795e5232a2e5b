// SPDX-License-Identifier: BSD-3-Clause
// Collects what spawned tasks print, for the task that asked for it (pvm_catchout). Their stdout is
// a socket that names the writer of each piece, so the lines of several tasks are told apart.
#pragma once

#include <cstdio>
#include <list>
#include <string>
#include <vector>

namespace tutti::pvm {

// Opens the file in which tasks of a daemon of PVM write, to write at its end: pvml and the number
// of the user, in the folder that PVM_TMP names. Returns -1 if it is not there or not this user's;
// errno tells why.
[[nodiscard]] int open_log();

class Output {
 public:
  ~Output();

  // Sets the file that receives the output of tasks spawned from now on; nullptr collects nothing.
  void collect_into(FILE* file) { file_ = file; }

  // While an object of this class lives, the stdout of this process is the socket, so that tasks
  // started meanwhile inherit it.
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
  [[nodiscard]] bool collects() const { return file_ != nullptr; }

  // Prints the pieces that have arrived. Costs one test if nothing is collected.
  void look() {
    if (!sources_.empty()) read_pieces();
  }
  // Collects until all tasks whose output is collected have ended.
  void finish();

 private:
  struct Source {
    int tid;
    FILE* file;
    std::string line;  // a line that has no end yet
  };
  struct Piece {
    int pid;
    std::string text;
  };

  [[nodiscard]] bool open();
  void read_pieces();
  // Returns false if no task is known to have the process yet.
  [[nodiscard]] bool take(const Piece& piece);
  void print(const Source& source, const std::string& line) const;

  FILE* file_ = nullptr;
  int reading_ = -1, writing_ = -1;
  std::list<Source> sources_;
  std::vector<Piece> unclaimed_;
};

}  // namespace tutti::pvm
