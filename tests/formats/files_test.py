# SPDX-License-Identifier: BSD-3-Clause
"""Takes schedules out into files and gives them back: to every verb, and to jobs, whose results
must have the bits that the algorithm of the library gives. Arguments: the command, the program of
results.c, and which part of the test to run: verbs, jobs, or all_jobs of 2 to 9 processes.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TUTTI, RESULTS, PART = sys.argv[1:4]
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def tutti(*words, folder, stdin=None, **variables):
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"), **variables)
    return subprocess.run([TUTTI, *words],
                          cwd=folder,
                          env=environment,
                          input=stdin,
                          capture_output=True,
                          text=True,
                          check=False)


def export(folder, operation, algorithm, p, *more):
    name = f"{operation}_{algorithm}_{p}.json"
    done = tutti("export", operation, "--algorithm", algorithm, "-n", str(p), "--out", name, *more,
                 folder=folder)
    expect(done.returncode == 0, f"export of {name}: {done.stderr}")
    return name


def expect_refused(folder, words, code, part, stdin=None):
    done = tutti(*words, folder=folder, stdin=stdin)
    said = done.stdout + done.stderr
    expect(done.returncode == code and part in said,
           f"tutti {' '.join(words)}: {done.returncode}, {said!r}, not {code} with {part!r}")


def check_verbs(folder):
    for operation, algorithm, p, root in (("allreduce", "ring", 4, "0"), ("bcast", "mst", 6, "2"),
                                          ("alltoall", "bruck", 5, "0"),
                                          ("barrier", "dissemination", 3, "0")):
        name = export(folder, operation, algorithm, p, "--root", root)
        by_file = tutti("draw", name, folder=folder)
        by_name = tutti("draw", operation, "--algorithm", algorithm, "-n", str(p), "--root", root,
                        folder=folder)
        expect(by_file.stdout.splitlines()[1:] == by_name.stdout.splitlines()[1:],
               f"the drawing of {name} differs: {by_file.stderr}")
        for words in (("verify", name), ("simulate", name, "--machine", "paragon", "--topology",
                                         "mesh:1x8"), ("explain", name)):
            done = tutti(*words, folder=folder)
            expect(done.returncode == 0, f"tutti {' '.join(words)}: {done.stdout}{done.stderr}")
        again = tutti("export", name, folder=folder)
        before, after = json.loads((folder / name).read_text()), json.loads(again.stdout)
        before["name"] = after["name"] = ""
        expect(before == after, f"{name} is exported again with a difference")
        piped = tutti("verify", "-", folder=folder, stdin=(folder / name).read_text())
        expect(piped.returncode == 0, f"{name} from the standard input: {piped.stderr}")


def check_folders(folder):
    """A folder serves the numbers of ranks of its files. The user's cache remembers a schedule that
    was proved by its hash, and no schedule that was refused."""
    place, kept = folder / "rings", folder / "cache/tutti/verdicts"
    place.mkdir()
    for p in (3, 4):
        export(folder, "allreduce", "ring", p)
        (folder / f"allreduce_ring_{p}.json").rename(place / f"{p}.json")
    # Other checks may have proved one of these schedules.
    shutil.rmtree(kept, ignore_errors=True)
    rings = ("verify", "allreduce", "--algorithm", "file:rings", "-n")
    done = tutti(*rings, "3..4", folder=folder)
    expect(done.returncode == 0 and " 2 yes " in done.stdout,
           f"a folder of two rings: {done.stdout}{done.stderr}")
    names = [path.name for path in kept.iterdir()]
    expect(len(names) == 2 and all(len(name) == 64 for name in names), f"remembered: {names}")
    expect_refused(folder, (*rings, "5"), 2, "it needs p = 3, or p = 4")
    (place / "again.json").write_text((place / "3.json").read_text())
    expect_refused(folder, (*rings, "3"), 2, "both serve allreduce for 3 ranks and the same root")
    (place / "again.json").write_text((place / "3.json").read_text().replace('"to":1', '"to":2'))
    expect_refused(folder, (*rings, "3"), 2, "again.json is not correct: round 1")
    expect(len(list(kept.iterdir())) == 2, "a schedule that was refused is remembered")


def check_refusals(folder):
    ring = json.loads((folder / export(folder, "allreduce", "ring", 4)).read_text())
    first = ring["rounds"][0]["0"]
    first[0]["to"] = 2
    (folder / "wrong.json").write_text(json.dumps(ring))
    expect_refused(folder, ("verify", "wrong.json"), 1,
                   "NOT CORRECT: wrong.json: round 1 (t = 0): rank 1: ")
    expect_refused(folder, ("draw", "wrong.json"), 1, "\nWRONG: round 1 (t = 0): rank 1: ")
    expect_refused(folder, ("draw", "allreduce", "--algorithm", "file:wrong.json", "--topology",
                            "line:4"), 2, "wrong.json is not correct: round 1")
    expect_refused(folder, ("verify", "allreduce", "--algorithm", "file:wrong.json"), 2,
                   "wrong.json is not correct: round 1")
    expect_refused(folder, ("verify", "missing.json"), 2, "missing.json cannot be read")
    expect_refused(folder, ("verify", "-"), 2, "standard input line 1, ",
                   stdin='{"tutti_program": 2}')
    (folder / "ring.msccl").write_text("<algo>")
    for verb in ("verify", "explain", "draw"):
        expect_refused(folder, (verb, "ring.msccl"), 2, "ends in .json or .xml")
    expect_refused(folder, ("verify", "allreduce", "--algorithm", "file:"), 2, "without a name")
    expect_refused(folder, ("schedule", "allreduce", "--topology", "mesh:2x2", "-o", "steps"), 0,
                   "by itself it is no allreduce that could run")
    for words in (("-n", "4"), ("--root", "0"), ("--bytes", "8"), ("--conflict-free",)):
        expect_refused(folder, ("verify", "allgather", "--all-p", *words), 2,
                       f"so {words[0]} cannot be given")
    other = ("draw", "bcast", "--algorithm", "file:allreduce_ring_4.json", "-n", "4")
    expect_refused(folder, other, 2, "the file is for allreduce")
    expect_refused(folder, ("draw", "allreduce_ring_4.json", "-n", "5"), 2, "it needs p = 4")
    ring["rounds"][0]["0"][0]["to"] = 1
    ring["claims"] = {"rank_order": True}
    (folder / "claims.json").write_text(json.dumps(ring))
    expect_refused(folder, ("verify", "claims.json"), 1, "claims rank_order true, which is wrong")
    expect_refused(folder, ("draw", "claims.json"), 1, "WRONG: the file claims rank_order true")


def result_of(folder, p, *words, **variables):
    done = tutti("run", "-n", str(p), "--timeout", "60", RESULTS, *words,
                 folder=folder, **variables)
    expect(done.returncode == 0, f"{words} {variables}: {done.stdout}{done.stderr}")
    return done.stdout


def check_jobs(folder, sizes):
    for operation, algorithm in (("allreduce", "ring"), ("allreduce", "circulant"),
                                 ("reduce_scatter", "halving"), ("allgather", "circulant")):
        for p in sizes:
            name = export(folder, operation, algorithm, p)
            built_in = result_of(folder, p, operation, TUTTI_ALGORITHM=f"{operation}={algorithm}")
            from_file = result_of(folder, p, operation, TUTTI_ALGORITHM=f"{operation}=file:{name}")
            expect(built_in == from_file, f"{name} gives other bits than {algorithm}")
            if algorithm == "ring":
                planned = result_of(folder, p, "plan", f"file:{name}")
                expect(built_in == planned, f"a plan of {name} gives other bits than {algorithm}")


def exchange_in_pieces(p, pieces):
    """Returns a complete exchange in which each rank has several blocks for each other one."""
    def blocks(buffer, rank):
        return [f"{buffer}[{rank * pieces}..{(rank + 1) * pieces - 1}]"]

    first, second = {}, {}
    for me in range(p):
        others = [rank for rank in range(p) if rank != me]
        first[str(me)] = [{"copy": blocks("output", me), "of": [blocks("input", me)]}]
        first[str(me)] += [{"send": blocks("input", rank), "to": rank} for rank in others]
        first[str(me)] += [{"receive": blocks("scratch", rank), "from": rank} for rank in others]
        second[str(me)] = [{"copy": blocks("output", rank), "of": [blocks("scratch", rank)]}
                           for rank in others]
    parts = p * pieces
    return {"tutti_program": 1, "operation": "alltoall", "p": p, "in_place": False,
            "buffers": {"parts": parts, "input": parts, "output": parts, "scratch": parts},
            "rounds": [first, second]}


def check_exchanges_in_pieces(folder):
    """The pieces of 1013 elements are not equally long."""
    for p, pieces in ((2, 2), (3, 4)):
        name = f"pieces_{p}.json"
        (folder / name).write_text(json.dumps(exchange_in_pieces(p, pieces)))
        built_in = result_of(folder, p, "alltoall", TUTTI_ALGORITHM="alltoall=direct")
        from_file = result_of(folder, p, "alltoall", TUTTI_ALGORITHM=f"alltoall=file:{name}")
        expect(built_in == from_file, f"{name} gives another result than direct")
        for words in (("verify", name), ("draw", name), ("explain", name),
                      ("simulate", name, "--machine", "sp2", "--block-bytes", "1013")):
            done = tutti(*words, folder=folder)
            expect(done.returncode == 0, f"tutti {' '.join(words)}: {done.stdout}{done.stderr}")
    wrong = exchange_in_pieces(2, 2)
    wrong["rounds"][1]["0"][0]["of"] = [["scratch[3]", "scratch[2]"]]
    (folder / "wrong.json").write_text(json.dumps(wrong))
    expect_refused(folder, ("verify", "wrong.json"), 1, "the size of part 3 where part 2")


def halves_in_msccl():
    """Returns the allreduce of two GPUs that exchange halves, with an attribute of RCCL's files."""
    text = ('<algo name="halves" ngpus="2" nchunksperloop="2" coll="allreduce" inplace="1" '
            'maxcount="4">')
    for me in (0, 1):
        text += (f'<gpu id="{me}" i_chunks="2" o_chunks="0" s_chunks="0">'
                 f'<tb id="0" send="{1 - me}" recv="{1 - me}" chan="0">')
        for step, (kind, chunk) in enumerate((("s", 1 - me), ("rrc", me), ("s", me),
                                              ("r", 1 - me))):
            text += (f'<step s="{step}" type="{kind}" srcbuf="i" srcoff="{chunk}" dstbuf="i" '
                     f'dstoff="{chunk}" cnt="1" depid="-1" deps="-1" hasdep="0"/>')
        text += "</tb></gpu>"
    return text + "</algo>"


