"""A board to play on with clicks or keys, against any agent; and the value of each move."""

from collections.abc import Callable
from time import process_time
from typing import Any

import anywidget
import traitlets

from course_lib.explore.bundle import StillWidget, script
from course_lib.explore.picture import side_by_side
from course_lib.games import CHANCE, MAX, MIN, Game, Search, player_name
from course_lib.games.game import Action, Agent, State
from course_lib.games.playing import sample_outcome
from course_lib.games.randomness import RandomSource, Seed, random_source
from course_lib.games.texts import number_text
from course_lib.games.validation import as_game, check_agent, check_function, check_two_players, first_state
from course_lib.language import N_, gettext, numbers_in, translated
from course_lib.search import depth_limited_alpha_beta_search, expectiminimax_search
from course_lib.search.validation import estimate_0

CAUGHT = Exception, KeyboardInterrupt, SystemExit
"""The reader's own functions may raise these without ending the game."""
MAZE = {"#": N_("wall"), "P": "Pac-Man", "o": N_("pellet"), "X": N_("Pac-Man, caught"), "A": N_("ghost A")}
MAZE |= {"B": N_("ghost B"), "a": N_("ghost A on a pellet"), "b": N_("ghost B on a pellet")}
MARKS = {"discs": {"X": N_("filled disc"), "O": N_("ring")}, "heaps": {"o": N_("object")}, "maze": MAZE}
"""Style of a board → the names of its marks."""
MAX_SECONDS = 0.2
"""The search goes one ply deeper if this is expected to take less time."""
MAX_PLIES = 100
"""The maximum depth of the search."""


def board(
    game: Any,
    opponent: Agent | None = None,
    human: int = MAX,
    *,
    state: State = None,
    search: Search | None = None,
    seed: Seed = None,
) -> "Board":
    """A `Board` on which you play `game` by clicking, or with the arrow keys and Enter.

    `opponent` is an agent `agent(game, state) → action`, or None for two people at one board;
    `human` is the number of your player. *Show values* shows the value of each legal move for Max, which
    `search(game, state) → (value, action)` computes (None: expectiminimax, to the end of small games and to a depth of
    a few plies in others). Play begins at `state`; `seed` is for chance. An error of the opponent is shown below the
    board, and you can play on. If the opponent is a network, such as `course_lib.alphazero.load("connect_four")`, its
    analysis of your moves is shown instead of values.
    """
    game = as_game(game)
    if opponent is not None:
        check_agent(opponent)
    if search is not None:
        check_function("search(game, state) → (value, action)", search)
    if human not in list(range(game.players)):
        raise ValueError(f"human must be the number of your player, one of {list(range(game.players))}, not {human!r}")
    return Board(game, opponent, human, first_state(game, state), search, random_source(seed))


