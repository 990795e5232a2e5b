# SPDX-License-Identifier: BSD-3-Clause
"""Drives a headless Chromium by the DevTools protocol over two pipes, so that neither a driver nor
a port is needed. It records requests, exceptions and what the console says."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "about:blank"]
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37,
        "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


def installed():
    return shutil.which("chromium")


class Chromium:
    """A browser with one page, which ends with the `with` block. `more` are further arguments."""

    def __init__(self, *more):
        self.more = more

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read, self.to = os.pipe()
        self.back, write = os.pipe()

        def pipes():
            # The browser reads from descriptor 3 and writes to 4.
            ours = os.dup(read), os.dup(write)
            os.dup2(ours[0], 3)
            os.dup2(ours[1], 4)

        self.process = subprocess.Popen(
            [installed(), f"--user-data-dir={self.folder.name}", *self.more, *ARGUMENTS],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=pipes,
            close_fds=False, env={**os.environ, "HOME": self.folder.name})
        os.close(read)
        os.close(write)
        self.number, self.rest, self.session = 0, b"", None
        self.events, self.console, self.requests = [], [], []
        target = [t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page"][0]
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"],
                                flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.folder.name)
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
        self.folder.cleanup()

    def ask(self, method, **params):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") != number:
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            return answer["result"]

    def read(self):
        while b"\0" not in self.rest:
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise RuntimeError("chromium has ended")
            self.rest += piece
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        self.record(message.get("method"), message.get("params", {}))
        return message

    def record(self, method, params):
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.console.append(str(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.console.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.console.append(str(params["args"]))

    def run(self, script):
        """Returns the result of a function's body in JavaScript, which may wait for promises."""
        result = self.ask("Runtime.evaluate", expression=f"(async () => {{{script}}})()",
                          awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def wait_for(self, script, seconds=60):
        end = time.monotonic() + seconds
        while not (found := self.run(script)):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {script}\n" +
                                     self.run("return document.body.innerText") +
                                     "\n".join(self.console))
            time.sleep(0.03)
        return found

    def open(self, address):
        """Opens a page anew, also where only the fragment differs."""
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=address)
        self.wait_for("return location.href !== 'about:blank' &&"
                      " document.readyState === 'complete'")

    def press(self, key, **more):
        if key in KEYS:
            event = {"key": key, "code": "Space" if key == " " else key,
                     "windowsVirtualKeyCode": KEYS[key], **more}
            if key in ("Enter", " "):
                event["text"] = "\r" if key == "Enter" else " "
        else:
            event = {"key": key, "text": key}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **event)
        event.pop("text", None)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **event)

    def screen(self, width, height, dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 500)
        self.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, path, whole=False):
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 4000),
                "scale": 1}
        shot = self.ask("Page.captureScreenshot", captureBeyondViewport=whole,
                        **({"clip": clip} if whole else {}))
        path.write_bytes(base64.b64decode(shot["data"]))
