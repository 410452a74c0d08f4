# Settings of JupyterLab for the course: `python -m course_lib` starts JupyterLab with them, and postBuild installs them
# on Binder. JupyterLab opens the first notebook and does not ask about news (overrides.json), and a notebook that is
# saved keeps pictures of its boards and trees, which are shown when it is opened again without its kernel.
import os
from pathlib import Path

import course_lib
from course_lib.saving import before_saving

c = get_config()  # type: ignore[name-defined]  # noqa: F821
notebooks = sorted(path.as_posix() for path in Path("notebooks").glob("[0-9]*.ipynb"))
c.LabApp.default_url = c.JupyterNotebookApp.default_url = "/".join(["/lab/tree", *notebooks[:1]])
c.LabApp.news_url = None
c.LabApp.app_settings_dir = c.JupyterNotebookApp.app_settings_dir = f"{course_lib.__path__[0]}/settings"
c.ContentsManager.pre_save_hook = before_saving
c.ContentsManager.hide_globs.append("*.cases.gz")  # which readers do not open
os.environ.setdefault("PYTHONSTARTUP", f"{course_lib.__path__[0]}/settings/startup.py")  # of the kernels
