"""How fast alpha-beta is beside OpenSpiel's, how fast Connect Four is solved, and how well agents keep their time.

`python tests/benchmarks/side_by_side.py` runs the comparisons (`rows`); the rest by hand:

python tests/benchmarks/bench_alpha_beta.py solve [file …]   (files of positions; without any, those of tests/data)
python tests/benchmarks/bench_alpha_beta.py clock [calls]    (200 calls take two minutes)
"""

import sys
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep

from interleave import interleave, rows_of

from course_lib.games import MAX, ConnectFour, TicTacToe
from course_lib.search import (
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    solve,
    table_search,
    time_limited_agent,
)
from course_lib.search.evaluation import open_threes, squashed

DATA = Path(__file__).parents[1] / "data"
THREE, FOUR = TicTacToe(), ConnectFour()


def races():
    """(what, our game, our search of a game, OpenSpiel's search): both go through the same nodes."""
    from open_spiel.python.algorithms import minimax
    from pyspiel import load_game

    their_three, their_four = load_game("tic_tac_toe"), load_game("connect_four")
    yield (
        "tic-tac-toe to its end",
        THREE,
        lambda game: alpha_beta_search(game, game.initial_state()),
        lambda: minimax.alpha_beta_search(their_three),
    )
    yield (
        "Connect Four to depth 8",
        FOUR,
        lambda game: depth_limited_alpha_beta_search(game, game.initial_state(), 8),
        lambda: minimax.alpha_beta_search(their_four, value_function=lambda state: 0, maximum_depth=8),
    )


def rows(rounds):
    for what, game, ours, theirs in races():
        times = interleave({"ours": partial(ours, game), "OpenSpiel minimax.alpha_beta_search": theirs}, rounds)
        yield from rows_of(f"alpha-beta, {what}", times)
    easy = {"ours": lambda: alpha_beta_search(THREE, THREE.initial_state()), "easyAI Negamax": easy_ai()}
    yield from rows_of("alpha-beta, tic-tac-toe to its end", interleave(easy, rounds))


def easy_ai():
    """easyAI's Negamax on its own tic-tac-toe: it prefers quick wins, so it looks at 20,866 nodes, not 18,297."""
    from easyAI import Human_Player, Negamax
    from easyAI.games import TicTacToe

    search = Negamax(9)
    return lambda: search(TicTacToe([Human_Player(), Human_Player()]))


def solving(*paths):
    """The CPU time to solve published positions, by plies played; every answer is checked."""
    by_plies = {}
    for path in paths or sorted(DATA.glob("Test_*")):
        for line in path.read_text().splitlines():
            columns, score = line.split()
            state, score = FOUR.after(*(int(column) - 1 for column in columns)), int(score)
            plies = 42 - "".join(FOUR.grid(state)).count(".")
            by_plies.setdefault(plies, []).append((state, score))
    for plies, positions in sorted(by_plies.items()):
        if plies >= 24:
            wrong = sum(solve(FOUR, state) != score for state, score in positions)
            wrong += sum(outcome(state) != (score > 0) - (score < 0) for state, score in positions)
            print(f"{plies} plies played: {len(positions)} positions, {wrong} wrong; "
                  f"score {times(lambda state: solve(FOUR, state), positions)}; "
                  f"win, draw or loss {times(outcome, positions)}")  # fmt: skip


def outcome(state):
    """+1, 0 or −1 for the player to move, by the search for any game."""
    value, _ = table_search(FOUR, state, order=from_the_middle)
    return value if FOUR.to_move(state) == MAX else -value


def from_the_middle(state):
    return sorted(FOUR.actions(state), key=lambda column: abs(column - 3))


def times(search, positions):
    spent = []
    for state, _ in positions:
        start = process_time()
        search(state)
        spent.append((process_time() - start) * 1e3)
    return f"median {median(spent):.1f} ms, longest {max(spent):.0f} ms"


def clock(calls=200):
    """By how much agents overrun, and beside them a loop that does nothing but watch the clock: the machine's noise."""
    state = FOUR.after(3, 3, 2)
    for seconds in 0.01, 0.05, 0.2:
        agent = time_limited_agent(seconds, squashed(open_threes), from_the_middle)
        overruns = {"agent": [], "noise": []}
        for _ in range(int(calls)):
            for name, run in ("agent", lambda: agent(FOUR, state)), ("noise", lambda: watch_the_clock(seconds)):  # noqa: B023
                sleep(
                    seconds / 5
                )  # under `chrt`, which keeps other programs away, who never rests is stopped for a while
                start = perf_counter()
                run()
                overruns[name].append((perf_counter() - start - seconds) * 1e3)
        for name, over in overruns.items():
            over.sort()
            print(f"{seconds * 1e3:3.0f} ms, {calls} calls, {name}: overrun median {median(over):.3f} ms, "
                  f"19 of 20 below {over[19 * len(over) // 20]:.3f} ms, most {over[-1]:.3f} ms")  # fmt: skip


def watch_the_clock(seconds):
    end = perf_counter() + seconds
    while perf_counter() < end:
        pass


if __name__ == "__main__":
    what, *arguments = sys.argv[1:] or ["clock"]
    {"solve": solving, "clock": clock}[what](*arguments)
