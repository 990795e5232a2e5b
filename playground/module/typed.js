// SPDX-License-Identifier: BSD-3-Clause
// Reads an algorithm that is typed in JavaScript, and calls its functions. What it does in a round
// becomes whole numbers, which typed.cpp reads and plug_in.js writes into a plug-in.

const constants = {
  INPUT: 0, OUTPUT: 1, SCRATCH: 2, LOCAL: -1,
  COMMUTATIVE_ONLY: 1, NOT_IN_PLACE: 2, CANDIDATE: 4,
};
// The order is that of Function in typed.cpp, and the values are those of a missing function.
const functions = { applies: 1, rounds: undefined, parts: 0, scratch: 0 };
export const kinds = { send: 0, receive: 1, receive_combine: 2, combine: 3, copy: 4, fail: 5 };
const members = ["name", "operation", "flags", "emit", ...Object.keys(functions)];
const fileName = "algorithm.js"; // stands in the lines of a stack

// The code that was typed is wrong: it cannot be read, or it threw something.
export class TypedError extends Error {}

// Names for blocks, so that output(3) is block 3 of the output, and output(3, 2) two from there.
const blockNames = ["input", "output", "scratch"].map(
  (name) => `const ${name} = (first = 0, count = 1) => ` +
            `({ buffer: ${name.toUpperCase()}, first, count });`);

function evaluate(source) {
  const heads = Object.entries(constants).map(([name, value]) => `const ${name} = ${value};`);
  heads.push(...blockNames);
  return (0, eval)(`"use strict"; (() => { ${heads.join(" ")} return (${source}
); })()\n//# sourceURL=${fileName}`);
}

// Returns what is wrong with the lines as the beginning of a program. Lines that do not end the
// bracket in which they stand are not executed.
function syntaxProblem(lines) {
  try {
    return (0, eval)(`(() => { return (${lines.join("\n")}`);
  } catch (error) {
    return error.message;
  }
}

// Engines do not tell the line of a syntax error to code. It is the first from which on all
// beginnings of the text have the same problem as the whole text.
function lineOfSyntaxError(source) {
  const lines = source.split("\n");
  const whole = syntaxProblem(lines);
  let line = lines.length;
  if (whole === syntaxProblem([])) return line; // only its end is wrong
  while (line > 1 && syntaxProblem(lines.slice(0, line - 1)) === whole) --line;
  return line;
}

// Returns the line in the typed text from which the error comes; 0 if it is not known.
function lineOf(error) {
  const found = new RegExp(`${fileName.replace(".", "\\.")}:(\\d+)`).exec(error?.stack ?? "");
  return found ? Number(found[1]) : 0;
}

function wordsOf(error) {
  if (error instanceof RangeError && /call stack/.test(error.message)) return "it calls itself endlessly";
  return error instanceof Error ? error.message : `it throws ${String(error)}`;
}

function complain(where, error) {
  const line = lineOf(error);
  throw new TypedError(`${where}${line ? `, line ${line}` : ""}: ${wordsOf(error)}`);
}

function shown(value) {
  if (typeof value === "function") return "a function";
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function wholeNumber(value, what) {
  if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 31)
    throw new TypeError(`${what} is ${shown(value)} but must be a whole number`);
  return value;
}

// Takes the calls of a round and keeps them as numbers.
class Round {
  constructor() {
    this.words = [];
  }
  send(to, blocks) {
    this.#add(kinds.send, wholeNumber(to, "the rank of send"), ...this.#blocks(blocks, "send"));
  }
  receive(from, blocks) {
    this.#add(kinds.receive, wholeNumber(from, "the rank of receive"),
              ...this.#blocks(blocks, "receive"));
  }
  receive_combine(result, operands) {
    this.#combine("receive_combine", result, operands);
  }
  combine(result, operands) {
    this.#combine("combine", result, operands);
  }
  copy(result, source) {
    this.#add(kinds.copy, ...this.#blocks(result, "copy"), ...this.#blocks(source, "copy"));
  }
  fail(why) {
    const bytes = new TextEncoder().encode(String(why));
    this.words = [];  // a round that has failed has no other operation
    this.#add(kinds.fail, bytes.length, ...bytes);
  }

