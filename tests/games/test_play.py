"""What holds for every game, and playing them."""

import random
import sys
from collections import Counter
from functools import cache

import pytest

from course_lib.games import (
    CHANCE,
    MAX,
    Chance,
    ConnectFour,
    DiceDuel,
    Nim,
    Pacman,
    Pig,
    TicTacToe,
    TreeGame,
    check_game_rules,
    play,
    random_agent,
)
from course_lib.games.chess import Chess
from course_lib.games.playing import MAX_PLIES
from course_lib.games.validation import check_state
from course_lib.search import random_policy, simulate, tournament

GAMES = [
    TicTacToe(),
    Nim(21, max_take=3),
    Nim([0, 2, 1]),
    ConnectFour(),
    ConnectFour(9, 3),
    Chess("8/8/8/4k3/8/8/4P3/4K3 w - - 140 1"),
    Pacman("#####\n#P.o#\n#.#.#\n#A..#\n#####", plies=7),
    Pacman(plies=30),
    DiceDuel(),
    Pig(8),
    TreeGame([[3, 12, 8], [2, {"a": 4, "b": [6, 6]}], 5]),
    TreeGame([[(1, 2, 3), [(4, 5, 6), (0, 0, 0)]], (7, 8, 9)], players=3),
    TreeGame([Chance([(0.5, [1, 2]), (0.5, 3)]), 2]),
]
every_game = pytest.mark.parametrize("game", GAMES, ids=repr)


@cache
def played(game):
    """Some random games."""
    return [play(game, [random_agent(seed)] * game.players, seed=seed) for seed in range(8)]


def outcomes(game, state):
    """The actions, or what chance may bring."""
    return [action for action, _ in game.chances(state)] if game.to_move(state) == CHANCE else game.actions(state)


@pytest.mark.parametrize("game", [game for game in GAMES if not isinstance(game, Chess)], ids=repr)
def test_an_object_of_another_type_is_refused_as_a_state(game):
    starts = [other.initial_state() for other in GAMES if type(other) is not type(game)]
    for state in None, 3, object(), *(starts if game.initial_state() != () else []):
        with pytest.raises(ValueError, match=r"Expected a state of \w+\("):
            check_state(game, state)


@every_game
def test_a_game_keeps_the_rules_of_all_games(game):
    check_game_rules(game, 8)
    states = {state for record in played(game) for state in record.states}
    told_apart = {(game.render(state), game.to_move(state)) for state in states}
    assert len(told_apart) == len(states) or isinstance(game, Chess)  # whose states have a past
    for state in states:
        assert state not in [game.result(state, action) for action in outcomes(game, state)]
        if game.to_move(state) == CHANCE:
            with pytest.raises(ValueError, match="chance"):
                game.actions(state)
            with pytest.raises(ValueError, match="cannot play 'x'; the outcomes of chance are"):
                game.result(state, "x")
            continue
        with pytest.raises(ValueError, match=r"chances\(\)"):
            game.chances(state)
        if grid := game.grid(state):
            assert len({len(row) for row in grid}) == 1
            clicks = {game.action_at(state, r, c) for r in range(len(grid)) for c in range(len(grid[0]))}
            assert clicks - {None} == set(game.actions(state)) or isinstance(game, Chess)


@every_game
def test_a_record_links_its_states_by_its_actions_and_ends_with_utilities(game):
    for record in played(game):
        *on_the_way, end = record.states
        assert record.states[0] == game.initial_state()
        assert len(on_the_way) == len(record.actions) and game.after(*record.actions) == end
        for state, action, after in zip(on_the_way, record.actions, record.states[1:]):
            assert game.result(state, action) == after
            with pytest.raises(ValueError, match="the game is not over"):
                game.utility(state, MAX)
        assert game.is_terminal(end)
        assert record.utilities == tuple(game.utility(end, player) for player in range(game.players))
        assert game.players > 2 or sum(record.utilities) == 0
        for nobody in (game.players, CHANCE, "Max", None):
            with pytest.raises(ValueError, match="is not in this game; the players are"):
                game.utility(end, nobody)
        for action in record.actions:
            with pytest.raises(ValueError, match="the game is over"):
                game.result(end, action)


