"""Positions in batches against the games themselves."""

import random

import numpy as np
import pytest

import oracle
from course_lib.alphazero import Network, UniformEvaluator, batched_search, self_play, vectorize
from course_lib.games import MAX, ConnectFour, Nim, Pig, TicTacToe, play, random_agent
from made_up_games import Misere, SmallOthello

TRAINED_GAMES = [TicTacToe(), ConnectFour(), ConnectFour(5, 4), ConnectFour(9, 6)]
each_game = pytest.mark.parametrize("game", TRAINED_GAMES, ids=repr)


def states_of(game, games=60):
    """The states of random games, each with the ones before the end last."""
    for seed in range(games):
        rng, state = random.Random(seed), game.initial_state()
        while not game.is_terminal(state):
            yield state
            state = game.result(state, rng.choice(game.actions(state)))


@each_game
def test_a_batch_has_the_legal_actions_and_the_results_of_its_states(game):
    vector_game, states = vectorize(game), list(states_of(game))
    positions = vector_game.positions_of(states)
    legal = vector_game.legal(positions)
    after, won, over = vector_game.play_all(positions)
    for row, state in enumerate(states):
        assert vector_game.state_of(positions[row]) == state
        assert tuple(np.flatnonzero(legal[row])) == game.actions(state)
        for action in game.actions(state):
            result = game.result(state, action)
            assert (vector_game.positions_of([result])[0] == after[row, action]).all()
            assert over[row, action] == game.is_terminal(result)
            wins = game.is_terminal(result) and game.utility(result, game.to_move(state)) == 1
            assert won[row, action] == wins


@each_game
def test_planes_show_the_marks_of_the_player_to_move_and_then_the_others(game):
    vector_game, states = vectorize(game), list(states_of(game, 20))
    planes = vector_game.planes(vector_game.positions_of(states))
    assert planes.dtype == np.float32 and planes.shape == (len(states), vector_game.planes_count, vector_game.cells)
    for plane, state in zip(planes, states):
        # ConnectFour draws its top row first, and a plane begins with the lowest row.
        rows = game.grid(state) if isinstance(game, TicTacToe) else reversed(game.grid(state))
        cells = "".join(rows)
        mine, theirs = "XO" if game.to_move(state) == MAX else "OX"
        assert [cell == mine for cell in cells] == list(plane[0]) and [cell == theirs for cell in cells] == list(
            plane[1]
        )


@pytest.mark.parametrize("game", TRAINED_GAMES[1:], ids=repr)
def test_winning_cells_are_those_where_a_disc_more_makes_four(game):
    vector_game, states = vectorize(game), list(states_of(game, 20))
    lines = [{row * game.columns + column for column, row in line} for line in oracle.fours(game.columns, game.rows)]
    won_before = 0
    for state, plane in zip(states, vector_game.planes(vector_game.positions_of(states))):
        for mine, winning in (0, 2), (1, 3):
            discs, empty = {*np.flatnonzero(plane[mine])}, {*np.flatnonzero(~plane[:2].any(axis=0))}
            found = {cell for line in lines for cell in line & empty if line - {cell} <= discs}
            assert {*np.flatnonzero(plane[winning])} == found, game.render(state)
            won_before += len(found)
    assert won_before > 20


class Shifted(ConnectFour):
    """Columns are named by letters, and the cells of the grid too far to the left: nothing here is its own place."""

    all_actions = tuple("abcde")

    def actions(self, state):
        return tuple("abcde"[column] for column in super().actions(state))

    def result(self, state, action):
        return super().result(state, "abcde".index(action))


ASKED = [Misere(), Shifted(5, 4), Nim((1, 2, 3)), SmallOthello()]


