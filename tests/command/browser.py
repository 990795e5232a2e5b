# SPDX-License-Identifier: BSD-3-Clause
"""Drives a headless Chromium by the WebDriver protocol of chromedriver."""
import base64
import json
import re
import shutil
import subprocess
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name that the standard gives to references
KEYS = {" ": " ", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011", "End": "\ue010"}
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--window-size=1300,900"]


def installed():
    return shutil.which("chromedriver") is not None and shutil.which("chromium") is not None


class Browser:
    """A browser that ends with the `with` block."""

    def __enter__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"],
                                       stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL,
                                       text=True)
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self.address = f"http://127.0.0.1:{found[1]}"
                break
        options = {"binary": shutil.which("chromium"), "args": ARGUMENTS}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        self.session = "/session/" + self.ask("POST", "/session", wanted)["sessionId"]
        return self

    def __exit__(self, *failure):
        try:
            self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.address + path,
                                         method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, path):
        self.ask("POST", f"{self.session}/url", {"url": path.resolve().as_uri()})

    def find(self, selector):
        return self.ask("POST", f"{self.session}/element",
                        {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("POST", f"{self.session}/element/{self.find(selector)}/click", {})

    def press(self, key):
        actions = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")]
        self.ask("POST", f"{self.session}/actions",
                 {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def run(self, script):
        """Returns the result of a function's body in JavaScript."""
        return self.ask("POST", f"{self.session}/execute/sync", {"script": script, "args": []})

    def phone(self, width, height):
        """Gives the page the screen of a phone, which may be narrower than any window."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        self.ask("POST", f"{self.session}/goog/cdp/execute",
                 {"cmd": "Emulation.setDeviceMetricsOverride", "params": screen})

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.ask("GET", f"{self.session}/screenshot")))
