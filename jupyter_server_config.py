# For `jupyter lab --config=jupyter_server_config.py`, and on Binder by postBuild: JupyterLab opens the first notebook,
# a notebook that you save shows pictures of its boards and trees when it is opened again without its kernel, and nobody
# is asked about news (course_lib/settings holds the answer).
c = get_config()  # noqa: F821
c.LabApp.default_url = c.JupyterNotebookApp.default_url = "/lab/tree/notebooks/01_game_formalism.ipynb"
c.LabApp.news_url = None

try:
    import course_lib
    from course_lib.saving import before_saving
except ImportError:  # another Python runs JupyterLab: it saves what it always saves
    pass
else:
    c.ContentsManager.pre_save_hook = before_saving
    c.LabApp.app_settings_dir = c.JupyterNotebookApp.app_settings_dir = f"{course_lib.__path__[0]}/settings"
