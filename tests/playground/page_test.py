# SPDX-License-Identifier: BSD-3-Clause
"""Uses the playground in a headless Chromium: each view, the reader's own algorithms and files,
each lesson with its questions, the keyboard alone, small screens, light and dark. The console has
to stay empty and no request may leave the page's server. Argument: the folder with the module.
TUTTI_COMMAND is the command, with which the guide's commands are tried first. With `--pictures
FOLDER` it writes pictures of all pages instead, for people to look at, and with `--readme FILE`
the picture of the README."""

import functools
import http.server
import os
import sys
import tempfile
import threading
import unittest
import zlib
from pathlib import Path

import chromium

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "scripts/site"))
import playground  # noqa: E402

VIEWS = {
    "film": "draw allreduce --algorithm ring -n 4",
    "films": "draw allreduce --algorithm ring -n 4;draw allreduce --algorithm mst -n 4",
    "price": "explain allreduce --machine sp2 -n 8 --bytes 64K",
    "ranks": "explain allreduce --machine sp2 -n 8 --bytes 64K --curve c.svg --over ranks",
    "curves": "simulate allreduce --algorithm ring,mst --machine sp2 -n 8 --bytes 8..1M",
    "times": "simulate allreduce --algorithm ring,bidirectional_exchange --machine sp2 -n 2..16 "
             "--bytes 4K",
    "time": "simulate alltoall --algorithm pairwise --machine paragon-nx -n 16 --bytes 64K",
    "proof": "verify allreduce --algorithm ring -n 1..8",
    "conflicts": "verify alltoall --algorithm pairwise -n 8 --topology mesh:2x4",
    "own": "own algorithm",
    "command": "export allreduce --algorithm ring -n 4 --out ring4.json;verify ring4.json",
}
IDLE = "return document.body?.dataset.busy === 'no'"
# All elements of the page with those of its pictures.
ALL = """
const all = root => Array.from(root.querySelectorAll("*")).flatMap(
  element => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
"""
SMALL = ALL + r"""
const small = [];
for (const element of all(document)) {
  const own = Array.from(element.childNodes).some(n => n.nodeType === 3 && n.data.trim());
  if (!own || ["SCRIPT", "STYLE", "title", "desc", "TITLE"].includes(element.tagName)) continue;
  if (element.getClientRects().length === 0) continue;
  let size = parseFloat(getComputedStyle(element).fontSize);
  if (element.getScreenCTM && element.ownerSVGElement) size *= element.getScreenCTM().a;
  if (size < 10.99) small.push(`${element.tagName} ${size} ${element.textContent.slice(0, 30)}`);
}
return small;"""
UNLABELLED = ALL + r"""
return all(document).filter(e => /^(BUTTON|INPUT|SELECT|TEXTAREA|A|IFRAME)$/.test(e.tagName))
  .filter(e => !(e.labels?.length || e.getAttribute("aria-label") || e.title || (
    /^(BUTTON|A)$/.test(e.tagName) && e.textContent.trim()))).map(e => e.outerHTML.slice(0, 90));"""
# Tab has to reach all that can be used and is shown.
USABLE = ALL + r"""
return all(document).filter(e => /^(BUTTON|INPUT|SELECT|TEXTAREA|A|SUMMARY)$/.test(e.tagName))
  .filter(e => !e.disabled && e.tabIndex >= 0 && e.getClientRects().length > 0)
  .map(e => e.dataset.seen = e.id || e.textContent || e.name || e.getAttribute("aria-label"));"""
FOCUSED = "return document.activeElement?.dataset.seen ?? ''"


class Quiet(http.server.SimpleHTTPRequestHandler):
    asked = []

    def log_message(self, *words):
        self.asked.append(self.path)


