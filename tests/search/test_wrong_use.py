"""Calls that are wrong: each error names what was given, what was expected and what to do."""

import time
from math import nan

import numpy as np
import pytest

from course_lib import search
from course_lib.games import Game, Nim, TicTacToe, TreeGame, play, random_agent
from course_lib.search.mcts_tree import mcts_tree

GAME, NIM = TicTacToe(), Nim(3)
START = GAME.initial_state()
MATCHES = {
    "play": lambda agent: play(GAME, [agent, random_agent(1)]),
    "play with names": lambda agent: play(GAME, {"a": agent, "b": random_agent(1)}),
    "tournament": lambda agent: search.tournament(GAME, {"a": agent, "b": random_agent(1)}, 1),
    "measure": search.measure,
}


@pytest.mark.parametrize("match", MATCHES.values(), ids=MATCHES)
def test_what_is_not_an_agent_is_refused_before_the_game(match):
    for agent, error in (
        (search.minimax_agent, r"got the factory minimax_agent: pass minimax_agent\(\), not minimax_agent"),
        (search.alpha_beta_agent, r"got the factory alpha_beta_agent: pass alpha_beta_agent\(…\)"),
        (
            search.minimax_search,
            r"got a search, which returns \(value, action\): pass lambda game, state: minimax_search",
        ),
        (3, "got 3"),
    ):
        with pytest.raises(ValueError, match=r"Expected a function agent\(game, state\) → action, " + error):
            match(agent)


@pytest.mark.parametrize(
    "agent, hint",
    [
        (lambda game, state: search.max_n_search(TreeGame([1]), ()), "returned a tuple. If it is a search"),
        (lambda game, state: random_agent(1), "returned a function. If it is a factory"),
    ],
)
def test_an_illegal_action_that_is_a_pair_or_a_function_is_explained(agent, hint):
    for match in MATCHES["play"], search.measure:
        with pytest.raises(ValueError, match=hint):
            match(agent)
    assert hint in search.tournament(GAME, [agent, random_agent(1)], 1).games[0].fault


def test_agents_come_in_a_list_or_a_dictionary():
    agents = [random_agent(1), random_agent(2)]
    assert search.tournament(GAME, agents, 1).names == ("agent 1", "agent 2")
    with pytest.raises(ValueError, match=r"Expected at least 2 functions .*, in a list or a dictionary, got <function"):
        search.tournament(GAME, agents[0], 1)
    first = play(GAME, [random_agent(1), random_agent(2)])
    assert first == play(GAME, {"a": random_agent(1), "b": random_agent(2)})


RECORD = play(GAME, [random_agent(1)] * 2)
WRONG = [
    (lambda: next(search.monte_carlo_tree_search(GAME, START, policy=1)), r"function policy\(game, state, rng\)"),
    (lambda: next(search.monte_carlo_tree_search(GAME, START, root=1)), "Expected root to be a node .*, got 1"),
    (lambda: search.ucb1(1, 2, 0), "parent_visits must be a finite number of at least 2, not 0"),
    (lambda: search.expectimax_search(GAME, START, None), r"function model\(state\) → .*, got None"),
    (lambda: search.transposition_table_search(GAME, START, table={}), "table to be a TranspositionTable, got {}"),
    (lambda: search.minimax_search(GAME, NIM.initial_state()), r"Expected a state of TicTacToe\(\), .* got \(0, \("),
    (lambda: play(GAME, [lambda state: 0] * 2), r"got one that takes \(state\): too many"),
    (lambda: play(GAME, [random_agent()] * 3), "Expected 2 functions"),
    (lambda: search.hold_at(0), "points must be a finite number of at least 1"),
    (lambda: search.fit_weights([], search.CONNECT_FOUR_FEATURES), r"Expected the records of games, .* got \[\]"),
    (lambda: GAME.parse(5), "no game of tic-tac-toe leads to 5"),
    (lambda: next(search.monte_carlo_tree_search(GAME, START, c=float("nan"))), "c must be a finite number"),
    (lambda: search.fit_weights([RECORD], {"nan": lambda state: float("nan")}), "Expected finite numbers from the fe"),
    (lambda: search.expectimax_search(GAME, START, search.uniform_model(GAME), player="Max"), "must be MAX or MIN"),
    (lambda: search.pig_values(20, search.hold_at(20)), r"policy for target 20, such as hold_at\(20, 20\)"),
    (lambda: search.fit_weights([1], search.CONNECT_FOUR_FEATURES), "Expected record 0 to be a GameRecord, got 1"),
    (lambda: search.tournament(GAME, [random_agent()] * 2, 1).points("agent 1", "b"), "got 'agent 1' and 'b'"),
    (lambda: search.best_first(GAME, search.minimax_agent())(START), r"the \(value, action\) of search.*, got \d"),
    (lambda: next(search.monte_carlo_tree_search(GAME, START, bounds=("a", "b"))), r"bounds are .*, not \('a', 'b'\)"),
    (
        lambda: next(search.monte_carlo_tree_search(GAME, START, bounds=(-1, "", 1))),
        r"bounds are .*, not \(-1, '', 1\)",
    ),
    (
        lambda: next(search.monte_carlo_tree_search(TreeGame([(2, 0, 0)], players=3), ())),
        "Expected utilities from -1 to 1, got another",
    ),
    (lambda: next(search.monte_carlo_tree_search(GAME, START, bounds=1)), r"bounds are .*, not 1"),
    (lambda: search.ucb1(nan, 1, 2), "utility must be a finite number"),
    (lambda: search.root_node(TicTacToe, START), r"pass TicTacToe\(\), with parentheses"),
    (lambda: search.mcts_agent(5)(TicTacToe, START), r"pass TicTacToe\(\), with parentheses"),
    (lambda: search.mcts_agent(0), "iterations must be a whole number of at least 1, not 0"),
    (lambda: search.mcts_agent(5, search=3), r"Expected a function search\(game, state, root=…, seed=…\), got 3"),
    (lambda: search.best_first(GAME, 3), r"Expected a function search\(game, state\) → \(value, action\), got 3"),
    (lambda: search.depth_limited_minimax_search(GAME, START, 1, 3), r"Expected a function evaluate\(state\) .* got 3"),
    (lambda: mcts_tree(GAME, {(): (0, 1), (0,): 1}), r"counts must be a dictionary \{path: \(U, N\)\}"),
    (lambda: search.best_policy(np.zeros((4, 4))), r"Expected the wins that pig_values\(target\) returned"),
    (lambda: search.measure(random_agent(1), seconds=-1), "seconds must be a finite number of at least 0, not -1"),
    (lambda: search.tournament(GAME, [random_agent(1)] * 2, 1, random_plies=-1), "random_plies must be a whole number"),
]


@pytest.mark.parametrize("call, error", WRONG)
def test_a_wrong_call_says_what_was_expected(call, error):
    with pytest.raises(ValueError, match=error):
        call()


def test_an_agent_has_options_of_its_search_only():
    for option in "root", "seeds":
        with pytest.raises(TypeError, match=option):
            search.mcts_agent(5, **{option: None})


def test_what_a_game_lacks_is_named():
    with pytest.raises(NotImplementedError, match=r"^Game must define actions, as every game does"):
        Game().actions(())


def test_the_limit_of_measure_holds_inside_a_position():
    start = time.perf_counter()
    measured = search.measure(search.minimax_agent(), seconds=0.3)
    assert time.perf_counter() - start < 3 and measured.mistakes == ()
    assert "0 of 1165 positions were asked" in repr(measured) and set(measured.asked.values()) == {0}