  #add(...words) {
    for (const word of words) this.words.push(word);
  }
  #combine(call, result, operands) {
    if (!Array.isArray(operands))
      throw new TypeError(`the operands of ${call} are ${shown(operands)} but must be an array`);
    this.#add(kinds[call], ...this.#blocks(result, call), operands.length);
    for (const operand of operands) {
      if (operand === null || typeof operand !== "object")
        throw new TypeError(`an operand of ${call} is ${shown(operand)} but must be {from, blocks}`);
      const from = operand.from ?? constants.LOCAL;
      this.#add(wholeNumber(from, `the rank of an operand of ${call}`),
                ...this.#blocks(operand.blocks ?? [], call));
    }
  }
  #blocks(given, call) {
    const list = Array.isArray(given) ? given : [given];
    const words = [list.length];
    for (const block of list) {
      if (block === null || typeof block !== "object")
        throw new TypeError(
          `a block of ${call} is ${shown(block)} but must be {buffer, first, count}`);
      const { buffer, first, count = 1, stride = 0, times = 1 } = block;
      for (const [name, value] of Object.entries({ buffer, first, count, stride, times }))
        words.push(wholeNumber(value, `${name} of a block of ${call}`));
    }
    return words;
  }
}

// The algorithm of a typed text. Its members throw a TypedError that names the line.
export class Typed {
  constructor(source) {
    this.source = source;
    try {
      this.given = evaluate(source);
    } catch (error) {
      if (error instanceof SyntaxError)
        throw new TypedError(
          `the typed algorithm, line ${lineOfSyntaxError(source)}: ${error.message}`);
      complain("the typed algorithm", error);
    }
    this.#check();
    this.name = this.given.name;
    this.operation = this.given.operation;
    this.flags = this.given.flags ?? 0;
  }

  // Returns what a function with an index of `functions` says.
  number(which, p, root) {
    const [name, missing] = Object.entries(functions)[which];
    if (this.given[name] === undefined) return missing;
    const where = `${name}(${p}, ${root}) of ${this.name}`;
    try {
      const value = this.given[name](p, root);
      return wholeNumber(typeof value === "boolean" ? Number(value) : value, "its result");
    } catch (error) {
      return complain(where, error);
    }
  }

  // Returns what a rank does in round t, as numbers.
  round(p, root, rank, t) {
    const round = new Round();
    try {
      this.given.emit(round, { p, root }, rank, t);
    } catch (error) {
      complain(`emit(round, {p: ${p}, root: ${root}}, ${rank}, ${t}) of ${this.name}`, error);
    }
    return round.words;
  }

  #check() {
    const refuse = (why) => {
      throw new TypedError(`the typed algorithm: ${why}`);
    };
    const { given } = this;
    if (given === null || typeof given !== "object")
      refuse(`it is ${shown(given)} but must be an object: { name: ..., operation: ..., ... }`);
    for (const name of Object.keys(given))
      if (!members.includes(name)) refuse(`it has '${name}', and there are only ${members.join(", ")}`);
    for (const name of ["name", "operation"])
      if (typeof given[name] !== "string") refuse(`its ${name} is not a text`);
    for (const name of ["rounds", "emit"])
      if (given[name] === undefined) refuse(`it has no function ${name}`);
    for (const name of ["emit", ...Object.keys(functions)])
      if (given[name] !== undefined && typeof given[name] !== "function")
        refuse(`its ${name} is ${shown(given[name])} but must be a function`);
    if (given.flags !== undefined && !Number.isInteger(given.flags))
      refuse("its flags are not a whole number");
  }
}
