"""The measuring stick: what it counts, what it says of agents that fail, and that its positions are labelled right."""

import pytest

from course_lib.__main__ import main
from course_lib.games import ConnectFour
from course_lib.search import solve
from course_lib.search.measuring import known_players, measure, positions, shares_of

GAME = ConnectFour()


def by_state(choose=max):
    """State → the action with the best outcome (or, with min, the worst), by the labels."""
    return {GAME.after(*p.columns): choose(p.outcomes, key=p.outcomes.get) for p in positions()}


def test_positions_are_those_of_their_phase_and_each_has_two_outcomes_at_least():
    plies = {"early": range(8, 15), "middle": range(15, 24), "late": range(24, 37)}
    for position in positions():
        state = GAME.after(*position.columns)
        assert len(position.columns) in plies[position.phase]
        assert set(position.outcomes) == set(GAME.actions(state)) and len(set(position.outcomes.values())) > 1
    assert len({GAME.after(*position.columns) for position in positions()}) == len(positions()) == 1165


def test_outcomes_are_those_of_exact_play():
    late = [position for position in positions() if len(position.columns) >= 30]
    for position in late:
        state = GAME.after(*position.columns)
        for action, outcome in position.outcomes.items():
            after = GAME.result(state, action)
            score = GAME.utility(after, GAME.to_move(state)) if GAME.is_terminal(after) else -solve(GAME, after)
            assert (score > 0) - (score < 0) == outcome
    assert len(late) > 50


def test_the_best_action_is_never_a_mistake_and_the_worst_always():
    right, wrong = by_state(), by_state(min)
    assert measure(lambda game, state: right[state]).mistakes == ()
    measured = measure(lambda game, state: wrong[state])
    assert len(measured.mistakes) == 1165
    assert all(share.share == 1 and share.error == 0 for share in measured.shares.values())


def test_a_share_has_its_standard_error():
    shares = shares_of({"early": "10", "late": 0}, {"early": 100, "middle": 0, "late": 5})
    assert {phase: str(share) for phase, share in shares.items()} == {"early": "10.0 ± 3.0", "late": "0.0 ± 0.0"}


def test_an_illegal_action_is_reported_with_the_position():
    with pytest.raises(ValueError, match=r"cannot play 9; the legal actions are 0, .*, 6\n\. \. "):
        measure(lambda game, state: 9)
    for answer, told in (None, "play None"), ([3], r"play \[3\]"), (3, r"after\(.*\), got .*play 3"):
        with pytest.raises(ValueError, match=told) as raised:
            measure(lambda game, state: answer)  # noqa: B023
    assert 3 not in GAME.actions(eval(str(raised.value).split("which is ")[1].split(", got")[0]))


def test_a_slow_agent_is_asked_of_all_phases_until_its_time_is_over(monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr("course_lib.search.measuring.perf_counter", lambda: next(clock))
    measured = measure(lambda game, state: game.actions(state)[0], seconds=30)
    assert measured.asked == {"early": 10, "middle": 10, "late": 10}
    assert "30 of 1165 positions were asked." in repr(measured)


def test_a_known_player_is_as_it_was_measured():
    from course_lib.alphazero import load

    measured = measure(load("connect_four", 0), seconds=600)
    assert measured.shares == known_players()["network, no search"]


def test_the_command_measures_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def my_player(game, state):\n    return game.actions(state)[-1]\n")

    main(["measure", "mine.py"])
    assert "\nmine.py " in capsys.readouterr().out
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(SystemExit, match=r"Expected empty.py to define my_player\(game, state\)"):
        main(["measure", "empty.py"])
