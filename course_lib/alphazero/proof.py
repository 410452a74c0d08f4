"""A proof by enumeration: every line of play by every opponent, against an agent whose choices are fixed."""

from course_lib.games import MAX, MIN
from course_lib.games.checks import check_two_players


def unbeatable(agent, game, sides=(MAX, MIN)):
    """The lines that the agent loses, each a tuple of actions; an empty list proves that it never loses.

    The agent plays as each of `sides`, against every sequence of replies. It is asked once in each state; if it makes
    random choices, only the choices made here are judged. `game.after(*line)` or a board shows a line. The game must be
    for two players, without chance, and small enough to follow every line.
    """
    check_two_players(game, "unbeatable")
    if not isinstance(sides, tuple | list) or not sides or any(side not in (MAX, MIN) for side in sides):
        raise ValueError(f"sides must be the players that the agent plays as, such as (MAX, MIN), not {sides!r}")
    choices, lost = {}, []

    def follow(state, line, side):
        if game.is_terminal(state):
            if game.utility(state, side) < game.utility(state, 1 - side):
                lost.append(line)
            return
        if game.to_move(state) == side:
            if state not in choices:
                choices[state] = agent(game, state)
            actions = [choices[state]]
        else:
            actions = game.actions(state)
        for action in actions:
            follow(game.result(state, action), (*line, action), side)

    for side in sides:
        follow(game.initial_state(), (), side)
    return lost