class Board(StillWidget, anywidget.AnyWidget):
    """What `board` returns; `states` and `actions` are the game so far. board.js draws `view`, without any rules."""

    page_name = "board"
    _esm = property(lambda _: script("board.js"))
    view = traitlets.Dict().tag(sync=True)

    def __init__(
        self, game: Game, opponent: Agent | None, human: int, start: State, search: Search | None, rng: RandomSource
    ) -> None:
        self.game, self.opponent, self.human, self.search = game, opponent, human, search
        self.values, self._analyze = False, getattr(opponent, "analysis", None)
        self._start, self._rng = start, rng
        self.new_game()
        super().__init__()  # sends `view`: on a slow page, a later change would be drawn late
        self.on_msg(self._receive)

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[-1]

    # The actions of the reader; each of these redraws the board.

    def new_game(self) -> None:
        """Start a new game."""
        self.states, self.actions = [self._start], []
        self._play_on()

    def swap_sides(self) -> None:
        """Play the opponent's side in a new game, which it begins if you began before."""
        self.human = MIN if self.human == MAX else MAX
        self.new_game()

    def click(self, row: int, column: int) -> None:
        """Click on a cell of the grid, counted from 0 at the top left."""
        self.choose(self.game.action_at(self.state, row, column))

    def choose(self, action: Action) -> None:
        """Play this action, then the opponent's."""
        if action not in self._legal():
            words = N_("There is no legal move there.") if self._legal() else N_("The game is over.")
            return self._draw(gettext(words))
        self._advance(action)
        self._play_on()

    def undo(self) -> None:
        """Take back your last move and all later ones."""
        mine = [i for i, state in enumerate(self.states[:-1]) if self.game.to_move(state) in self._human_players()]
        if not mine:
            return self._draw(gettext("You have no move to take back."))
        del self.states[mine[-1] + 1 :], self.actions[mine[-1] :]
        self._draw()

    def show_values(self) -> None:
        """Show or hide the value of each legal move, or its analysis by a network that is the opponent."""
        self.values = not self.values
        self._draw(self.view["message"])

    # The game.

    def _human_players(self):
        """The players that the reader controls."""
        return range(self.game.players) if self.opponent is None else (self.human,)

    def _advance(self, action):
        self.states.append(self.game.result(self.state, action))
        self.actions.append(action)

    def _play_on(self) -> None:
        """Play for chance and the opponent until it is the reader's turn, or the game is over."""
        sentences, error = [], ""
        while not error and not self.game.is_terminal(self.state):
            player = self.game.to_move(self.state)
            if player == CHANCE:
                self._advance(sample_outcome(self.game, self.state, self._rng))
                sentences.append(gettext("Chance: {outcome}.", outcome=self.actions[-1]))
            elif player in self._human_players():
                break
            else:
                self._draw(" ".join(sentences), thinking=True)
                error = self._opponent_move()
        self._draw(" ".join([*sentences, error]).strip())

    def _opponent_move(self):
        """Play the opponent's move; return a sentence about its mistake, or "" if the move was legal."""
        try:
            action = self.opponent(self.game, self.state)
            if action in self.game.actions(self.state):
                self._advance(action)
                return ""
            mistake = gettext("The opponent chose {action!r}, which is not legal.", action=action)
        except CAUGHT as error:
            name, words = type(error).__name__, N_("The opponent failed with {name}: {error}.")
            mistake = gettext(words, name=name, error=translated(str(error)))
        return f"{mistake} {gettext('Move in its place, or take back your move.')}"

    def _legal(self):
        """The legal actions; none if the game is over."""
        return () if self.game.is_terminal(self.state) else tuple(self.game.actions(self.state))

    def _advise(self):
        """(the `Advice` or `NetworkAdvice` on this state, ""), or (None, the reason why there is none)."""
        try:
            advice = NetworkAdvice if self._analyze else Advice
            return advice(self.game, self.state, self._analyze or self.search), ""
        except CAUGHT as error:
            name, words = type(error).__name__, N_("No values: the search failed with {name}: {error}")
            words = N_("No analysis: the network failed with {name}: {error}") if self._analyze else words
            return None, gettext(words, name=name, error=translated(str(error)))

    # What is drawn.

    def _draw(self, message="", thinking=False):
        """Set `view`, with a `message` besides the status."""
        state, legal = self.state, () if thinking else self._legal()
        advice, problem = self._advise() if legal and self.values else (None, "")
        grid, lines = self.game.grid(state), translated(self.game.render(state)).splitlines()
        cells = self._cells(grid, legal, advice) if grid else []
        on_grid = {cell["action"] for cell in cells}
        moves = [self._move(a, advice) | {"at": at} for at, a in enumerate(legal) if at not in on_grid]
        for move in moves:
            named = gettext("action {action}", action=move["name"])
            move["label"] = _joined(named, move.get("description"))
        self.view = {
            "style": self.game.board_style,
            "columns": len(grid[0]) if grid else 0,
            "cells": cells,
            "text": "\n".join(lines if not grid else lines[-1:] if self.game.board_style == "maze" else []),
            "moves": moves,
            "status": self._status(thinking),
            "message": message,
            "caption": problem or (advice.caption() if advice else ""),
            "analysis": isinstance(advice, NetworkAdvice),
            "buttons": self._buttons(),
            "ply": len(self.states),
        }

    def _cells(self, grid, legal, advice):
        """Each cell of the grid: its mark, the move of a click on it, and the cells that this move changes."""
        state, marks = self.state, {".": N_("empty")} | MARKS.get(self.game.board_style, {})
        last = changes(self.game.grid(self.states[-2]), grid) if len(self.states) > 1 else []
        after = [changes(grid, self.game.grid(self.game.result(state, action))) for action in legal]
        won = winning_cells(grid, self.game.line_length)
        cells = []
        for place, mark in enumerate("".join(grid)):
            row, column = divmod(place, len(grid[0]))
            action = self.game.action_at(state, row, column) if legal else None
            at = legal.index(action) if action in legal else None
            cell = {"mark": mark, "action": at, "last": place in last, "won": place in won, "changes": []}
            if at is not None:
                cell["changes"] = after[at]
                cell |= self._move(action, advice) if place in after[at] else {}
            words, shown = N_("row {row}, column {column}, {mark}"), gettext(marks.get(mark, mark))
            named = gettext(words, row=row + 1, column=column + 1, mark=shown)
            notes = cell["last"] and gettext("last move"), cell["won"] and gettext("in the winning line")
            cell["label"] = _joined(named, cell.get("spoken"), cell.get("description"), *notes)
            cells.append(cell)
        return cells

    def _move(self, action, advice):
        """The label of a legal move: its name and the advice, if any."""
        named = {"name": str(action), "spoken": gettext("move {action}", action=action)}
        if self.game.board_style == "heaps":
            heap, count = action
            spoken = gettext("take {count} from heap {heap}", count=count, heap=heap)
            named = {"name": gettext("take {count}", count=count), "spoken": spoken}
        return named if advice is None else named | advice.label(action)

    def _buttons(self):
        """For each button: the method that it calls, its label, and whether it is pressed (None: not a toggle)."""
        show = gettext("Show analysis") if self._analyze else gettext("Show values")
        buttons = [("undo", gettext("Undo"), None), ("new_game", gettext("New game"), None)]
        buttons.append(("show_values", show, self.values))
        if self.opponent and self.game.players == 2:
            buttons.insert(2, ("swap_sides", gettext("Swap sides"), None))
        return buttons

    def _receive(self, _, message, buffers):
        """Handle a click, unless the position has changed since."""
        do, at = message["do"], message.get("at")
        if do in (name for name, *_ in self._buttons()):
            getattr(self, do)()
        elif message["ply"] == self.view["ply"]:
            self.click(*divmod(at, self.view["columns"])) if do == "cell" else self.choose(self._legal()[at])

    def _player_text(self, player):
        """ "Max (X)", or "Max (X, the filled discs)": a player with its marks."""
        name = translated(player_name(player, self.game.players)).capitalize()
        return f"{name} ({translated(self.game.player_marks[player])})" if self.game.player_marks else name

    def _status(self, thinking):
        """Whose turn it is, or who has won."""
        if self.game.is_terminal(self.state):
            return self._outcome(self.state)
        player = self._player_text(self.game.to_move(self.state))
        if thinking:
            return gettext("{player} is thinking …", player=player)
        yours = self.opponent and self.game.to_move(self.state) == self.human
        return gettext(N_("{player} to move: your turn.") if yours else N_("{player} to move."), player=player)

    def _outcome(self, state):
        utilities = [self.game.utility(state, player) for player in range(self.game.players)]
        if hasattr(self.game, "nodes") or sorted(utilities) not in ([-1, 1], [0, 0]):
            names = [translated(player_name(player, len(utilities))) for player in range(len(utilities))]
            results = [gettext("{value} for {player}", value=number_text(utility), player=name)
                       for name, utility in zip(names, utilities)]  # fmt: skip
            return gettext("The end: {results}.", results=", ".join(results))
        if utilities[MAX] == 0:
            return gettext("A draw.")
        winner = MAX if utilities[MAX] > 0 else MIN
        if self.opponent is None:
            return gettext("{player} wins.", player=self._player_text(winner))
        words = N_("You win, as {player}.") if winner == self.human else N_("{player} wins: you have lost.")
        return gettext(words, player=self._player_text(winner))

    def __repr__(self) -> str:
        return f"board({self.game!r}): {self.view['status']}"

    def _picture(self):
        return side_by_side(self.game, {self.view["status"].removesuffix("."): self.state})