def check_notes_of_jobs(folder):
    """One process of a job tells what is passed over in a file."""
    (folder / "halves.xml").write_text(halves_in_msccl())
    done = tutti("run", "-n", "2", "--timeout", "60", RESULTS, folder=folder,
                 TUTTI_ALGORITHM="allreduce=file:halves.xml")
    expect(done.returncode == 0 and done.stderr.count("passes it over") == 1,
           f"a note of a job: {done.returncode} {done.stdout}{done.stderr}")


def check_job_refusals(folder):
    name = export(folder, "allreduce", "ring", 4)
    for p, algorithm, part in ((3, f"allreduce=file:{name}", "needs p = 4"),
                               (4, f"bcast=file:{name}", "the file is for allreduce"),
                               (4, "allreduce=file:none.json", "none.json cannot be read")):
        done = tutti("run", "-n", str(p), "--timeout", "60", RESULTS, folder=folder,
                     TUTTI_ALGORITHM=algorithm)
        expect(done.returncode != 0 and part in done.stderr, f"{algorithm}: {done.stderr}")
    separate = json.loads((folder / name).read_text())
    separate["in_place"] = False
    (folder / "separate.json").write_text(json.dumps(separate))
    done = tutti("run", "-n", "4", "--timeout", "60", RESULTS, folder=folder,
                 TUTTI_ALGORITHM="allreduce=file:separate.json")
    expect(done.returncode != 0 and "does not work in place" in done.stderr,
           f"a schedule that does not work in place: {done.stderr}")


