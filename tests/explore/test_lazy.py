"""What is heavy is loaded when it is used: `import course_lib.explore` works where it is missing."""

import subprocess
import sys

HEAVY = "numpy", "matplotlib", "autograd", "hypothesis", "networkx", "chess"
WITHOUT = f"""
import sys

class Missing:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in {HEAVY}:
            raise ModuleNotFoundError(f"{{name}} is not installed", name=name)

sys.meta_path.insert(0, Missing)
from course_lib.explore import *
from course_lib.games import TreeGame
from course_lib.search import monte_carlo_tree_search

tree = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
"""


def run(code):
    done = subprocess.run([sys.executable, "-c", WITHOUT + code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


SHOWN = {
    "explore(tree)": "Explorer(TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))",
    "watch_mcts(monte_carlo_tree_search, tree, iterations=7, bounds=(-14, 14)).steps": "28",
    "board(tree)": "board(TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])): Max to move.",
    "predict('One or two?', 'one', 'two', right=1, because='it is')": "One or two?\n1. one\n2. two",
}


def test_widgets_are_made_without_the_heavy_packages():
    assert run("\n".join(f"print({code})" for code in SHOWN)) == "\n".join(SHOWN.values())
