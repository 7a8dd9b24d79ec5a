# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives one Chromium without a window by its DevTools protocol, which it speaks on two pipes."""
import base64
import json
import os
import shutil
import subprocess
import tempfile

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NO_BROWSER = "no chromium ('apt-get install chromium')"


class Browser:
    """A browser with one tab. Use it in a `with` statement."""

    def __enter__(self):
        self.home = tempfile.mkdtemp(prefix="paotai-browser-")
        commands, self.out = os.pipe()
        self.replies, answers = os.pipe()
        # The browser reads commands from descriptor 3 and writes its replies to descriptor 4.
        line = f'exec 98<&{commands} 99>&{answers}; exec "$0" "$@" 3<&98 4>&99 98<&- 99>&-'
        self.process = subprocess.Popen(["bash", "-c", line, BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars",
                                         f"--user-data-dir={self.home}", "about:blank"], pass_fds=(commands, answers), stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.rest, self.number, self.session = b"", 0, None
        target = next(target for target in self.ask("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.ask("Page.enable")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.replies)
        shutil.rmtree(self.home, ignore_errors=True)

    def read(self):
        while b"\0" not in self.rest:
            part = os.read(self.replies, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        """Sends a command and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            reply = self.read()
            if reply.get("id") == self.number:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']['message']}")
                return reply["result"]

    def open(self, url, width, height=900, dark=False, scale=1):
        """Opens a page with this width and height in pixels, and waits until it is loaded."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=url)
        self.run(f"new Promise(done => {{ const look = () => location.href !== 'about:blank' && document.readyState === 'complete' "
                 "? done() : setTimeout(look, 20); look(); })")

    def run(self, script):
        """Returns the value of a script, which may be a promise."""
        done = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"].get("exception", {}).get("description", str(done["exceptionDetails"])))
        return done["result"].get("value")

    def picture(self, clip=None, whole=False):
        """Returns a PNG of the window, of the whole page, or of the rectangle `clip` (x, y, width, height)."""
        if clip:
            x, y, width, height = clip
            area = {"clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}}
        else:
            area = {}
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=bool(whole or clip), **area)["data"])
