# For `jupyter lab --config=jupyter_server_config.py`: a notebook that you save shows pictures of its boards and trees
# when it is opened again without its kernel, and nobody is asked about news.
c = get_config()  # noqa: F821
c.LabApp.news_url = None

try:
    from course_lib.notebooks import before_saving
except ImportError:  # another Python runs JupyterLab: it saves what it always saves
    pass
else:
    c.ContentsManager.pre_save_hook = before_saving
