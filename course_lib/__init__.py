"""The course on planning in games: games, searches, explorers and checks."""

import sys
import time

if sys.platform == "emscripten":  # a browser's Python: no clock of a thread, and the process's fails after 36 minutes
    time.process_time = time.thread_time = time.perf_counter