@pytest.mark.parametrize("game", ASKED, ids=repr)
def test_the_board_of_any_game_has_its_actions_results_and_ends(game):
    before = dict(vars(game))
    vector_game, states = vectorize(game), list(states_of(game, 20))
    positions = vector_game.positions_of(states)
    legal, (_, true_value, over) = vector_game.legal(positions), vector_game.play_all(positions)
    assert vector_game.initial(2).tolist() == [[0, 0]] * 2
    assert vector_game.planes(positions).shape == (len(states), vector_game.planes_count, vector_game.cells)
    lost = 0
    for row, state in enumerate(states):
        assert vector_game.state_of(positions[row]) == state
        assert {vector_game.all_actions[index] for index in np.flatnonzero(legal[row])} == set(game.actions(state))
        for action in game.actions(state):
            index, result, mover = (
                vector_game.all_actions.index(action),
                game.result(state, action),
                game.to_move(state),
            )
            after, _, _ = vector_game.play(positions[row], index)
            assert vector_game.state_of(after) == result and over[row, index] == game.is_terminal(result)
            if over[row, index]:
                assert true_value[row, index] == np.sign(game.utility(result, mover) - game.utility(result, 1 - mover))
                lost += true_value[row, index] < 0
    assert lost or isinstance(game, Nim | Shifted)
    assert vars(game) == before and vectorize(game) is vector_game


def test_the_network_sees_equal_positions_of_both_players_alike_but_for_the_last_plane():
    game = Misere()
    vector_game = vectorize(game)
    for_max, for_min = vector_game.planes(
        vector_game.positions_of([game.parse("X.O ... ..."), game.parse("O.X ..X ...")])
    )
    assert for_max[-1].max() == 0 and for_min[-1].min() == 1
    assert (for_max[:2, :3] == for_min[:2, :3]).all() and for_max[0, 0] == for_max[1, 2] == 1


@each_game
def test_a_position_in_which_the_game_is_over_is_so_as_a_state(game):
    ends = [play(game, [random_agent(seed), random_agent(seed + 99)]).states[-1] for seed in range(30)]
    vector_game = vectorize(game)
    assert [vector_game.state_of(position) for position in vector_game.positions_of(ends)] == ends


@pytest.mark.parametrize("heaps, first", [((1,), ()), ((1, 1), ((0, 1),))])
def test_who_has_more_wins_whatever_the_utilities_are(heaps, first):
    class LastLoses(Nim):
        def utility(self, state, player):
            return -super().utility(state, player)

    class Points(LastLoses):
        def utility(self, state, player):
            return (super().utility(state, player) + 1) / 2

    games = [Points(heaps), LastLoses(heaps)]
    results = [vectorize(game).play_all(vectorize(game).positions_of([game.after(*first)]))[1:] for game in games]
    assert np.array_equal(*[value[over] for value, over in results]) and results[0][1].any()


def test_each_game_has_its_own_table_of_states():
    class Heap(Nim):
        def __repr__(self):
            return "Heap()"

    small, large = vectorize(Heap(2)), vectorize(Heap(3))
    assert small is not large and small.legal(small.initial(1)).sum() < large.legal(large.initial(1)).sum()


def test_a_network_for_another_size_is_refused():
    small, network = vectorize(ConnectFour(5, 4)), Network(ConnectFour(), width=8, blocks=0)
    with pytest.raises(ValueError, match="was made for ConnectFour"):
        batched_search(small, small.initial(1), network, 2)


def test_games_that_cannot_be_learned_are_refused():
    class Again(TicTacToe):
        def to_move(self, state):
            return MAX

    class Hidden(TicTacToe):
        all_actions = range(8)

    for game, told in ((Pig(10), "chance"), (Again(), "in turn"), (Hidden(), "8 is not among the actions"),
                       ("go", "Expected a game, an object with the"), (ConnectFour(10, 6), "63")):  # fmt: skip
        with pytest.raises(ValueError, match=told):
            vector_game = vectorize(game)
            self_play(vector_game, UniformEvaluator(vector_game), 8, 2, np.random.default_rng(0))
