"""A proof by enumeration: every line of play by every opponent, against an agent whose choices are fixed."""

from course_lib.games import MAX, MIN


def unbeatable(agent, game, sides=(MAX, MIN)):
    """The lines that the agent loses, each a tuple of actions from the start, and an empty list if there are none.

    It plays first and second, `sides`, against every sequence of replies, so an empty list is a proof. The agent is
    asked once in each state, so of one that makes random choices only those made here are judged. `game.after(*line)`
    or a board shows a line. For games of two players without chance, small enough to follow every line; `ValueError`
    for another number of players, or sides that are no players.
    """
    _check(game, sides)
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


def _check(game, sides):
    players = getattr(game, "players", 2)
    if players != 2:
        raise ValueError(f"unbeatable is for games of two players, and {game!r} has {players}")
    if not isinstance(sides, tuple | list) or not sides or any(side not in (MAX, MIN) for side in sides):
        raise ValueError(f"sides are the players that the agent plays as, such as (MAX,) or (MAX, MIN), not {sides!r}")
