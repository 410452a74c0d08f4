"""What `check_game_rules` says of games that break one rule each."""

import pytest

from course_lib.games import CHANCE, MAX, Chance, TreeGame, check_game_rules
from made_up_games import Countdown


class Mutable(list):
    """A state that can be hashed, and changed."""

    __hash__ = lambda self: 1  # noqa: E731


def changing(state, action):
    state[1] -= action
    return Mutable([1 - state[0], state[1]])


def turned(state, number):
    """The actions, the other way round if `number` is odd."""
    return tuple(range(1, min(2, state[1]) + 1))[:: (-1) ** number]


def going_on(state, action):
    """It refuses what is not legal, but only before the end."""
    return (1 - state[0], state[1] - action) if state[1] == 0 else Countdown().result(state, action)


def starting():
    played.append(None)
    return MAX, 4


numbers, played = iter(range(1000)), []
BROKEN = [
    ({"initial_state": lambda: [MAX, 4]}, "a hashable state, got unhashable type: 'list' .* use tuples"),
    (
        {"initial_state": lambda: Mutable([MAX, 4]), "result": changing},
        "the answers .* each time, .*let no state change",
    ),
    ({"actions": lambda state: turned(state, next(numbers))}, "the answers .* each time"),
    ({"initial_state": starting, "actions": lambda state: turned(state, len(played))}, "the answers .* each time"),
    (
        {"result": lambda state, action: {1: (0, 0)}[action]},
        r"a state from result\(state, 2\), got KeyError.*fix actions",
    ),
    ({"actions": lambda state: ([1],)}, "hashable actions, got unhashable type: 'list'"),
    ({"actions": lambda state: (1, 1)}, r"each action once, got \[1, 1\]"),
    ({"actions": lambda state: (1, 2), "is_terminal": lambda state: True}, "no actions when the game is over, got"),
    ({"actions": lambda state: ()}, r"actions, since the game is not over, got \[\]"),
    (
        {"result": lambda state, action: (1 - state[0], state[1] - (action or 1))},
        r"ValueError from result\(state, None\)",
    ),
    ({"result": lambda state, action: (1 - state[0], state[1] - action)}, r"ValueError from result\(state, \d\)"),
    ({"result": going_on}, r"ValueError from result\(state, \d\), got a state in the state \(\d, 0\)"),
    ({"result": lambda state, action: (1 - state[0], object())}, "equal states from result"),
    ({"to_move": lambda state: 2}, r"one of \(-1, 0, 1\) from to_move, got 2"),
    ({"is_terminal": lambda state: state[1] or None}, "True or False from is_terminal, got 4"),
    ({"utility": lambda state, player: float("nan")}, "utility.* must be a finite number, not nan"),
    ({"to_move": lambda state: CHANCE, "chances": lambda state: [(1, 0.5), (2, 0.4)]}, "a distribution is"),
    ({"utility": None}, r"without the functions utility"),
]


@pytest.mark.parametrize("functions, message", BROKEN, ids=[message for _, message in BROKEN])
def test_a_broken_rule_is_named(functions, message):
    game = Countdown()
    check_game_rules(game)
    vars(game).update(functions)
    with pytest.raises(ValueError, match=message):
        check_game_rules(game)


def test_a_seed_repeats_the_games():
    def seen(seed):
        game, states = TreeGame([Chance([(0.5, [1, 2]), (0.5, 3)]), [4, [5, 6]]]), []
        game.to_move = lambda state: states.append(state) or game.nodes[state].player
        check_game_rules(game, 3, seed=seed)
        return states

    assert seen(1) == seen(1) != seen(2)