def _joined(*parts):
    """What is not empty of a description for screen readers."""
    return ", ".join(filter(None, parts))


def changes(before: list[str], after: list[str]) -> list[int]:
    """The cells (counted along the rows) in which two grids differ."""
    return [place for place, (a, b) in enumerate(zip("".join(before), "".join(after))) if a != b]


def winning_cells(grid: list[str], length: int) -> set[int]:
    """The cells, counted along the rows, of each line of `length` equal marks."""
    marks = {(r, c): mark for r, row in enumerate(grid) for c, mark in enumerate(row) if length and mark != "."}
    lines = [[(r + k * down, c + k * right) for k in range(length)]
             for r, c in marks for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))]  # fmt: skip
    won = [line for line in lines if len({marks.get(cell) for cell in line}) == 1]
    return {r * len(grid[0]) + c for line in won for r, c in line}


# What moves are worth.


class Advice:
    """The value for Max of each action in `state`, and a sentence about these values.

    `search(game, state) → (value, action)` computes them. Without it, alpha-beta or expectiminimax does: to the end of
    small games, and to a depth of a few `plies` in others, with the `score` of the game, or the estimate 0.
    """

    def __init__(self, game: Game, state: State, search: Search | None = None) -> None:
        self.game, self.state, self.search = check_two_players(game, "the value of a move"), state, search
        self.plies, self.exact = 0, False
        self.values = self._deepen() if search is None else self._values(search)
        best_value = (max if game.to_move(state) == MAX else min)(self.values.values())
        self.best = [action for action, value in self.values.items() if value == best_value]
        self.differ = len(self.best) < len(self.values)

    def _values(self, search, *options):
        """The value of each action, by this search."""
        after = {action: self.game.result(self.state, action) for action in self.game.actions(self.state)}
        return {action: search(self.game, state, *options)[0] for action, state in after.items()}

    def _deepen(self):
        """The values by iterative deepening, to the end of the game or until the next ply takes too long."""
        has_chance = getattr(self.game.chances, "__func__", None) is not Game.chances
        search = expectiminimax_search if has_chance else depth_limited_alpha_beta_search
        estimate = getattr(self.game, "score", estimate_0)

        def at_horizon(state):
            self.exact = False
            return estimate(state)

        values, spent = {}, 0.0
        while not self.exact and self.plies < MAX_PLIES:
            self.plies, self.exact, before, began = self.plies + 1, True, spent, process_time()
            values = self._values(search, self.plies - 1, at_horizon)
            spent = process_time() - began
            if spent * spent > MAX_SECONDS * max(before, 0.001):
                break
        return values

    def label(self, action: Action) -> dict:
        """What the board shows for an action: its value, and a description for screen readers."""
        value, best = number_text(self.values[action]), self.differ and action in self.best
        description = gettext("worth {value} to Max", value=value) + (gettext(", best") if best else "")
        return {"value": value, "best": best, "description": description}

    def caption(self) -> str:
        """A sentence about the meaning and the source of the values."""
        if self.search is not None:
            source = gettext("computed by {search}", search=getattr(self.search, "__name__", gettext("your search")))
        elif self.exact:
            source = gettext("with best play to the end")
        else:
            source = gettext("searched {count} plies deep", count=self.plies)
        player = translated(player_name(self.game.to_move(self.state))).capitalize()
        best = " " + gettext("Underlined: best for {player}.", player=player) if self.differ else ""
        return gettext("Numbers: the value of a move for Max, {source}.", source=source) + best


