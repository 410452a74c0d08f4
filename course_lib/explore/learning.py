"""Pictures for notebook 7: figures with an alternative text, the loop of AlphaZero, its network, and what it thinks."""

from collections.abc import Hashable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from course_lib.alphazero import board_of
from course_lib.explore.drawing import Picture
from course_lib.explore.picture import draw_position
from course_lib.games import ConnectFour, Game

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#666666"


def panels(
    alt: str, columns: int = 1, rows: int = 1, size: tuple[float, float] = (8.4, 3), **options: Any
) -> tuple[Picture, Any]:
    """A figure of 840 pixels or so, which `plt.show()` shows with the text `alt` for a screen reader, and its axes."""
    figure, axes = plt.subplots(rows, columns, FigureClass=Picture, figsize=size, layout="constrained", **options)
    figure.alt = alt
    return figure, axes


def show_planes(game: Game, state: Hashable, names: list[str]) -> None:
    """Show a board, and beside it the planes that the network sees."""
    rules = board_of(game)
    planes = rules.planes(rules.positions_of([state]))[0].reshape(-1, *rules.shape)
    alt = f"A board, and as planes of zeros and ones: {', '.join(names)}"
    _, axes = panels(alt, 1 + len(names), size=(1.68 * (1 + len(names)), 2.1))
    draw_position(axes[0], game, state, "board")
    for axis, plane, name in zip(axes[1:], planes, names):
        upright = plane if isinstance(game, ConnectFour) else plane[::-1]
        axis.pcolormesh(upright, cmap="Blues", vmin=0, vmax=1.4, edgecolors="#999")
        axis.set(aspect="equal", title=name)
    for axis in axes:
        axis.set(xticks=[], yticks=[])
    plt.show()


def show_loop() -> None:
    """Show the loop of AlphaZero: self-play makes examples, learning makes a network, and that one plays again."""
    alt = ("The loop of AlphaZero: the network guides a search, the search plays against itself, each position becomes "
           "an example (s, π, z), and the network learns from the examples")  # fmt: skip
    _, axis = _boxes(alt, 2.3)
    texts = "network\n(p, v)", "search (PUCT)\np → better π", "self-play\na move drawn from π", "examples\n(s, π, z)"
    for place, text in enumerate(texts):
        _box(axis, 1.05 + 2.1 * place, 1.5, text, (BLUE, GREEN, GREEN, ORANGE)[place])
        if place:
            _arrow(axis, (2.1 * place - 0.2, 1.5), (2.1 * place + 0.2, 1.5))
    axis.plot([7.35, 7.35, 1.05], [1.05, 0.5, 0.5], color=GREY)
    _arrow(axis, (1.05, 0.5), (1.05, 1.05))
    axis.text(
        4.2, 0.58, "learning: steps of Adam draw p to π and v to z; then all over again", ha="center", va="bottom"
    )
    plt.show()


def show_network(network: Any) -> None:
    """Show the layers of a network from the planes to its two heads, with the number of their weights."""
    _, axis = _boxes("The network: planes, a first layer, residual blocks whose output is added to their input, and "
                     "two heads, the policy p and the value v", 2.6)  # fmt: skip
    board, weights = network.board, {name: weight.size for name, weight in network.weights.items()}

    def count(*names):
        return f"{sum(size for name, size in weights.items() if name.startswith(names)):,} weights"

    _box(axis, 0.95, 1.3, f"{board.planes_count} planes\nof {board.cells} cells", GREY)
    _box(axis, 3.0, 1.3, f"first layer\n{network.width} units, relu\n{count('patch', 'first')}", BLUE)
    _box(axis, 5.15, 1.3, f"{network.blocks} residual blocks\n{count('block')}", BLUE)
    _box(axis, 7.4, 1.95, f"policy: logits,\nsoftmax → p\n{count('policy')}", GREEN)
    _box(axis, 7.4, 0.6, f"value: tanh → v\n{count('value')}", ORANGE)
    for start, end in (((1.8, 1.3), (2.15, 1.3)), ((3.85, 1.3), (4.25, 1.3)), ((6.1, 1.4), (6.5, 1.9)),
                       ((6.1, 1.2), (6.5, 0.7))):  # fmt: skip
        _arrow(axis, start, end)
    axis.annotate("", (5.9, 1.75), (4.4, 1.75), arrowprops={"arrowstyle": "->", "color": GREY,
                                                            "connectionstyle": "arc3,rad=-0.5"})  # fmt: skip
    axis.text(5.15, 2.25, "+ input", ha="center", color=GREY)
    plt.show()


def _boxes(alt, height):
    figure, axis = panels(alt, size=(8.4, height))
    axis.set(xlim=(0, 8.4), ylim=(0, height))
    axis.axis("off")
    return figure, axis


def _box(axis, x, y, text, colour):
    look = {"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": colour, "linewidth": 2}
    axis.text(x, y, text, ha="center", va="center", fontsize=10, bbox=look)


def _arrow(axis, start, end):
    axis.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": GREY, "linewidth": 1.5})


def show_thoughts(game: ConnectFour, states: list, thoughts: list[tuple]) -> None:
    """Show for each state of Connect Four and each moment of training what the network thought there.

    `thoughts` has (title, p, π, v) for each moment: p and π [states, columns], v [states] for the player to move.
    """
    alt = "For each position (row) and moment of training (column): p and π of each column as bars, and v"
    _, grid = panels(alt, 1 + len(thoughts), len(states), (8.4, 1.75 * len(states)), squeeze=False)
    for row, (axes, state) in enumerate(zip(grid, states)):
        draw_position(axes[0], game, state, f"{'XO'[game.to_move(state)]} to move")
        axes[0].axis("off")
        for axis, (title, p, pi, v) in zip(axes[1:], thoughts):
            columns = np.arange(game.columns)
            axis.bar(columns - 0.2, p[row], 0.4, color=BLUE, label="p")
            axis.bar(columns + 0.2, pi[row], 0.4, color=ORANGE, label="π")
            axis.set(ylim=(0, 1.05), xticks=columns, yticks=[], title=f"{title}: v = {v[row]:+.2f}")
            axis.title.set_fontsize(10)
    grid[0][1].legend(fontsize=9)
    plt.show()
