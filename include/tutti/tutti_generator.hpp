// SPDX-License-Identifier: BSD-3-Clause
// Algorithms of your own in C++20, over tutti_generator.h: a class with a function emit(). Its
// objects are registered by a program, or by a plug-in in tutti_generators().
#ifndef TUTTI_TUTTI_GENERATOR_HPP
#define TUTTI_TUTTI_GENERATOR_HPP

#include <tutti/tutti_generator.h>

#include <exception>
#include <utility>
#include <vector>

namespace tutti {

using Blocks = std::vector<tutti_blocks>;

// Blocks first, first + 1, ... of a buffer, `count` of them.
inline Blocks input(int first, int count = 1) {
  return {{TUTTI_INPUT, first, count, 0, 1}};
}
inline Blocks output(int first, int count = 1) {
  return {{TUTTI_OUTPUT, first, count, 0, 1}};
}
inline Blocks scratch(int first, int count = 1) {
  return {{TUTTI_SCRATCH, first, count, 0, 1}};
}

// A summand: blocks of the rank, or the message of another rank in this round.
class Summand {
 public:
  Summand(Blocks blocks) : blocks_(std::move(blocks)) {}  // NOLINT: blocks stand for themselves
  static Summand from(int rank) {
    Summand message{Blocks{}};
    message.from_ = rank;
    return message;
  }
  [[nodiscard]] tutti_operand given() const {
    return {from_, blocks_.data(), static_cast<int>(blocks_.size())};
  }

 private:
  int from_ = TUTTI_LOCAL;
  Blocks blocks_;
};
inline Summand from(int rank) {
  return Summand::from(rank);
}

// The operations of a rank in a round, see tutti_round.
class ScheduleRound {
 public:
  explicit ScheduleRound(tutti_round* round) : round_(round) {}
  void send(const Blocks& blocks, int to) { round_->send(round_, to, blocks.data(), size(blocks)); }
  void receive(const Blocks& blocks, int from) {
    round_->receive(round_, from, blocks.data(), size(blocks));
  }
  void receive_combine(const Blocks& result, const std::vector<Summand>& summands) {
    combine_by(round_->receive_combine, result, summands);
  }
  void combine(const Blocks& result, const std::vector<Summand>& summands) {
    combine_by(round_->combine, result, summands);
  }
  void copy(const Blocks& result, const Blocks& source) {
    round_->copy(round_, result.data(), size(result), source.data(), size(source));
  }

 private:
  static int size(const Blocks& blocks) { return static_cast<int>(blocks.size()); }
  template <class Function>
  void combine_by(Function function, const Blocks& result, const std::vector<Summand>& summands) {
    std::vector<tutti_operand> operands;
    for (const Summand& summand : summands) operands.push_back(summand.given());
    function(round_, result.data(), size(result), operands.data(),
             static_cast<int>(operands.size()));
  }
  tutti_round* round_;
};

// Texts, operation and flags of a generator; see tutti_generator for each member.
struct GeneratorInfo {
  const char* name = nullptr;
  tutti_operation operation = TUTTI_OP_BARRIER;
  const char* about = nullptr;
  const char* source = nullptr;
  const char* needs = nullptr;
  int flags = 0;
};

// The behaviour of a generator. An exception in emit() is an error that refuses the schedule; the
// other functions must not throw.
class Generator {
 public:
  Generator() = default;
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  virtual ~Generator() = default;
  virtual bool applies(const tutti_schedule_shape& /*shape*/) const { return true; }
  virtual int rounds(const tutti_schedule_shape& shape) const = 0;
  // 0: one part, or one for each rank where the operation gives each rank a part.
  virtual int parts(const tutti_schedule_shape& /*shape*/) const { return 0; }
  virtual int scratch(const tutti_schedule_shape& /*shape*/) const { return 0; }
  virtual void emit(ScheduleRound& out, const tutti_schedule_shape& shape, int rank,
                    int t) const = 0;

  // Returns the generator for the C interface. It refers to this object.
  [[nodiscard]] tutti_generator given(const GeneratorInfo& info) {
    tutti_generator about{};
    about.struct_size = sizeof about;
    about.name = info.name;
    about.operation = info.operation;
    about.about = info.about;
    about.source = info.source;
    about.needs = info.needs;
    about.flags = info.flags;
    about.data = this;
    about.applies = [](const tutti_schedule_shape* s, void* data) {
      return of(data).applies(*s) ? 1 : 0;
    };
    about.rounds = [](const tutti_schedule_shape* s, void* data) { return of(data).rounds(*s); };
    about.parts = [](const tutti_schedule_shape* s, void* data) { return of(data).parts(*s); };
    about.scratch = [](const tutti_schedule_shape* s, void* data) { return of(data).scratch(*s); };
    about.emit = [](tutti_round* round, const tutti_schedule_shape* s, int rank, int t,
                    void* data) {
      try {
        ScheduleRound out(round);
        of(data).emit(out, *s, rank, t);
      } catch (const std::exception& error) {
        round->fail(round, error.what());
      } catch (...) {
        round->fail(round, "an exception of an unknown type");
      }
    };
    return about;
  }

 private:
  static const Generator& of(void* data) { return *static_cast<Generator*>(data); }
};

// Registers a generator in a plug-in. The object must live as long as the process.
inline void add(tutti_registrar* registrar, Generator& generator, const GeneratorInfo& info) {
  const tutti_generator given = generator.given(info);
  registrar->add(registrar, &given);
}

}  // namespace tutti

#endif
