"""A real JupyterLab on 127.0.0.1, and helpers that drive it in Chromium through playwright.

The fixtures are in conftest.py and browser/conftest.py, whose `page` is a browser page (1280 × 900 pixels) of a
JupyterLab over a temporary copy of the course's notebooks.

- `output(page, i)` is the locator of what cell i shows. Cells are counted from 0, markdown cells included.
- Playwright's `expect(locator)` waits until the page is as expected: never sleep.
- JupyterLab itself is started once for each worker.
"""

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import sync_playwright

from course_lib import launcher
from needs import skip_for_want_of

REPOSITORY = Path(__file__).parents[1]
CONFIG = f"--config={launcher.CONFIG}"

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
VIEWPORT = {"width": 1280, "height": 900}
PATIENCE = 30_000
"""Milliseconds until a page that does not become as expected fails its test: a busy machine is slow, not wrong."""
CLOSED = "Canceled future for"
"""What JupyterLab says where a notebook is closed before its kernel has answered all that JupyterLab itself asked."""
SPLASH = "#jupyterlab-splash"
SHEET = "scratch/sheet.ipynb"
"""The notebook of the page that the tests of a file share."""
NOTEBOOK = "window.jupyterapp.shell.currentWidget"


class Lab(NamedTuple):
    """A running JupyterLab: its address, its token, the folder that it shows, and that of its settings."""

    url: str
    token: str
    root: Path
    settings: Path


def find_chromium(playwright):
    """The path of a Chromium or Chrome: the machine's, else the one that `playwright install` brought, else None."""
    found = filter(None, map(shutil.which, CHROMIUM_NAMES))
    own = playwright.chromium.executable_path
    return next(found, own if Path(own).exists() else None)


@contextlib.contextmanager
def running_chromium():
    """A headless Chromium; the test is skipped where there is none."""
    with sync_playwright() as playwright:
        path = find_chromium(playwright)
        if path is None:
            skip_for_want_of("Chromium", "chromium")
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@contextlib.contextmanager
def signed_in(browser, lab):
    """A context for pages of the browser, signed in to JupyterLab."""
    context = browser.new_context(base_url=lab.url, viewport=VIEWPORT)
    context.set_default_timeout(PATIENCE)
    context.request.get(f"/api/status?token={lab.token}")  # the answer's cookie signs pages in
    yield context
    context.close()


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *what):
        pass


@contextlib.contextmanager
def serving(folder):
    """Serve the files of a folder on 127.0.0.1; gives the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def listened_to(page):
    """The page; what goes wrong in its scripts, and what they say of errors, is kept in `page.console_errors`."""
    page.add_init_script(path=Path(__file__).with_suffix(".js"))
    page.console_errors = []

    def keep(text):
        if CLOSED not in text:
            page.console_errors.append(text)

    page.on("console", lambda said: keep(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: keep(str(error)))
    return page


@contextlib.contextmanager
def running_lab(root, home):
    """Start JupyterLab over the folder `root`, its own settings under `home`, and end it by its process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lab = Lab(f"http://127.0.0.1:{port}", secrets.token_hex(16), root, home / "settings")
    log = home / "lab.log"
    with open(log, "w") as output:
        server = subprocess.Popen(
            lab_command(lab, port),
            cwd=REPOSITORY,
            env=lab_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        try:
            wait_for_answer(server, lab, log)
            yield lab
        finally:
            server.terminate()
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def reset_settings(lab):
    """Set JupyterLab's settings back to what every test starts from (its theme is one of them)."""
    shutil.rmtree(lab.settings, ignore_errors=True)


def lab_command(lab, port):
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": lab.root,
        "ServerApp.open_browser": False,
        "ServerApp.allow_root": True,
        "IdentityProvider.token": lab.token,
        "LabApp.expose_app_in_browser": True,
    }
    return [sys.executable, "-m", "jupyterlab", CONFIG, *(f"--{name}={value}" for name, value in options.items())]


def lab_environment(home):
    """The environment for a JupyterLab that neither reads nor changes what the user has set up."""
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    return {**os.environ, "JUPYTER_PREFER_ENV_PATH": "1", **{name: str(home / at) for name, at in folders.items()}}


def wait_for_answer(server, lab, log, seconds=180):
    deadline = time.monotonic() + seconds
    while server.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"{lab.url}/api", timeout=5).close()
            return
        except urllib.error.URLError:
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not answer within {seconds} s; its log:\n{log.read_text()}")


