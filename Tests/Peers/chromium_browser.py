"""A headless Chromium, driven through its debugging pipe, with a page that makes ceremonies."""

import http.server
import json
import os
import select
import shutil
import subprocess
import tempfile
import threading
import time

PAGE = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>ceremonies</title>
<script>
const ask = async (method, read, options) => {
  try {
    return (await navigator.credentials[method]({publicKey: PublicKeyCredential[read](options)})).toJSON();
  } catch (error) {
    return {refused: error.name};
  }
};
const register = options => ask("create", "parseCreationOptionsFromJSON", options);
const signIn = options => ask("get", "parseRequestOptionsFromJSON", options);
</script>
</html>
"""
PATIENCE = 30  # seconds, for one answer
# It talks to nobody but the page here.
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-breakpad", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost", "--remote-debugging-pipe",
]


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


def in_child(commands, answers):
    """Chromium reads commands from descriptor 3 and writes answers to 4; what is at these numbers must not be lost."""
    high = [os.dup(commands), os.dup(answers)]
    while min(high) < 5:
        high = [os.dup(one) for one in high]
    os.dup2(high[0], 3)
    os.dup2(high[1], 4)


class Browser:
    def __init__(self, command):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.origin = f"http://localhost:{self.server.server_port}"
        self.home = tempfile.mkdtemp()
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        # In a session of its own, so that all of its processes, and no others, can be ended.
        self.process = subprocess.Popen(
            [*command, *FLAGS, f"--user-data-dir={self.home}/profile", "about:blank"],
            env={**os.environ, "HOME": self.home}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, close_fds=False, start_new_session=True,
            preexec_fn=lambda: in_child(commands, answers))
        os.close(commands)
        os.close(answers)
        # After the fork, which is not for programs with threads.
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.received, self.count, self.session = b"", 0, None

    def open(self):
        page = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.call("WebAuthn.enable")
        self.call("Page.navigate", url=self.origin)
        deadline = time.monotonic() + PATIENCE
        while self.evaluate("document.readyState + typeof signIn") != "completefunction":
            if time.monotonic() > deadline:
                raise TimeoutError("the page does not load")
            time.sleep(0.02)
        return self.call("Browser.getVersion")["product"]

    def message(self):
        while b"\0" not in self.received:
            if not select.select([self.answers], [], [], PATIENCE)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.answers, 1 << 16)
            if not more:
                raise EOFError("the browser is gone")
            self.received += more
        first, self.received = self.received.split(b"\0", 1)
        return json.loads(first)

    def call(self, method, **parameters):
        self.count += 1
        command = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        while (answer := self.message()).get("id") != self.count:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def evaluate(self, expression):
        done = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True)
        return done["result"].get("value")

    def ask(self, function, options):
        """What the page's function answers: a credential's JSON, or the name of the browser's refusal."""
        return self.evaluate(f"{function}({json.dumps(options)})")

    def authenticator(self, **options):
        return self.call("WebAuthn.addVirtualAuthenticator", options=options)["authenticatorId"]

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except Exception:  # it is stopped either way
            os.killpg(self.process.pid, 9)
            self.process.wait(10)
        self.server.shutdown()
        shutil.rmtree(self.home, ignore_errors=True)