class NetworkAdvice:
    """The evaluation of `state` by a network, with the methods of `Advice`.

    `analysis(game, state)` → `course_lib.alphazero.agents.Analysis` is the `analysis` of a `network_agent`.
    """

    def __init__(self, game: Game, state: State, analysis: Callable[[Game, State], Any]) -> None:
        self.analysis = analysis(game, state)

    def label(self, action: Action) -> dict:
        """What the board shows for an action: p and N, and a description for screen readers."""
        prior, visits = numbers_in(f"{self.analysis.prior[action]:.2f}"), self.analysis.visits.get(action)
        best, value, description = action == self.analysis.line[0], f"p {prior}", gettext("p is {prior}", prior=prior)
        if visits is not None:
            value = f"{value}\nN {visits}"
            description = gettext("p is {prior}, N is {visits}", prior=prior, visits=visits)
        return {"value": value, "best": best, "description": description + (gettext(", chosen") if best else "")}

    def caption(self, max_actions: int = 8) -> str:
        """Sentences about the numbers, the result of the search, and the principal variation."""
        line = ", ".join(map(str, self.analysis.line[:max_actions]))
        words = N_("p: the network's prior. Its value v for Max is {value}.")
        text = gettext(words, value=number_text(round(self.analysis.v, 2)))
        if not self.analysis.visits:
            return f"{text} {gettext('Underlined: the largest p. There is no search.')}"
        words = N_("N: visits in {count} simulations, value {value}. Underlined: its choice. Expected next: {line}.")
        found, count = number_text(round(self.analysis.value, 2)), sum(self.analysis.visits.values())
        return f"{text} {gettext(words, count=count, value=found, line=line)}"
