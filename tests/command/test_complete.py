# SPDX-License-Identifier: BSD-3-Clause
"""Tests the completions of bash, zsh and fish. They must offer the words that the command accepts
at that place: verbs, options and the values of an option."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TUTTI = os.environ["TUTTI_COMMAND"]
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "command/complete"
# A bash script that completes a line and prints the offered words (COMPREPLY).
ASK = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tutti; printf "%s\\n" '
       '"${COMPREPLY[@]}"')


def run(*command):
    return subprocess.run(command,
                          capture_output=True,
                          text=True,
                          check=True,
                          stdin=subprocess.DEVNULL).stdout


def asked(*line):
    """Returns the words that `tutti complete` offers for the line."""
    return run(TUTTI, "complete", *line).splitlines()


def in_bash(*line):
    return [
        word for word in run("bash", "-c", ASK, "bash", SCRIPTS /
                             "tutti.bash", TUTTI, *line).splitlines() if word
    ]


def help_of(*verb):
    return run(TUTTI, *verb, "--help")


class Complete(unittest.TestCase):
    def test_verbs_are_those_of_the_help(self):
        listed = re.findall(r"^  ([a-z][a-z-]*) ", help_of().split("Subcommands:")[1], flags=re.M)
        self.assertIn("explain", listed)
        self.assertEqual(sorted(in_bash("")), sorted(listed))
        self.assertEqual(in_bash("expl"), ["explain"])

    def test_every_option_of_every_help_is_offered(self):
        for verb in asked(""):
            listed = set()
            for line in help_of(verb).splitlines():
                if line.lstrip().startswith("-"):
                    listed.update(
                        re.findall(r"(?<![\w-])--?[a-z][a-z0-9-]*",
                                   line.strip().split("  ")[0]))
            self.assertEqual(set(in_bash(verb, "-")), listed, verb)

    def test_operations(self):
        self.assertEqual(sorted(in_bash("explain", "all")), ["allgather", "allreduce", "alltoall"])

    def test_algorithms_are_those_of_the_operation(self):
        offered = in_bash("draw", "alltoall", "--algorithm", "")
        self.assertIn("pairwise", offered)
        self.assertNotIn("circulant_reduce", offered)
        for name in offered:
            self.assertIn(name, run(TUTTI, "info", "--algorithms"))
        self.assertIn("pairwise", in_bash("draw", "--algorithm", "pair"))

    def test_machines(self):
        listed = re.findall(r"^(\S+) .* (?:published|assumed|derived|fitted)",
                            run(TUTTI, "info", "--machines"),
                            flags=re.M)
        self.assertLessEqual(set(listed),
                             set(in_bash("simulate", "allreduce", "-n", "4", "--machine", "")))
        self.assertEqual(in_bash("explain", "--machine", "ipsc"),
                         ["ipsc860", "ipsc860-forced", "ipsc860-nx"])

    def test_values_that_an_option_is_checked_against(self):
        self.assertEqual(in_bash("draw", "alltoall", "--as", ""),
                         ["film", "needs", "chart", "rounds"])
        self.assertEqual(in_bash("draw", "--as", "=", "c"), ["chart"])  # bash splits --as=c
        self.assertEqual(asked("draw", "--as=c"), ["--as=chart"])  # zsh does not

    def test_files_are_the_shells_to_offer(self):
        for line in (["run", "-n", "4", ""], ["run", "ls", "--bi"], ["simulate", "--svg", ""],
                     ["trace", ""], ["verdict", "x.json", "--html", ""]):
            self.assertEqual(asked(*line), [":files"], line)
            self.assertEqual(in_bash(*line), [])

    def test_nothing_is_offered_where_nothing_is_known(self):
        self.assertEqual(asked("explain", "-n", ""), [])
        self.assertEqual(asked("nonsense", ""), [])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_takes_its_script(self):
        run("zsh", "-n", str(SCRIPTS / "tutti.zsh"))
        stub = ('compadd() { shift 2; print -l -- "$@" }; _files() { print files }; words=("$@"); '
                'CURRENT=$#; source "$0"')
        ask = ["zsh", "-f", "-c", stub, str(SCRIPTS / "tutti.zsh"), TUTTI]
        self.assertEqual(run(*ask, "expl").split(), ["explain"])
        self.assertEqual(run(*ask, "run", "-n", "4", "").split(), ["files"])
        self.assertEqual(run(*ask, "explain", "-n", "").split(), [])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_offers_what_bash_does(self):
        home = tempfile.TemporaryDirectory()  # fish writes there
        self.addCleanup(home.cleanup)

        def in_fish(line):
            script = f"source '{SCRIPTS / 'tutti.fish'}'; complete -C 'tutti {line}'"
            environment = {"PATH": f"{pathlib.Path(TUTTI).parent}:/bin", "HOME": home.name,
                           "LC_ALL": "C.UTF-8"}
            done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True,
                                  text=True, check=True, env=environment, cwd=SCRIPTS,
                                  stdin=subprocess.DEVNULL)
            return sorted(done.stdout.split())

        self.assertEqual(in_fish(""), sorted(asked("")))
        self.assertEqual(in_fish("expl"), ["explain"])
        self.assertEqual(in_fish("draw alltoall --algorithm pair"), ["pairwise"])
        self.assertEqual(in_fish("explain -n "), [])
        self.assertEqual(in_fish("run tutti.f"), ["tutti.fish"])


if __name__ == "__main__":
    unittest.main()
