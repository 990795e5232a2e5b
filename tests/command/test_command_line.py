# SPDX-License-Identifier: BSD-3-Clause
"""Tests which command lines `tutti` accepts and refuses, and how it treats input and output."""
import contextlib
import fcntl
import json
import pty
import struct
import termios
import os
import pathlib
import pty
import re
import subprocess
import tempfile
import termios
import unittest
from pathlib import Path

from harness import PROBE, TUTTI, TUTTI_WORD, LauncherTest


class CommandLine(LauncherTest):
    def tutti(self, *arguments, code=0, stdin=None):
        job = self.start([TUTTI, *arguments], stdin)
        return self.finish(job, code)

    def assert_one_line(self, job, words):
        self.assertEqual(len(job.err.splitlines()), 1, job.err)
        self.assertIn(words, job.err)

    def test_help_and_version(self):
        self.assertRegex(self.tutti("--version").out, r"^tutti \d+\.\d+\.\d+\n$")
        self.assertIn("run", self.tutti("--help").out)
        self.assertIn("--tag-output", self.tutti("run", "--help").out)

    def test_info(self):
        self.assertIn("TUTTI_SHM_LIMIT", self.tutti("info", "--vars").out)
        info = json.loads(self.tutti("info", "--vars", "--json").out)
        self.assertGreaterEqual(info["cpus"], 1)
        self.assertGreater(info["memory_limit_bytes"], 0)
        self.assertIn("TUTTI_JOB", [variable["name"] for variable in info["variables"]])

    def on_terminal(self, *arguments, columns=70, **variables):
        """Returns what the command prints on a terminal with lines of this length."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm", **variables}
        if not variables:
            environment.pop("NO_COLOR", None)
        process = subprocess.Popen([TUTTI, *arguments], stdin=slave, stdout=slave, stderr=slave,
                                   env=environment)
        os.close(slave)
        text = b""
        with contextlib.suppress(OSError):  # the end of a terminal is an error
            while part := os.read(master, 65536):
                text += part
        os.close(master)
        self.assertEqual(process.wait(), 0)
        return text.decode().replace("\r\n", "\n")

    def test_a_terminal_has_colours_and_lines_that_fit(self):
        verify = ("verify", "allreduce", "-n", "2..3", "--algorithm", "ring")
        shown = self.on_terminal(*verify)
        self.assertIn("\x1b[1moperation", shown)
        self.assertIn("\x1b[32myes\x1b[0m", shown)
        plain = self.on_terminal(*verify, NO_COLOR="1")
        table = plain[plain.index("operation "):].split("R0: ")[0]  # progress is before it
        self.assertNotIn("\x1b", table)
        self.assertLessEqual(max(map(len, table.splitlines())), 70)
        self.assertNotIn("\x1b[1m", self.on_terminal(*verify, TERM="dumb"))
        self.assertNotIn("\x1b", self.tutti(*verify).out)
        words = self.tutti(*verify).out.split("R0: ")[0].split()
        self.assertEqual(sorted(table.split()), sorted(words))

    def test_the_best_row_is_painted(self):
        for verb in (["explain", "allreduce", "-n", "8", "--machine", "sp2"],
                     ["simulate", "bcast", "-n", "8", "--machine", "sp2", "--algorithm",
                      "mst,linear"]):
            rows = re.findall(r"^\x1b\[32m.*$", self.on_terminal(*verb, columns=200), re.M)
            self.assertEqual(len(rows), 1, rows)
            self.assertRegex(rows[0], r" (1\.00|best) ")

    def test_info_tells_how_it_was_built(self):
        build = json.loads(self.tutti("info", "--build", "--json").out)["build"]
        prefix = Path(TUTTI).resolve().parents[1]
        self.assertEqual(Path(build["prefix"]).resolve(), prefix)
        libraries = {path.name.split(".")[0] for path in (prefix / "links").iterdir()}
        served = {f"libtutti-preload-{mpi.split()[0]}" for mpi in build["mpis"]}
        self.assertEqual({name for name in libraries if "preload" in name}, served)
        self.assertEqual("libtutti-fortran" in libraries, build["fortran"] != "")
        self.assertEqual((prefix / "python").exists(), build["python"] != "")
        self.assertRegex(build["compiler"], r"^(GNU|Clang) \d+\.")
        self.assertRegex(build["commit"], r"^([0-9a-f]{12}(-dirty)?)?$")
        self.assertNotIn("/", build["flags"])
        text = self.tutti("info", "--build").out
        for words in (f"compiler: {build['compiler']}\n", f"MPIs: {', '.join(build['mpis'])}",
                      *(f"built without {part}\n" for part in build["left_out"])):
            self.assertIn(words, text)

    def test_info_lists_algorithms_and_their_parameters(self):
        lines = [
            line.split(maxsplit=2) for line in self.tutti("info", "--algorithms").out.splitlines()
        ]
        told = {(line[0], line[1]): line[2] for line in lines if len(line) == 3}
        self.assertRegex(told["reduce", "tree"], r"^root, branches +commutative +\w+.*\.?$")
        self.assertRegex(told["barrier", "dissemination"], r"^- +\w+")
        info = json.loads(self.tutti("info", "--algorithms", "--json").out)
        found = {(entry["operation"], entry["name"]): entry["parameters"]
                 for entry in info["algorithms"]}
        self.assertEqual(found["broadcast", "multiring"], ["root", "rings"])
        self.assertEqual(found["broadcast", "mst"], ["root"])
        self.assertEqual(found["barrier", "dissemination"], [])

    def test_a_terminal_sees_how_far_a_long_film_is(self):
        draw = ("draw", "allreduce", "-n", "8", "--algorithm", "ring")
        self.assertIn("%  following the rounds\r\x1b[K", self.on_terminal(*draw))
        self.assertEqual(self.tutti(*draw).err, "")

    def test_a_terminal_gets_narrow_lists(self):
        """A terminal of 60 characters gets no longer line, and every name that a file gets."""
        own, other = pty.openpty()
        termios.tcsetwinsize(other, (50, 60))
        with subprocess.Popen([TUTTI, "info", "--algorithms"], stdout=other) as process:
            os.close(other)
            shown = b""
            while True:
                try:
                    piece = os.read(own, 1 << 16)
                except OSError:  # the end of a terminal
                    break
                if not piece:
                    break
                shown += piece
        os.close(own)
        self.assertEqual(process.returncode, 0)
        lines = shown.decode().splitlines()
        sentences = [line for line in lines if line.startswith("    ")]
        self.assertLessEqual(max(map(len, sentences)), 60)
        names = [line.split()[:2] for line in lines if line and line not in sentences]
        listed = self.tutti("info", "--algorithms").out.splitlines()[1:]
        self.assertEqual(names, [line.split()[:2] for line in listed])

    def test_a_machine_as_a_file_is_that_machine(self):
        for name in ("sp2", "ipsc860", "host", "infiniband-fattree"):
            text = self.tutti("info", "--machine", name, "--toml").out
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                file.write(text)
                file.flush()
                told = [json.loads(self.tutti("info", "--machine", which, "--json").out)["machine"]
                        for which in (name, file.name)]
            for one in told:
                del one["aliases"]
            self.assertEqual(told[0], told[1], name)

    def test_help_is_free_of_the_parser(self):
        verbs = re.findall(r"(?m)^  ([a-z-]+) ", self.tutti("--help").out.split("Subcommands:")[1])
        pages = pathlib.Path(__file__).resolve().parents[2] / "man"
        with_examples = 0
        for verb in verbs:
            text = self.tutti(verb, "--help").out
            for word in ("REQUIRED", " TEXT", "{", "Excludes:"):
                self.assertNotIn(word, text, verb)
            example = re.search(r"(?m)^Example: (.*)$", text)
            page = pages / f"tutti-{verb}.1.md"
            if example is None:
                continue
            with_examples += 1
            if page.exists():  # tests run what pages show
                self.assertIn(f"\n{example[1]}\n", page.read_text())
        self.assertGreaterEqual(with_examples, 14)

    def test_info_tells_all_of_one_algorithm(self):
        text = self.tutti("info", "--algorithm", "circulant").out
        for word in ("allgather circulant: ", "allreduce circulant: ", "source: ", "needs: ",
                     "cost: ", "settings: "):
            self.assertIn(word, text)
        tree = {
            entry["operation"]: entry
            for entry in json.loads(
                self.tutti("info", "--algorithm", "tree:branches=2", "--json").out)["algorithms"]
        }
        self.assertEqual(set(tree), {"barrier", "broadcast", "reduce", "allreduce"})
        for entry in tree.values():
            self.assertTrue(all(entry[key] for key in ("about", "source", "needs", "cost")))
            self.assertIn("branches=N", entry["settings"])

    def test_refusals_take_one_line(self):
        self.assert_one_line(self.tutti("run", "-n", "2", "./no-such-program", code=127),
                             "no-such-program")
        self.assert_one_line(self.tutti("run", "-n", "2", "no-such-program", code=127),
                             "No such file")
        self.assert_one_line(self.tutti("run", "-n", "2", "/etc/passwd", code=126),
                             "Permission denied")
        self.assert_one_line(self.tutti("run", "-n", "2", "/tmp", code=126), "Permission denied")
        self.assert_one_line(self.tutti("run", "-n", "0", "true", code=2),
                             "--ranks: must be a whole number above 0, not '0'")
        self.assert_one_line(self.tutti("draw", "bcast", "--algorithm", "tree", "--branches", "0",
                                        code=2),
                             "draw: --branches: must be a whole number above 0, not '0'")
        self.assert_one_line(self.tutti("run", "-n", "-3", "true", code=2),
                             "must be a whole number above 0, not '-3'")
        self.assert_one_line(self.tutti("run", "-n", "2000", "true", code=2),
                             "between 1 and 1024 fit")
        self.assert_one_line(self.tutti("run", "-n", "many", "true", code=2), "many")
        self.assert_one_line(self.tutti("run", "true", code=2), "--ranks")
        self.assert_one_line(self.tutti("run", "-n", "2", code=2), "no program")
        for time in ("-1", "0", "nan", "inf", "soon"):
            self.assert_one_line(self.tutti("run", "-n", "2", "--timeout", time, "true", code=2),
                                 f"--timeout: must be a number of seconds above 0, not '{time}'")
        self.assert_one_line(self.tutti("run", "-n", "2", "--frob", "true", code=2), "--frob")
        self.assert_one_line(self.tutti("run", "-n", "2", "--bind", "moon", "true", code=2), "moon")
        self.assert_one_line(self.tutti("frob", code=2), "there is no verb 'frob'")

    def test_no_text_of_the_parser_reaches_the_user(self):
        long = 300 * "x"
        for words, text in [
            (["draw", "bcast", "--ranks"], "tutti draw: --ranks needs a value (see"),
            (["draw", "bcast", "-n", "2", "-n", "3"], "draw: --ranks takes one value, not 2 (see"),
            (["draw", "bcast", "--as", "nope"],
             "draw: --as: must be one of film, needs, chart, rounds, not 'nope' (see"),
            (["draw", "bcast", "--as", long], f"rounds, not '{long[:200]}...' (see"),
            (["draw", "bcast", "--as", 100000 * "y"], "must be one of film, needs, chart, rounds"),
            (["draw", "bcast", "--bytes", "8", "--block-bytes", "8"], "--bytes excludes"),
            (["draw", "bcast", "--json=maybe"], "--json"),
            (["run", "true"], "run: --ranks is required (see"),
            (["run", "-n", "2", "--preload", "\x1b[31m", "true"], "not '\\x1b[31m' (see"),
            (["draw", "bcast", "\x1b[31m"], "'\\x1b[31m' is a word too many (see"),
            (["draw", "bcast", "--\u009b31m"], "there is no option '--\\xc2\\x9b31m' (see"),
            ([long], f"there is no verb '{long[:200]}...'"),
        ]:
            done = self.tutti(*words, code=2)
            self.assert_one_line(done, text)
            self.assertLess(len(done.err), 500)

    def test_no_word_of_the_user_moves_the_cursor(self):
        for words, code, text in [
            (["mpi", "\x1b[2Jx"], 127, "there is no program '\\x1b[2Jx'"),
            (["preload", "blacs", "\x1b[2Jx"], 127, "\\x1b[2Jx"),
            (["run", "-n", "1", "--report", "/no/\x1b[2Jx", "true"], 1,
             "cannot write the report to '/no/\\x1b[2Jx'"),
        ]:
            done = self.tutti(*words, code=code)
            self.assertIn(text, done.err)
            self.assertNotIn("\x1b", done.err)

    def test_misspelt_words_get_a_hint(self):
        for words, hint in [
            (["explian", "allreduce"], "there is no verb 'explian'; did you mean 'explain'?"),
            (["--versoin"],
             "there is no option '--versoin'; did you mean '--version'? (see tutti --help)"),
            (["explain", "allreduce", "-n", "4", "--byts",
              "8"], "did you mean '--bytes'? (see tutti explain --help)"),
            (["help", "vefify"], "did you mean 'verify'?"),
            (["explain", "alreduce", "-n", "4"], "did you mean 'allreduce'?"),
            (["explain", "allreduce", "-n", "4", "--algorithm", "rign"], "did you mean 'ring'?"),
            (["explain", "allreduce", "-n", "4", "--machine", "pragon"],
             "did you mean 'paragon-512-R1.2'?"),
            (["explain", "allreduce", "--topology", "mehs:4x4"], "did you mean 'mesh'?"),
            (["info", "--algorithm", "circulnt"], "did you mean 'circulant'?"),
            # Lists show no aliases, so hints name what they mean.
            (["info", "--algorithm", "fan_in_fan_oot"], "did you mean 'mst'?"),
            (["simulate", "bcast", "--machine", "sp2", "--algorithm", "ring"],
             "did you mean 'increasing_ring'?"),
            (["explain", "bcst", "-n", "4"], "did you mean 'broadcast'?"),
            (["explain", "allreduce", "4"], "'4' is a word too many (see tutti explain --help)"),
            ([], "a verb is needed")
        ]:
            self.assert_one_line(self.tutti(*words, code=2), hint)

    def test_explain_knows_what_icc_forces(self):
        def explained(operation, forced, *arguments):
            done = subprocess.run(
                [TUTTI, "explain", operation, "--topology", "mesh:3x4", "--json", *arguments],
                env=dict(os.environ, TUTTI_ICC=forced),
                capture_output=True,
                text=True,
                timeout=100,
                check=True)
            return json.loads(done.stdout)

        for forced, named in [("short", "hybrid:.4c.3r"), ("long", "hybrid:3rx4c"),
                              ("2cx2c.3r", "hybrid:2cx2c.3r")]:
            out = explained("broadcast", forced)
            self.assertEqual(out["icc"]["name"], named)
            same = explained("broadcast", "", "--algorithm", named)
            self.assertEqual(out["icc"]["time_us"], same["asked"]["time_us"])
            self.assertIsNone(same["icc"])
        self.assertEqual(explained("scatter", "short")["icc"]["name"], "hybrid:.3r.4c")
        self.assertTrue(explained("gather", "hybrid")["icc"]["name"].startswith("hybrid:"))
        for operation, forced, why in [
            ("broadcast", "5c", "the product of its factors is not the number of ranks, 12"),
            ("barrier", "short", "iCC has no algorithm of its own for barrier")
        ]:
            out = explained(operation, forced)
            self.assertIsNone(out["icc"])
            self.assertEqual(out["unused"],
                             [f"TUTTI_ICC is '{forced}', which forces nothing here: {why}"])
        out = explained("allreduce", "", "--algorithm", "hybrid:long")
        self.assertEqual(out["asked"]["name"], "hybrid:3rx4c")
        for wrong in ("tree", "branches=2"):
            done = subprocess.run([TUTTI, "explain", "broadcast", "-n", "4"],
                                  env=dict(os.environ, TUTTI_ICC=wrong),
                                  capture_output=True,
                                  text=True,
                                  timeout=100)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"TUTTI_ICC is '{wrong}' but must be short, long, hybrid, or",
                          done.stderr)

    def test_explain_knows_the_mesh_of_icc(self):
        def explained(mesh, *arguments):
            done = subprocess.run([TUTTI, "explain", "broadcast", "--json", *arguments],
                                  env=dict(os.environ, TUTTI_MESH=mesh, TUTTI_ICC="short"),
                                  capture_output=True,
                                  text=True,
                                  timeout=100)
            return done.returncode, json.loads(done.stdout)

        given = explained("", "--topology", "mesh:3x4")
        self.assertEqual(given[1]["icc"]["name"], "hybrid:.4c.3r")
        self.assertEqual(explained("3x4"), given)
        self.assertEqual(explained("3x4", "-n", "12"), given)
        # A topology that is given counts more, and a group of other size is no such mesh.
        self.assertEqual(explained("2x6", "--topology", "mesh:3x4"), given)
        code, group = explained("3x4", "-n", "6")
        self.assertEqual(group.pop("unused"), [
            "TUTTI_MESH is '3x4', which is not used: it is a mesh of 12 nodes, and the call has 6 "
            "ranks"
        ])
        plain = explained("", "-n", "6")
        self.assertEqual(plain[1].pop("unused"), [])
        self.assertEqual((code, group), plain)
        self.assertEqual(explained("3x4", "--hosts", "2")[1]["unused"],
                         ["TUTTI_MESH is '3x4', which is not used: --hosts says where ranks lie"])
        for wrong in ("3x", "12", "2x2x3"):
            code, error = explained(wrong)
            self.assertEqual(code, 2)
            self.assertIn(f"TUTTI_MESH is '{wrong}' but must be rows x columns, such as 4x8",
                          error["message"])

    def test_help_of_a_verb(self):
        self.assertEqual(self.tutti("help", "bench").out, self.tutti("bench", "--help").out)
        self.assertEqual(self.tutti("help").out, self.tutti("--help").out)

    def test_numbers_of_all_verbs(self):
        for verb in ("explain", "draw", "verify", "simulate", "bench"):
            machine = ["--machine", "paragon"] if verb == "simulate" else []
            for option in ("-n", "--bytes", "--block-bytes", "--root"):
                ranks = [] if option == "-n" else ["-n", "4"]
                for word in ("nan", "inf", "-1", "1e99"):
                    self.assert_one_line(
                        self.tutti(verb, "bcast", *machine, *ranks, option, word, code=2), option)
                self.assert_one_line(
                    self.tutti(verb, "bcast", *machine, *ranks, option, "", code=2),
                    "must not be empty")
            self.assert_one_line(self.tutti(verb, "bcast", *machine, "-n", "0", code=2),
                                 "-n is '0' but must be")

    def test_full_output(self):
        with open("/dev/full", "w") as full:
            for verb in (["info"], ["explain", "bcast", "-n", "4"], ["--version"]):
                done = subprocess.run([TUTTI, *verb],
                                      stdout=full,
                                      stderr=subprocess.PIPE,
                                      text=True)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr,
                                 "the output cannot be written: .*No space left on device")

    def test_too_few_descriptors(self):
        job = self.start(["sh", "-c", f"ulimit -n 20; exec {TUTTI_WORD} run -n 32 true"])
        self.assert_one_line(self.finish(job, 2), "allows too few open files (ulimit -Hn)")
        job = self.start(["sh", "-c", f"ulimit -n 100; exec {TUTTI_WORD} run -n 50 true"])
        self.assert_one_line(self.finish(job, 2), "ulimit -Hn")

    def test_options_after_the_program_are_its_own(self):
        self.assertEqual(
            self.tutti("run", "-n", "1", "echo", "-n", "3", "--tag-output").out, "3 --tag-output")
        self.assertEqual(self.tutti("run", "-n1", "--", "echo", "--", "x").out, "-- x\n")
        self.assertEqual(self.tutti("run", "--ranks=1", "--timeout", "9", "echo", "-h").out, "-h\n")

    def test_world(self):
        job = self.finish(self.run_ranks(5, "*:size", "*:job_descriptor", "*:finalize"), 0)
        sizes = sorted(line for line in job.out.splitlines() if " of " in line)
        self.assertEqual(sizes, [f"{rank} of 5" for rank in range(5)])
        self.assertEqual(job.out.count("no job_descriptor"), 5)
        self.assertEqual(job.err, "")

    def test_program_without_launcher_is_a_group_of_one(self):
        job = self.finish(self.start([PROBE, "0:size", "0:fork"]), 0)
        self.assertEqual(job.out, "0 of 1\nchild said 7\n")

    def test_tag_output(self):
        steps = ("*:print=hello", "*:finalize")
        job = self.finish(self.run_ranks(3, *steps, options=["--tag-output"]), 0)
        self.assertEqual(sorted(job.out.splitlines()), [f"[{rank}] hello" for rank in range(3)])
        job = self.tutti("run", "-n", "2", "--tag-output", "sh", "-c",
                         "printf 'a\\nb'; echo c >&2; exec seq 20000")
        self.assertEqual(sorted(job.err.splitlines()), ["[0] c", "[1] c"])
        lines = job.out.splitlines()
        self.assertEqual(len(lines), 2 * 20001)
        self.assertTrue(all(re.fullmatch(r"\[[01]\] (a|b1|\d+)", line) for line in lines))

    def test_stdin_goes_to_rank_0(self):
        job = self.finish(
            self.run_ranks(3, "*:copy", "*:finalize", options=["--tag-output"], stdin="x\ny\n"), 0)
        self.assertEqual(job.out, "[0] x\n[0] y\n")
        job = self.finish(
            self.run_ranks(3,
                           "*:copy",
                           "*:finalize",
                           options=["--tag-output", "--stdin", "2"],
                           stdin="x\n"), 0)
        self.assertEqual(job.out, "[2] x\n")
        job = self.finish(
            self.run_ranks(2, "*:copy", "*:finalize", options=["--stdin=none"], stdin="x\n"), 0)
        self.assertEqual(job.out, "")

    def test_binding(self):
        cores = len({
            line
            for line in self.tutti("run", "-n", "64", "--bind", "core", "sh", "-c",
                                   "grep Cpus_allowed_list /proc/self/status").out.splitlines()
        })
        self.assertGreaterEqual(cores, 1)
        self.assertLessEqual(cores, len(os.sched_getaffinity(0)))

    def test_binding_to_a_list(self):
        usable = sorted(os.sched_getaffinity(0))
        first, last = usable[0], usable[-1]
        show = [
            "sh", "-c",
            "echo $TUTTI_RANK $(sed -n 's/Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)"
        ]
        for listed, places in ((f"{last},{first}", [last, first,
                                                    last]), (f"{first}-{first}", [first] * 3)):
            lines = sorted(
                self.tutti("run", "-n", "3", "--bind", f"list:{listed}", *show).out.splitlines())
            self.assertEqual(lines, [f"{rank} {place}" for rank, place in enumerate(places)])
        for what in ("thread", "l3", "numa", "socket"):
            self.tutti("run", "-n", "3", "--bind", what, "true")
        for listed, words in (("", "'' is neither"), ("x", "'x' is neither"),
                              ("3-", "'3-' is neither"), ("0,-1", "'-1' is neither"),
                              ("9999", "processor 9999 is none of those")):
            self.assert_one_line(
                self.tutti("run", "-n", "1", "--bind", f"list:{listed}", "true", code=2), words)

    def test_report_file(self):
        path = os.path.join(self.start(["true"]).folder, "report.json")
        job = self.finish(
            self.run_ranks(2, "0:wait=1", "1:sleep=200", "1:exit=3", options=["--report", path]), 3)
        with open(path) as file:
            report = json.load(file)
        self.assertEqual(report["exit_code"], 3)
        self.assertIn("rank 1", report["reason"])
        self.assertEqual([(rank["end"], rank["value"]) for rank in report["ranks"]],
                         [("signalled", 15), ("exited", 3)])
        self.assertIn("waiting in test_call", report["ranks"][0]["state"])
        self.assertIn("exited with code 3", job.err)

    def test_ranks_keep_the_limits_of_the_shell(self):
        job = self.start(
            ["sh", "-c", f"ulimit -Sn 300; exec {TUTTI_WORD} run -n 1 sh -c 'ulimit -Sn'"])
        self.assertEqual(self.finish(job, 0).out, "300\n")


if __name__ == "__main__":
    unittest.main()