class Pages:
    """A server of the playground's files, and the browser."""

    def __init__(self, module, *more):
        self.folder = tempfile.TemporaryDirectory()
        playground.put(Path(self.folder.name, "playground"), module)
        serve = functools.partial(Quiet, directory=self.folder.name)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/playground/"
        self.browser = chromium.Chromium(*more).__enter__()

    def close(self):
        self.browser.__exit__()
        self.server.shutdown()
        self.server.server_close()
        self.folder.cleanup()

    def open(self, lines="", page=""):
        fragment = "#" + playground.fragment([line.split() for line in lines.split(";")])
        self.browser.open(self.address + page + (fragment if lines else ""))
        self.browser.wait_for(IDLE)


class Playground(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.pages = Pages(MODULE)
        cls.browser = cls.pages.browser

    @classmethod
    def tearDownClass(cls):
        cls.pages.close()

    def setUp(self):
        self.browser.screen(1440, 900)
        self.browser.console.clear()
        self.browser.requests.clear()

    def tearDown(self):
        self.assertEqual(self.browser.console, [])
        outside = [url for url in self.browser.requests
                   if not url.startswith((self.pages.address, "data:", "blob:", "about:"))]
        self.assertEqual(outside, [])

    def text(self, selector="#panel"):
        return self.browser.run(f"return document.querySelector({selector!r})?.innerText ?? ''")

    def click(self, words, within="body"):
        """Clicks the button with these words."""
        self.browser.run(f"""
            const found = Array.from(document.querySelectorAll({within!r} + ' button'))
              .find(b => b.textContent === {words!r} || b.ariaLabel === {words!r});
            if (!found) throw Error('no button ' + {words!r});
            found.click();""")

    def fill(self, selector, value):
        self.browser.run(f"""
            const field = document.querySelector({selector!r});
            field.value = {value!r};
            for (const kind of ["input", "change"])
              field.dispatchEvent(new Event(kind, {{ bubbles: true }}));""")

    def wait(self, script):
        return self.browser.wait_for(script)

    # The views.

    def test_each_view_shows_what_its_link_says(self):
        wanted = {"film": ["allreduce ring, p = 4", "Steps", "When", "Needs"],
                  "films": ["allreduce ring, p = 4", "allreduce mst, p = 4"],
                  "price": ["Lowest price: bidirectional_exchange from 0 B", "halving_doubling"],
                  "ranks": ["--over ranks"], "curves": ["--bytes 8..1M --curve curve.svg"],
                  "times": ["-n 2..16 --bytes 4K --curve curve.svg"],
                  "time": ["--heat links.svg", "contentions", "standard"],
                  "proof": ["right result", "same bits on all ranks", "in place", "one port",
                            "Conflicts on mesh:2x4"],
                  "conflicts": ["At most 2 messages of a round share a link."],
                  "own": ["Nothing of this runs before you press a button."],
                  "command": ["tutti verify ring4.json", "save ring4.json"]}
        tabs = {"films": "film", "price": "curves", "ranks": "curves", "times": "curves",
                "conflicts": "proof"}
        for name, lines in VIEWS.items():
            with self.subTest(view=name):
                self.pages.open(lines)
                for words in wanted[name]:
                    self.assertIn(words, self.text())
                selected = self.browser.run(
                    "return document.querySelector('[aria-selected=true]').dataset.tab")
                self.assertEqual(selected, tabs.get(name, name))
                pictures = self.browser.run(ALL + """return all(document)
                    .filter(e => e.tagName === 'svg' && e.getClientRects().length > 0).length""")
                self.assertEqual(pictures > 0, name not in ("own", "command"))

    def test_state_is_in_the_address(self):
        self.pages.open(VIEWS["film"])
        self.fill("#algorithm", "mst")
        self.wait("return document.querySelector('#panel h3')?.textContent === "
                  "'allreduce mst, p = 4'")
        self.assertEqual(self.browser.run("return location.hash"),
                         "#draw+allreduce+--algorithm+mst+-n+4")
        self.browser.run("history.back()")
        self.wait("return document.querySelector('#panel h3')?.textContent === "
                  "'allreduce ring, p = 4'")

    def test_simulated_time_over_ranks(self):
        """From the time over bytes to that over ranks and back, by the fields alone."""
        self.pages.open(VIEWS["curves"])
        words = ALL + "return all(document).map(e => e.tagName === 'text' ? e.textContent : '')"
        self.assertIn("ring from 2.37 KiB", self.browser.run(words))
        self.fill("#over", "ranks")
        self.wait("return location.hash.includes('-n+2..8+--bytes+64K')")
        self.wait(IDLE)
        self.assertFalse(self.browser.run("return document.querySelector('#ranks') !== null"))
        self.fill("#compare", "ring,bidirectional_exchange")
        self.fill("#bytes", "4K")
        self.fill("#rankRange", "2..12")
        self.wait("return location.hash.includes('-n+2..12+--bytes+4K')")
        self.wait(IDLE)
        drawn = self.browser.run(words)
        for text in ("allreduce of 4K on sp2, crossbar:64, simulated", "ring from 3",
                     "bidirectional_exchange from 12"):
            self.assertIn(text, drawn)
        self.browser.open(self.pages.address + self.browser.run("return location.hash"))
        self.wait(IDLE)
        self.assertEqual(self.browser.run(words), drawn)
        self.fill("#rankRange", "2..100")
        self.wait("return document.querySelector('pre.wrong')?.textContent"
                  ".includes('100 ranks do not fit')")
        self.fill("#over", "bytes")
        self.wait("return location.hash.includes('-n+12+--bytes+8..1M')")

    def test_film_goes_forth_and_back(self):
        self.pages.open(VIEWS["film"])
        place = "return document.querySelector('output').textContent"
        self.assertEqual(self.browser.run(place), "round 1")
        for how, at in [("one round forth (right arrow)", "round 2"),
                        ("to the end (End)", "round 6"),
                        ("one round back (left arrow)", "round 5"),
                        ("to the start (Home)", "start")]:
            self.click(how)
            self.assertEqual(self.browser.run(place), at)
        self.browser.run("document.querySelector('.controls button:enabled').focus()")
        for key, at in [("ArrowRight", "round 1"), ("ArrowRight", "round 2"), ("End", "round 6"),
                        ("ArrowLeft", "round 5"), ("Home", "start")]:
            self.browser.press(key)
            self.assertEqual(self.browser.run(place), at)

    def test_ranks_that_are_no_number_of_ranks_are_refused(self):
        for ranks in ("2.5", "1e300", "0", ""):
            with self.subTest(ranks=ranks):
                self.pages.open(VIEWS["proof"])
                self.fill("#ranks", ranks)
                self.wait(IDLE)
                used = self.browser.run("return document.querySelector('#ranks').value")
                self.assertEqual(used, ranks if float(ranks or 0) >= 1 else "4")
                self.assertEqual("Right for" in self.text(), used == "4")

    # The reader's own.

    def own(self, kind, text):
        self.pages.open(f"own {kind}")
        self.fill("#source", text)

    def example(self, name):
        return self.browser.run(
            f"return (await import('{self.pages.address}examples.js')).algorithms.{name}.text")

    def verdict(self):
        return self.wait("return document.querySelector('.result .proved, .result .refused')"
                         "?.textContent")

    def test_a_typed_ring_is_proved_and_its_mutant_refused(self):
        self.pages.open("own algorithm")
        ring = self.example("ring")
        self.fill("#ranks", "32")
        self.fill("#source", ring)
        self.click("Verify")
        self.assertEqual(self.verdict(), "Right for 1..32 ranks.")
        self.fill("#source", ring.replace("output((rank - t + 1 + p)", "output((rank - t + p)"))
        self.click("Verify")
        self.assertIn("round 2 (t = 1)", self.wait(
            "return document.querySelector('.result .refused')?.textContent"))
        # The film opens at this round of the smallest wrong one, and the fault is red.
        self.wait("return document.querySelector('.result .film output')?.textContent === "
                  "'round 2'")
        self.assertIn("WRONG", self.text(".result .sentence.wrong"))
        self.assertEqual(self.text(".result .film h3"), "allgather my_ring, p = 2")
        self.assertTrue(self.browser.run(ALL + "return all(document).some(e => "
                                         "/^(w|bad|wh|red)\\b/.test(e.getAttribute('class')))"))

    def test_examples_are_right_or_wrong_as_they_say(self):
        for name, words in [("ring", "Right"), ("deadlock", "round 2"),
                            ("missing", "holds nothing")]:
            with self.subTest(example=name):
                self.own("algorithm", "")
                self.fill("#example", name)
                self.wait("return document.querySelector('#source').value !== ''")
                self.click("Verify")
                self.assertIn(words, self.verdict())

    def test_a_typed_ring_is_drawn_priced_simulated_and_saved(self):
        self.own("algorithm", "")
        self.fill("#example", "ring")
        self.wait("return document.querySelector('#source').value !== ''")
        for button, words in [("Draw", "allgather my_ring, p = 4"), ("Price", "my_ring"),
                              ("Simulate", "Simulated: allgather"),
                              ("Save as schedule file", "Saved as my_ring4.json")]:
            self.click(button)
            self.wait(f"return document.querySelector('.result').innerText.includes({words!r})")
        saved = self.saved("my_ring4.json")
        self.own("schedule", saved)
        self.click("Verify")
        self.assertEqual(self.verdict(), "Right.")
        self.fill("#ranks", "8")
        self.own("algorithm", self.example("ring"))
        self.click("Save as plug-in in C")
        self.wait("return document.querySelector('.result').innerText.includes('Saved as')")
        self.assertIn("tutti_generators(tutti_registrar", self.saved("my_ring.c"))
        # Other views have it now.
        self.click("Film", "#tabs")
        self.fill("#operation", "allgather")
        self.wait("return Array.from(document.querySelector('#algorithm').options)"
                  ".some(o => o.value === 'ring')")

    def saved(self, name):
        path = Path(self.browser.folder.name, name)
        self.wait("return true")
        for _ in range(200):
            if path.exists() and path.stat().st_size:
                return path.read_text()
            self.browser.run("await new Promise(done => setTimeout(done, 20))")
        self.fail(f"{name} was not saved")

    def test_files_in(self):
        self.pages.open("own schedule")
        for kind, words in [("json", "Right."), ("msccl", "Right."), ("goal", "Right.")]:
            self.fill("#source", "")
            self.fill("#example", kind)
            self.wait("return document.querySelector('#source').value.length > 100")
            self.click("Verify")
            self.assertEqual(self.verdict(), words)
        self.pages.open("own machine")
        self.fill("#example", "pair")
        self.wait("return document.querySelector('#source').value.includes('line:2')")
        self.click("Use")
        self.wait("return document.querySelector('.result table') !== null")
        self.assertIn("pair", self.text(".result"))

    def test_an_endless_loop_is_stopped(self):
        self.own("algorithm", """({ name: "endless", operation: "allgather",
            rounds(p) { for (;;) {} }, emit() {} })""")
        self.click("Verify")
        self.wait("return document.querySelector('.result .refused')?.textContent"
                  ".includes('stopped after 10 seconds')")
        self.click("Film", "#tabs")
        self.wait("return document.querySelector('.film') !== null")

    def test_typed_code_reaches_nothing(self):
        loads = "(() => {{ const asked = new XMLHttpRequest(); asked.open('GET', '{}', false);" \
            " asked.send(); return asked.status; }})()"
        for code in (loads.format(self.pages.address + "stolen"), "localStorage.length",
                     "document.title", "parent.document.title", "importScripts('/x.js')",
                     "indexedDB.open('x')"):
            with self.subTest(code=code):
                self.own("algorithm", f"""({{ name: "thief", operation: "allgather",
                    rounds(p) {{ let found; try {{ found = {code}; }} catch {{ return 0; }}
                      throw Error("reached " + found); }}, emit() {{}} }})""")
                self.click("Verify")
                self.assertNotIn("reached", self.text(".result"))
        self.assertNotIn("stolen", " ".join(Quiet.asked))
        self.browser.console.clear()  # the policy reports what it has refused

    def test_typed_code_answers_no_question(self):
        """It may answer for itself. Later questions get another worker."""
        self.own("algorithm", """({ name: "liar", operation: "allgather", rounds(p) {
            for (let id = 0; id < 1000; ++id) self.postMessage({ id, code: 0, output: "" });
            self.postMessage = () => {}; TextDecoder.prototype.decode = () => "forged";
            return 0; }, emit() {} })""")
        self.click("Verify")
        self.wait("return document.querySelector('.result').textContent !== ''")
        self.click("Proof and conflicts", "#tabs")
        self.wait(IDLE)
        self.assertIn("right result", self.text("#panel"))
        self.assertNotIn("forged", self.text("#panel"))

    def test_the_sandbox_runs_nothing_elsewhere(self):
        """A page that frames it without the attribute gets no answer."""
        heard = self.browser.run("""
            const frame = document.createElement("iframe"), heard = [];
            addEventListener("message", ({ source, data }) => {
              if (source === frame.contentWindow) heard.push(data);
            });
            frame.src = "sandbox.html";
            document.body.append(frame);
            await new Promise(done => frame.onload = done);
            await new Promise(done => setTimeout(done, 300));
            return heard.length;""")
        self.assertEqual(heard, 0)
        self.browser.console.clear()  # it says why

    def test_a_link_with_code_runs_nothing(self):
        self.own("algorithm", "(() => { throw Error('ran'); })()")
        link = self.browser.run(
            "const code = btoa('(() => { throw Error(`ran`); })()');"
            "return '#own+algorithm+' + encodeURIComponent(code)")
        self.browser.open(self.pages.address + link)
        self.wait(IDLE)
        self.assertIn("ran", self.browser.run("return document.querySelector('#source').value"))
        self.assertEqual(self.text(".result"), "")

    def test_commands_of_the_guide(self):
        """Each command of these pages has a link, and each link runs here. A link with an algorithm
        runs nothing before the click on the button that it names."""
        command = Path(os.environ["TUTTI_COMMAND"]).resolve()
        os.environ["PATH"] = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
        for page in playground.PAGES:
            text = (playground.SOURCE.parent / page).read_text()
            blocks = list(playground.of_page(text))
            self.assertGreater(sum(len(found) for _, found in blocks), 2)
            for block, found in blocks:
                self.assertEqual(len(found), len(playground.commands_of(block[1])), block[0])
                for words, commands in found:
                    with self.subTest(commands=commands):
                        self.browser.open(self.pages.address + "#" + playground.fragment(commands))
                        self.wait(IDLE)
                        if commands[0][:2] == ["own", "algorithm"]:
                            self.press_what_is_asked(words)
                        self.assertEqual(self.browser.run(
                            "return document.querySelectorAll('.refused, pre.wrong').length"), 0)

    def press_what_is_asked(self, words):
        """Presses the button that a link names, which gives the answer of its command line."""
        line = f"tutti {' '.join(words)}"
        button = {"verify": "Verify", "draw": "Draw", "simulate": "Simulate"}[words[0]]
        self.assertIn(f"Press “{button}” for {line}.", self.text())
        self.assertEqual(self.text(".result"), "")
        self.click(button)
        shown = {"verify": ".proved", "draw": ".film", "simulate": ".picture"}[words[0]]
        self.wait(f"return document.querySelector('.result {shown}') !== null")
        self.assertTrue(self.text(".result .command code").startswith(line), line)
        if words[0] == "verify":
            self.assertEqual(self.verdict(), f"Right for {words[-1]} ranks.")
        if words[0] == "simulate":
            self.assertIn(words[words.index("--algorithm") + 1], self.text(".result table"))

    def test_the_widget_of_notebooks(self):
        self.pages.open(VIEWS["own"])
        found = self.browser.run("""
            const { default: { render } } = await import('./widget.js'), told = {};
            const model = { get: () => model.command, on: (name, act) => { told[name] = act; },
                            command: 'tutti draw allreduce --algorithm ring -n 4' };
            const el = document.createElement('div');
            document.body.append(el);
            await render({ model, el });
            const first = el.shadowRoot.querySelector('.film h3').textContent;
            model.command = 'verify allreduce --algorithm ring -n 4';
            await told['change:command']();
            return [first, el.shadowRoot.querySelector('pre').textContent];""")
        self.assertEqual(found[0], "allreduce ring, p = 4")
        self.assertIn("correct", found[1])

    # The lessons.

    def check(self, number, answer):
        """Answers the question of a lesson, and returns what the check says."""
        form = f"Array.from(document.querySelectorAll('form.check'))[{number}]"
        self.browser.run(f"""const form = {form}, field = form.querySelector('[name=answer]');
            if (field) field.value = {answer!r};
            form.querySelector('[role=status]').textContent = '';
            form.requestSubmit();""")
        return self.wait(f"const said = {form}.querySelector('[role=status]').textContent;"
                         "return said.length > 1 && said")

    def test_lessons(self):
        lessons = {2: [("3", "4"), ("9", "10")], 3: [("7", "14"), ("2", "1.75")],
                   4: [("64K", "2.4K"), ("2K", "35 KiB"), ("down", "up")],
                   5: [("1", "2"), ("2", "4"), ("ring", "hypercube")],
                   6: [("a", "c"), ("ring", "halving_doubling")]}
        for lesson, questions in lessons.items():
            self.pages.open(page=f"lessons/{lesson}.html")
            count = self.browser.run("return document.querySelectorAll('form.check').length")
            self.assertEqual(count, len(questions))
            for number, (wrong, right) in enumerate(questions):
                with self.subTest(lesson=lesson, question=number):
                    self.assertIn("Not yet.", self.check(number, wrong))
                    self.assertIn("Right.", self.check(number, right))

    def test_answers_are_read_as_people_write_them(self):
        for lesson, number, answers in [
                (3, 1, {"": "Write a number", "two": "Write a number", "14/8": "Right.",
                        "7/4": "Right.", "1 3/4": "Right.", "1,75": "Right.", "3/4": "eighth"}),
                (4, 0, {"2.37": "Write the unit, such as 2.37K.", "long": "Write a size"})]:
            self.pages.open(page=f"lessons/{lesson}.html")
            for answer, words in answers.items():
                with self.subTest(lesson=lesson, answer=answer):
                    self.assertIn(words, self.check(number, answer))

    def test_a_lesson_draws_no_film_of_a_thousand_ranks(self):
        self.pages.open(page="lessons/2.html")
        self.fill("#ranks", "1000")
        self.wait("return document.querySelector('.live').innerText.includes("
                  "'Films go to 128 ranks; calculate this one.')")

    def test_a_lesson_shows_one_setting_of_the_tree(self):
        self.pages.open(page="lessons/6.html")
        self.fill("#algorithm", "tree")
        said = self.wait("const said = document.querySelector('.live').innerText;"
                         "return said.includes('Counted for allreduce tree') && said")
        self.assertIn("verify allreduce --algorithm tree:branches=2 -n 1..8", said)
        self.assertIn("Counted for allreduce tree:branches=2, p = 8", said)
        self.assertNotIn("Conflicts", said)

    def test_answers_of_the_lessons_are_what_the_module_says(self):
        self.pages.open(page="lessons/1.html")
        found = self.browser.run("""
            const { askJson } = await import('../shelf.js'), answers = [];
            for (const line of ['broadcast --algorithm mst -n 9',
                                'broadcast --algorithm mst -n 1000',
                                'allreduce --algorithm ring -n 8'])
              answers.push((await askJson(['verify', ...line.split(' ')])).json.results[0]
                           .counts.rounds);
            for (const network of ['mesh:2x4', 'line:8', 'hypercube:3', 'torus:2x4', 'ring:8'])
              answers.push((await askJson(['verify', 'alltoall', '--algorithm', 'pairwise', '-n',
                                           '8', '--topology', network])).json.results[0].load);
            for (const algorithm of ['mst', 'halving_doubling', 'ring', 'tree'])
              answers.push((await askJson(['verify', 'allreduce', '--algorithm', algorithm, '-n',
                                           '1..16'])).json.results[0].canonical);
            return answers.join(' ');""")
        self.assertEqual(found, "4 10 14 2 4 1 2 4 always always sometimes sometimes")

    def test_broadcast_by_hand(self):
        self.pages.open(page="lessons/1.html")
        tree = "0 -> 1\n1 -> 2, 0 > 3\n0>4 1>5 2>6 3→7"
        for rounds, said, words in [
                ("0>1\n0>2", "Ranks 3, 4, 5, 6, 7 have nothing at the end.", "Not yet."),
                (tree, "All 8 ranks have the data after 3 rounds.", "Right."),
                (tree[:-3], "Rank 7 has nothing at the end.", "Not yet."),
                ("1>2\n0>1", "Rank 1 does not have the data yet in round 1.", "Not yet."),
                ("0>1\n0>4 1>4", "Rank 4 receives twice in round 2.", "Not yet."),
                ("0>1 0>2 0>3 0>4 0>5 0>6 0>7", "Rank 0 sends two messages or more in round 1",
                 "two messages"),
                ("0>9", '"0>9" is no message', "Not yet.")]:
            with self.subTest(rounds=rounds):
                self.fill("#rounds", rounds)
                self.assertEqual(self.text("form.check [role=status]"), "")
                self.click("Verify and draw")
                self.wait(IDLE)
                self.assertIn(said, self.text(".live [role=status]"))
                self.assertIn(words, self.check(0, ""))
                self.assertEqual(self.browser.run(
                    "return document.querySelector('.film') !== null"), rounds != "0>9")

    def test_lesson_of_ones_own(self):
        self.pages.open(page="lessons/7.html")
        self.assertIn("Not yet.", self.check(0, ""))
        right = """({ name: "my_broadcast", operation: "broadcast", rounds(p) { return p - 1; },
            emit(round, { p, root }, rank, t) {
              const at = (rank - root + p) % p;
              if (at === t) round.send((rank + 1) % p, output(0));
              if (at === t + 1) round.receive((rank - 1 + p) % p, output(0));
            } })"""
        for text, words in [(None, "Not yet."), (right, "Right.")]:
            if text:
                self.fill("#source", text)
                self.assertEqual(self.text("form.check [role=status]"), "")
                self.assertIn("Press “Verify”", self.check(0, ""))
            self.click("Verify")
            self.verdict()
            self.assertIn(words, self.check(0, ""))

    def test_no_text_of_a_lesson_is_lost(self):
        self.pages.open(page="lessons/7.html")
        source = "return document.querySelector('#source').value"
        mine = "({ name: 'mine', operation: 'broadcast' })"
        self.fill("#source", mine)
        for kind in ("schedule", "algorithm"):
            self.browser.run(f"document.querySelector('[name=kind][value={kind}]').click()")
            self.wait(f"return document.querySelector('[name=kind][value={kind}]').checked &&"
                      " document.activeElement.value === " + repr(kind))
        self.assertEqual(self.browser.run(source), mine)
        self.fill("#example", "ring")
        self.wait(source + ".includes('my_ring')")
        self.fill("#example", "draft 0")
        self.wait(source + f" === {mine!r}")
        # Both ways to take the text along end in the playground, where it runs nothing.
        link = self.browser.run("""const { view } = await import('../own.js');
            return view.link().href;""")
        opened = self.browser.run("""
            const link = Array.from(document.querySelectorAll('.live a')).at(-1);
            link.dispatchEvent(new Event('focus'));
            return link.href;""")
        self.assertEqual(opened, link)
        self.browser.open(link)
        self.wait(IDLE)
        self.assertTrue(link.startswith(self.pages.address + "index.html#own+algorithm+"))
        self.assertEqual(self.browser.run(source), mine)
        self.assertEqual(self.text(".result"), "")

    def test_a_page_that_is_opened_as_a_file_says_what_it_needs(self):
        for page in ("index.html", "lessons/2.html"):
            self.browser.open(f"file://{self.pages.folder.name}/playground/{page}")
            self.wait("return getComputedStyle(document.querySelector('.late')).visibility"
                      " === 'visible'")
            self.pages.open(page=page)
            self.assertFalse(self.browser.run("return document.querySelector('.late') !== null"))
        # The browser refuses what these pages load.
        self.browser.console.clear()
        self.browser.requests.clear()

    # Everybody can use it.

    def everywhere(self):
        """Opens each view and each lesson, and yields its name."""
        for name, lines in VIEWS.items():
            self.pages.open(lines)
            yield name
        for lesson in range(1, 8):
            self.pages.open(page=f"lessons/{lesson}.html")
            yield f"lesson {lesson}"

    def test_screens(self):
        for width, dark in ((360, False), (768, True)):
            self.browser.screen(width, 740, dark)
            for name in self.everywhere():
                with self.subTest(page=name, width=width, dark=dark):
                    wide = self.browser.run("return document.documentElement.scrollWidth")
                    self.assertLessEqual(wide, width)
                    self.assertEqual(self.browser.run(SMALL), [])
                    self.assertEqual(self.browser.run(UNLABELLED), [])
                    paper = self.browser.run("return getComputedStyle(document.body)"
                                             ".backgroundColor.match(/\\d+/g).map(Number)[0]")
                    self.assertEqual(paper < 128, dark)

    def test_keyboard_alone(self):
        for name in self.everywhere():
            with self.subTest(page=name):
                self.browser.run("document.activeElement?.blur()")
                usable, reached = set(self.browser.run(USABLE)), set()
                for _ in range(3 * len(usable) + 40):
                    self.browser.press("Tab")
                    reached.add(self.browser.run(FOCUSED))
                    if usable <= reached:
                        break
                self.assertEqual(usable - reached, set())
        self.pages.open(VIEWS["film"])
        self.browser.run("document.querySelector('#tab-film').focus()")
        self.browser.press("ArrowRight")
        self.wait("return document.activeElement.id === 'tab-curves'")
        self.wait("return document.querySelector('.crossovers') !== null")


def pictures(folder):
    """Writes a picture of each page in each size, light and dark."""
    pages = Pages(MODULE, "--hide-scrollbars")
    try:
        for width, dark in [(w, d) for w in (360, 768, 1440) for d in (False, True)]:
            for name, lines in [*VIEWS.items(), *((f"lessons/{i}.html", "") for i in range(1, 8))]:
                pages.browser.screen(width, 900, dark)
                pages.open(lines, "" if lines else name)
                label = name.replace("/", "_").removesuffix(".html")
                path = Path(folder, f"{label}-{width}{'-dark' if dark else ''}.png")
                pages.browser.picture(path, whole=True)
    finally:
        pages.close()


def readme(path):
    """Writes the picture of the README, which says its licence in a chunk of text."""
    pages = Pages(MODULE, "--hide-scrollbars")
    try:
        pages.browser.screen(1200, 820)
        pages.open(VIEWS["films"])
        pages.browser.picture(Path(path))
    finally:
        pages.close()
    picture, text = Path(path).read_bytes(), b"tEXtLicense\0SPDX-License-Identifier: BSD-3-Clause"
    chunk = (len(text) - 4).to_bytes(4, "big") + text + zlib.crc32(text).to_bytes(4, "big")
    Path(path).write_bytes(picture[:33] + chunk + picture[33:])  # behind the header


if __name__ == "__main__":
    MODULE = sys.argv.pop(1)
    if not chromium.installed():
        print("skipped: Chromium (package chromium) is missing")
        sys.exit(77)
    if not all(Path(MODULE, name).is_file() for name in playground.MODULE):
        print(f"skipped: {MODULE} has no module of the playground (make playground)")
        sys.exit(77)
    if sys.argv[1:2] == ["--pictures"]:
        pictures(sys.argv[2])
    elif sys.argv[1:2] == ["--readme"]:
        readme(sys.argv[2])
    else:
        unittest.main()