def check_different_files(folder):
    """Each of two processes reads the file of its own folder."""
    script = """mkdir -p $TUTTI_RANK; cp $TUTTI_RANK.json $TUTTI_RANK/a.json
                cd $TUTTI_RANK; exec "$@" """
    for rank, algorithm in enumerate(("ring", "mst")):
        name = export(folder, "allreduce", algorithm, 2)
        (folder / f"{rank}.json").write_text((folder / name).read_text())
    words = ("run", "-n", "2", "--timeout", "60", "sh", "-c", script, "sh", RESULTS)
    done = tutti(*words, folder=folder, TUTTI_ALGORITHM="allreduce=file:a.json")
    expect(done.returncode != 0 and "must be the same for all processes" in done.stderr,
           f"different files: {done.returncode} {done.stdout}{done.stderr}")
    (folder / "1.json").write_text((folder / "0.json").read_text())
    done = tutti(*words, folder=folder, TUTTI_ALGORITHM="allreduce=file:a.json")
    expect(done.returncode == 0, f"equal files: {done.stdout}{done.stderr}")
    script = 'TUTTI_ALGORITHM=allreduce=file:$TUTTI_RANK.json exec "$@"'
    words = ("run", "-n", "2", "--timeout", "60", "sh", "-c", script, "sh", RESULTS)
    done = tutti(*words, folder=folder)
    expect(done.returncode == 0, f"equal files of two names: {done.stdout}{done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if PART == "verbs":
            check_verbs(folder)
            check_folders(folder)
            check_refusals(folder)
        elif PART == "all_jobs":
            check_jobs(folder, range(2, 10))
        else:
            check_jobs(folder, (3, ))
            check_exchanges_in_pieces(folder)
            check_notes_of_jobs(folder)
            check_job_refusals(folder)
            check_different_files(folder)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
