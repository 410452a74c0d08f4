"""A plain page, without a kernel, for each widget of `WIDGETS`."""

import json
from base64 import b64encode

from course_lib.alphazero import puct_search
from course_lib.explore import board, explore, practice, predict, watch, watch_mcts
from course_lib.explore.bundle import script
from course_lib.games import Chance, Nim, TicTacToe, TreeGame
from course_lib.search import (
    alpha_beta_search,
    expectiminimax_search,
    max_n_search,
    minimax_search,
    monte_carlo_tree_search,
)

LUCK = TreeGame([Chance([(0.5, [1, 2]), (0.5, 3)]), [4, Chance([(0.25, 8), (0.75, 0)])]])
THREE = TreeGame([[(1, 2, 3), (4, 5, 6)], [(7, 8, 9)]], players=3)
SMALL = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
PAGE = """<!doctype html><meta charset="utf-8"><title>{name}</title>
<body data-jp-theme-light="true"><div id="widget"></div>
<script>
const load = text => import(URL.createObjectURL(new Blob([text], {{ type: "text/javascript" }})));
window.ready = Promise.all([load({model}), load({esm})]).then(([{{ PageModel, parse }}, widget]) => {{
  window.host = new PageModel(parse({state}));
  widget.default.render({{ model: window.host, el: document.getElementById("widget") }});
}});
</script>"""
WIDGETS = {
    "alpha-beta": lambda: explore(watch(alpha_beta_search, SMALL), step=19).tree,
    "predict": lambda: explore(watch(minimax_search, SMALL), predict="value", step=8).tree,
    "chance": lambda: explore(watch(expectiminimax_search, LUCK), step=14).tree,
    "three": lambda: explore(watch(max_n_search, THREE), step=9).tree,
    "game": lambda: explore(Nim([1, 2])).tree,
    "practice": lambda: practice("minimax", 1, seed=4).tree,
    "practice-cuts": lambda: practice("alpha-beta", 2, seed=4).tree,
    "mcts": lambda: explore(watch_mcts(monte_carlo_tree_search, TicTacToe(), iterations=60, seed=1), step=160).tree,
    "puct": lambda: explore(
        watch_mcts(
            puct_search, TicTacToe(), TicTacToe().parse("X.. .O. ..X"), iterations=60, formula="puct", evaluate=corner
        ),
        step=131,
    ).tree,
    "board": lambda: board(TicTacToe()),
    "choice": lambda: predict("Which?", ("this", "It is not."), "that", "none", right=2, because="It is."),
}  # fmt: skip


def corner(state):
    """A policy that likes the cell 2, and the value 0."""
    weights = {action: 8 if action == 2 else 1 for action in TicTacToe().actions(state)}
    return {action: weight / sum(weights.values()) for action, weight in weights.items()}, 0.0


def page(widget):
    """The text of a page with this widget."""

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        return {"base64": b64encode(value).decode()} if isinstance(value, bytes) else value

    def text(of):
        return json.dumps(of).replace("</", "<\\/")

    state = {name: plain(value) for name, value in widget.get_state().items() if not name.startswith(("_", "layout"))}
    state.pop("tabbable", None), state.pop("tooltip", None)
    return PAGE.format(name=widget.__class__.__name__, state=text(json.dumps(state, default=str)),
                       esm=text(widget._esm), model=text(script("page_model.js")))  # fmt: skip