def test_a_record_begins_at_the_state_that_is_given():
    game = Nim(5)
    states = play(game, [random_agent(1), random_agent(2)], game.after((0, 2))).states
    assert states[0] == game.after((0, 2))


ODD_ACTIONS = [-1, 99, 1.5, "x", None, (), (-1, 1), (0, 99), [0], {0: 1}, float("nan")]


@every_game
@pytest.mark.parametrize("action", ODD_ACTIONS, ids=repr)
def test_an_action_that_is_not_legal_is_refused_with_the_legal_ones(game, action):
    state = game.initial_state()
    with pytest.raises(ValueError) as refused:
        game.result(state, action)
    said = str(refused.value)
    assert said.startswith(f"cannot play {action!r}; the legal actions are {game.actions(state)[0]!r}, ")
    assert repr(game.actions(state)[-1]) in said
    assert said.endswith(game.render(state))


def test_a_game_that_does_not_end_is_an_error(monkeypatch):
    game, made = TreeGame([Chance([(1, 0)])]), []
    game.result = lambda state, action: made.append(action) or ((0,) if state == () else ())
    for module in "games.playing", "search.mcts", "search.tournament":
        monkeypatch.setattr(sys.modules[f"course_lib.{module}"], "MAX_PLIES", 50)
    for call in (
        lambda: play(game, [random_agent(0)] * 2),
        lambda: tournament(game, [random_agent(0)] * 2, 1),
        lambda: simulate(game, (), random_policy, random.Random(0)),
    ):
        with pytest.raises(ValueError, match=r"Expected TreeGame.* to end, got no end after 50 plies: fix is_terminal"):
            call()
        assert len(made) == 50
        made.clear()
    monkeypatch.undo()
    assert MAX_PLIES == 100_000


def test_what_is_wrong_with_an_agent_or_with_a_state_is_not_mistaken_for_another_fault():
    with pytest.raises(ValueError, match="cannot play"):
        play(TicTacToe(), [lambda game, state: print] * 2)
    broken = TicTacToe()
    broken.to_move = lambda state: {}[state]
    with pytest.raises(KeyError):
        check_state(broken, broken.initial_state())


@pytest.mark.parametrize("utility", [float("nan"), float("inf"), None])
def test_a_utility_is_a_finite_number(utility):
    game = TreeGame([1])
    game.utility = lambda state, player: utility if player else 0
    for call in lambda: play(game, [random_agent(0)] * 2), lambda: tournament(game, [random_agent(0)] * 2, 1):
        with pytest.raises(ValueError, match=r"utility\(\(0,\), 1\) must be a finite number, not"):
            call()


def test_a_random_agent_plays_each_action_equally_often():
    game = TreeGame([1, 2, 3, 4])
    for player in range(2):
        agent, start = random_agent(5), TreeGame([1, 2, 3, 4], first=player)
        counts = Counter(agent(start, ()) for _ in range(2000))
        assert set(counts) == {0, 1, 2, 3} and all(400 < count < 600 for count in counts.values())
    assert random_agent(0)(game, (1,)) is None


def test_chance_is_drawn_by_its_probabilities_from_the_seed():
    game = TreeGame([Chance([(0.75, 1), (0.25, 2), (0, 3)])])

    def drawn(seed):
        return play(game, [random_agent(0)] * 2, seed=seed).actions[1]

    counts = Counter(drawn(seed) for seed in range(2000))
    assert set(counts) == {0, 1}
    assert 1400 < counts[0] < 1600
    assert [drawn(seed) for seed in range(50)] == [drawn(seed) for seed in range(50)]
