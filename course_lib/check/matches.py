"""Matches of Connect Four that a student must win, and what is said of one that was lost.

The case is (the number of openings, the share of the points to be reached). An answer is a `Score`, or what was wrong:
the state, what was returned for it, and what was asked for.
"""

import random
from contextlib import suppress
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from course_lib.check.compare import Bug, shown
from course_lib.check.question import Direct, StudentError
from course_lib.check.report import board_picture
from course_lib.check.watchdog import TooLong
from course_lib.games import MAX, MIN, ConnectFour, play
from course_lib.search import depth_limited_alpha_beta_search
from course_lib.search.evaluation import points

GAME, PLIES, SEEN, FURTHER = ConnectFour(), 2, 4, 6
"""The game, how far both sides of the first match look, and how far a lost game is looked into."""
SIGN, MOVER, NO_OPINION = "the sign is turned", "the view of the player to move", "no opinion"
SENTENCES = {
    SIGN: "With −f in place of your f, four games that were tried bring enough points: perhaps f is large where O is "
    "better. Evaluate for Max, who plays X.",
    MOVER: "With the sign of f turned where Min is to move, four games that were tried bring enough points: perhaps f "
    "speaks for the player to move. Evaluate for Max, whoever is to move.",
    NO_OPINION: "It says the same of every position that came up.",
}


class Unfit(Exception):
    """An answer with which the match cannot go on."""


class Probe(NamedTuple):
    """A position in which one column is right, and what it means to play another."""

    words: str
    state: tuple
    column: int


class Score(NamedTuple):
    """The share of the points, and the points as X and as O, each of `games` / 2; the states of the first lost game.

    `own` is the player who lost it. `missed` are the probes that were not passed, `found` the names of what was found.
    """

    share: float
    by_colour: tuple = (0, 0)
    games: int = 0
    lost: tuple = ()
    own: int = MAX
    missed: tuple = ()
    found: tuple = ()

    @property
    def turn(self):
        """The `turning_point` of the first lost game, or None."""
        return turning_point(self.lost, self.own) if self.lost else None


def after(*columns):
    state = GAME.initial_state()
    for column in columns:
        state = GAME.result(state, column)
    return state


PROBES = (
    Probe("As X it does not take a win in one.", after(3, 0, 3, 0, 3, 1), 3),
    Probe("As O it does not take a win in one.", after(3, 0, 2, 0, 6, 0, 1), 0),
    Probe("As X it does not stop O's win in one.", after(3, 0, 2, 0, 6, 0), 0),
    Probe("As O it does not stop X's win in one.", after(3, 0, 3, 0, 3), 3),
)


@lru_cache
def openings(count, plies=4, seed=5):
    """So many states after random moves."""
    luck, states = random.Random(seed), []
    for _ in range(count):
        state = GAME.initial_state()
        for _ in range(plies):
            state = GAME.result(state, luck.choice(GAME.actions(state)))
        states.append(state)
    return tuple(states)


def score(agent, rival, count):
    """The agent's `Score` when each opening is played with both colours."""
    won, lost, over = [0, 0], (), 0
    try:
        for state, own in product(openings(count), (MAX, MIN)):
            record = play(GAME, [agent, rival] if own == MAX else [rival, agent], state)
            gained = points(record.utilities) if own == MAX else 1 - points(record.utilities)
            won[own] += gained
            over += 1
            lost = lost or ((record.states, own) if gained == 0 else ())
    except TooLong as stopped:
        stopped.add_note(f"{over} of {2 * count} games were over then: a move may take less time.")
        raise
    states, own = lost or ((), MAX)
    return Score(sum(won) / (2 * count), tuple(won), 2 * count, states, own)


def careful_order(game, state):
    """What wins at once, then what does not let the other win at once; from the centre outwards."""

    def key(action):
        after = game.result(state, action)
        lets_win = any(game.is_terminal(game.result(after, reply)) for reply in game.actions(after))
        return not game.is_terminal(after), lets_win, abs(action - 3)

    return sorted(game.actions(state), key=key)


def careful(game, state):
    """The rival: it wins at once, else stops the other from winning at once, else plays near the centre."""
    return careful_order(game, state)[0]


@lru_cache
def turning_point(states, own):
    """(number, played, better) of the choice in a lost game after which every move lost; None if none is seen.

    `number` is that of the state, `better` an action after which no loss is seen `FURTHER` plies ahead.
    """
    for number in reversed(range(len(states) - 1)):
        if GAME.to_move(states[number]) == own:
            below = {action: GAME.result(states[number], action) for action in GAME.actions(states[number])}
            safe = {action: state for action, state in below.items() if not is_lost(state, own, SEEN)}
            played = next(action for action, state in below.items() if state == states[number + 1])
            better = [action for action in safe if action != played and not is_lost(safe[action], own, FURTHER)]
            if safe:
                return (number, played, better[0]) if better else None
    return None


def is_lost(state, own, plies):
    """Whether the other player can force a win in so many plies."""
    value, _ = depth_limited_alpha_beta_search(GAME, state, plies, lambda state: 0)
    return value < 0 if own == MAX else value > 0


def is_enough(given, mark):
    """Whether a `Score` reaches this share of the points, and half of them with each colour."""
    return given.share >= mark and 4 * min(given.by_colour) >= given.games


def too_few_points(case, expected, given):
    """Compare: enough points, or what is known of why they are not."""
    _, mark = case
    if not isinstance(given, Score):
        _, answer, wanted = given
        return f"The match cannot go on with {shown(answer)} for the position that is drawn: {wanted}."
    if is_enough(given, mark):
        return None
    x, o = given.by_colour
    words = (f"You get {given.share:.0%} of the points; the mark is {mark:.0%}, and half of them with each colour. "
             f"As X you get {x:g} of {given.games // 2}, as O {o:g}.")  # fmt: skip
    words = " ".join([words, *(probe.words for probe in given.missed)])
    if given.turn:
        _, played, better = given.turn
        words += (f" The first game that you lost was lost with column {played}; after column {better} no loss is seen "
                  f"{FURTHER} plies ahead.")  # fmt: skip
    if given.found:
        return Bug(" or ".join(given.found), " ".join([*map(SENTENCES.get, given.found), words]))
    return words


def positions_drawn(case, given):
    """Where the first lost game was lost, and its end; or the position whose answer did not fit."""
    drawn = {}
    if not isinstance(given, Score):
        drawn = {} if given is None else {"the position: {}": tuple(given[0])}
    elif given.missed:
        drawn = {f"{given.missed[0].words} {{}}": given.missed[0].state}
    elif given.lost:
        if given.turn:
            number, played, better = given.turn
            drawn[f"here you played column {played}, and column {better} was better: {{}}"] = given.lost[number]
        drawn["its end"] = given.lost[-1]
    whose = {MAX: "X, the full discs, to move", MIN: "O, the hollow discs, to move"}
    return [(caption.format(whose[GAME.to_move(state)]), board_picture(GAME.grid(state), discs=True))
            for caption, state in drawn.items()]  # fmt: skip


def last_choice(function, failure):
    """The state in which a lost game was lost, or in which the match could not go on; or None."""
    question, given, student = failure.question, failure.given, Direct(function)
    if failure.error is not None:
        with suppress(StudentError):
            question.ask(student, question.name, failure.case)
            return None
        return student.arguments[-1] if student.arguments else None
    if not isinstance(given, Score):
        return tuple(given[0])
    return given.lost[given.turn[0] if given.turn else -3] if given.lost else None