def write_notebook(path, cells):
    """Write a notebook of these code cells, never run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    notebook = new_notebook(cells=[new_code_cell(source) for source in cells], metadata={"kernelspec": kernel})
    nbformat.write(notebook, path)


def open_notebook(page, path):
    """Open the notebook at `path` (relative to the folder of JupyterLab); returns when it can run cells."""
    page.goto(f"/lab/tree/{path}?reset")
    wait_until_open(page, path)


def open_in_place(page, path):
    """Open a notebook in the place of the one that this page of JupyterLab shows, which is closed with its kernel.

    The kernel of the page's own notebook, `SHEET`, is kept.
    """
    shut_down_kernels(page)
    page.evaluate(f"() => {{ {NOTEBOOK}.context.model.dirty = false; }}")  # so that nobody asks whether to save it
    command(page, "application:close-all")
    command(page, "docmanager:open", {"path": path, "factory": "Notebook"})
    wait_until_open(page, path)


def wait_until_open(page, path):
    page.wait_for_function(f"path => {NOTEBOOK.replace('.', '?.')}?.context?.path === path", arg=path)
    page.locator(SPLASH).wait_for(state="detached")
    page.evaluate(f"async () => {{ const w = {NOTEBOOK}; await w.context.ready; await w.revealed; }}")
    # The indicator says "idle" before the kernel is connected, and what is run then is lost: ask the kernel itself.
    page.evaluate(f"""async () => {{
        const session = {NOTEBOOK}.sessionContext;
        await session.ready;
        await session.session.kernel.info;
    }}""")


def fill(page, sources):
    """Make these code cells the only ones of the open notebook."""
    page.evaluate(
        f"""sources => {{
            const {{ sharedModel }} = {NOTEBOOK}.context.model;
            sharedModel.deleteCellRange(0, sharedModel.cells.length);
            sharedModel.insertCells(0, sources.map(source => ({{ cell_type: "code", source, metadata: {{}} }})));
        }}""",
        sources,
    )


def fill_and_run(page, sources):
    """Make the open notebook one of these code cells, its kernel one in which nothing has been run, and run it."""
    if page.evaluate(f"() => {NOTEBOOK}.context.path") != SHEET:
        open_in_place(page, SHEET)
    fill(page, sources)
    run_code(page, "import ipywidgets; ipywidgets.Widget.close_all()\n%reset -f")
    run_all(page)
    assert cell_errors(page) == []


def shut_down_kernels(page):
    """End every kernel of this JupyterLab but that of the page that tests share."""
    page.evaluate(
        """async shared => {
            const sessions = window.jupyterapp?.serviceManager.sessions;
            const running = [...(sessions?.running() ?? [])].filter(({ path }) => path !== shared);
            await Promise.all(running.map(({ id }) => sessions.shutdown(id)));
        }""",
        SHEET,
    )


def command(page, name, arguments=None, seconds=120):
    """Run a command of JupyterLab's and wait for its end; a command that runs cells ends when they have run."""
    page.evaluate(
        """([name, args, seconds]) => Promise.race([
            window.jupyterapp.commands.execute(name, args).then(() => null),
            new Promise((_, late) => setTimeout(late, 1000 * seconds, new Error(`${name} took over ${seconds} s`))),
        ])""",
        [name, arguments or {}, seconds],
    )


def run_all(page):
    """Run every cell from top to bottom; returns when the last has run, or one has failed (ask `cell_errors`).

    The command returns at the first cell that fails, also where its tag says that it may and the others go on: an
    empty request behind them all waits for these.
    """
    command(page, "notebook:run-all-cells", seconds=400)
    page.evaluate(f"() => {NOTEBOOK}.sessionContext.session.kernel.requestExecute({{code: ''}}).done.then(() => null)")


def run_cell(page, index):
    """Run one cell (counted from 0, markdown cells included); returns when it has run."""
    page.evaluate(f"i => {{ {NOTEBOOK}.content.deselectAll(); {NOTEBOOK}.content.activeCellIndex = i; }}", index)
    command(page, "notebook:run-cell")


def cells(page):
    """The notebook's cells as they stand in the browser, as the file format has them."""
    return page.evaluate(f"() => {NOTEBOOK}.context.model.toJSON().cells")


def cell_errors(page):
    """(cell, exception, message) for each failed cell, but for those whose tag says that they are meant to fail."""
    return [
        (index, output["ename"], output["evalue"])
        for index, cell in enumerate(cells(page))
        if "raises-exception" not in cell["metadata"].get("tags", [])
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]


def output(page, index):
    """The locator of what the cell shows below its code (cells counted from 0, markdown cells included)."""
    return page.locator(f".jp-Notebook [data-windowed-list-index='{index}'] .jp-Cell-outputArea")


def scroll_through(page):
    """Show each cell in turn, so that what is drawn only when it comes into view is drawn."""
    page.evaluate(f"""async () => {{
        for (const [index] of {NOTEBOOK}.content.widgets.entries()) {{
            await {NOTEBOOK}.content.scrollToItem(index);
            await new Promise(requestAnimationFrame);
        }}
    }}""")


def run_code(page, code):
    """Run code in the notebook's kernel, outside its cells; returns what it prints, and fails if it raises."""
    printed, error = page.evaluate(
        f"""async code => {{
            const future = {NOTEBOOK}.sessionContext.session.kernel.requestExecute({{code, store_history: false}});
            let printed = "";
            future.onIOPub = ({{ header, content }}) => {{
                if (header.msg_type === "stream") printed += content.text;
            }};
            const reply = (await future.done).content;
            return [printed, reply.status === "ok" ? null : `${{reply.ename}}: ${{reply.evalue}}`];
        }}""",
        code,
    )
    assert error is None, error
    return printed


def set_theme(page, dark):
    """Switch JupyterLab to its dark or light theme; returns when it is on."""
    name = "JupyterLab Dark" if dark else "JupyterLab Light"
    command(page, "apputils:change-theme", {"theme": name})
    page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=name)
    page.locator(SPLASH).wait_for(state="detached")
