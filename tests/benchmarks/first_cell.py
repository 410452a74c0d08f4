"""How long a reader of a site waits for a notebook's first cell, on a slow machine and a slow network.

`PYTHONPATH=tests:. .venv/bin/python tests/benchmarks/first_cell.py SITE [RUNS]` opens notebook 2 of a site that was
made before, with nothing stored and a processor four times as slow. Its server sends 5 Mbit/s to all connections
together, also those of Python's worker, which a browser's own limit leaves out; as most hosts do, it compresses texts.
"""

import gzip
import sys
import time
from contextlib import suppress
from functools import cache, partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread

from lab import Silent, command, output, running_chromium, wait_until_open

SLOWER = 4
BYTES_PER_SECOND = 5_000_000 / 8
PIECE = 16_384
COMPRESSED = {".html", ".js", ".mjs", ".css", ".json", ".svg", ".wasm", ".ipynb"}
NOTEBOOK = "notebooks/02_minimax.ipynb"
FIRST_CELL = 1
PATIENCE = 600_000
"""Milliseconds."""
SHIFT = """() => {
    window.shift = 0;
    new PerformanceObserver(list => list.getEntries().forEach(entry => window.shift += entry.value))
        .observe({ type: "layout-shift", buffered: true });
}"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime / 1000"
sent = {"requests": 0, "bytes": 0, "free": 0.0}
"""What the server has sent, and when it may send again."""
turn = Lock()


@cache
def compressed(path):
    return gzip.compress(path.read_bytes(), 6)


class Slow(Silent):
    """Serves the files of a folder, compressed and slowly."""

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return self.send_error(404)
        is_text = path.suffix in COMPRESSED
        content = compressed(path) if is_text else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Last-Modified", self.date_time_string(path.stat().st_mtime))  # so that it is kept
        if is_text:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        sent["requests"] += 1
        with suppress(ConnectionError):  # a page that is left
            for start in range(0, len(content), PIECE):
                self.send(content[start : start + PIECE])

    def send(self, piece):
        with turn:
            begin = max(time.monotonic(), sent["free"])
            sent["free"] = begin + len(piece) / BYTES_PER_SECOND
            sent["bytes"] += len(piece)
        time.sleep(max(0, begin - time.monotonic()))
        self.wfile.write(piece)


def measure(browser, address):
    """Seconds until the text is painted, the notebook is there, and its first cell has run; and what was sent."""
    sent.update(requests=0, bytes=0)
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(f"({SHIFT})()")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    began = time.monotonic()
    page.goto(f"{address}/run/notebooks/index.html?path={NOTEBOOK}", wait_until="commit")
    page.frame_locator("iframe").locator("h1").wait_for()
    text = time.monotonic() - began
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    opened = time.monotonic() - began
    wait_until_open(page, NOTEBOOK)
    shift = page.evaluate("window.shift")
    run = f"window.jupyterapp.shell.currentWidget.content.activeCellIndex = {FIRST_CELL}"
    page.evaluate(f"() => {{ {run}; }}")
    command(page, "notebook:run-cell", seconds=PATIENCE / 1000)
    output(page, FIRST_CELL).wait_for()
    ran = time.monotonic() - began
    print(f"first paint {page.evaluate(PAINT):.2f} s, text {text:.1f} s, notebook {opened:.1f} s, "
          f"first cell {ran:.1f} s; layout shift until then {shift:.3f}; "
          f"{sent['requests']} files, {sent['bytes'] / 1e6:.2f} MB", flush=True)  # fmt: skip
    context.close()


def main(site, runs=3):
    """Measure a site `runs` times."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Slow, directory=site)) as server, running_chromium() as browser:
        Thread(target=server.serve_forever, daemon=True).start()
        for _ in range(int(runs)):
            measure(browser, f"http://127.0.0.1:{server.server_port}")
        server.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
