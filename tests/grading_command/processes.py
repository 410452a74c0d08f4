"""The processes below a process, seen from outside."""

from pathlib import Path

SPINS = """import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True: pass
    os._exit(0)
os.wait()
"""
"""A cell whose grandchild leaves parent, group and session, and spins."""


def descendants(pid):
    """The ids, as text, of all processes below this one that have not been reaped."""
    try:
        lists = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except FileNotFoundError:  # it has just ended
        return []
    below = [child for children in lists for child in children]
    return [*below, *(further for child in below for further in descendants(child))]


def has_ended(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True
