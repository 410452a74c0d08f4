"""Search in games with chance, each function written like its pseudo-code. All values are Max's."""

from math import inf

from course_lib.games.game import CHANCE, MAX, Agent, Answer, Evaluate, Game, Model, State
from course_lib.games.validation import distribution
from course_lib.search.validation import agent_of, for_max_min_and_chance


@for_max_min_and_chance
def expectimax_search(
    game: Game, state: State, model: Model, depth: float = inf, evaluate: Evaluate | None = None, player: int = MAX
) -> Answer:
    """EXPECTIMAX: the (value, action) of what is best on average, against an opponent who plays as `model` says.

    `model(state)` gives (action, probability) pairs for a state in which the opponent of `player` moves. It is what
    `player` believes: the opponent need not roll a die. The value is Max's, so Min as `player` wants it small. The
    action is None if the opponent or chance moves, at the end, and at depth 0. `depth` counts players' actions, not
    chance; if the search stops early, `evaluate(state)` estimates the utility for Max.

    >>> from course_lib.games import TreeGame
    >>> from course_lib.search import uniform_model
    >>> game = TreeGame([[3, 12], [6, 7]])
    >>> expectimax_search(game, (), uniform_model(game))
    (7.5, 0)
    """

    def value(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        mover = game.to_move(state)
        if mover == CHANCE:
            return expectation(game.chances(state), state, depth), None
        if mover != player:
            return expectation(model(state), state, depth - 1), None
        v, move = None, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), depth - 1)
            if move is None or (v2 > v if player == MAX else v2 < v):
                v, move = v2, action
        return v, move

    def expectation(chances, state, depth):
        mean = 0  # added up in order: since Python 3.12 `sum` rounds in another way, which may decide between equals
        for action, p in distribution(chances, state):
            mean += p * value(game.result(state, action), depth)[0]
        return mean

    return value(state, depth)


@for_max_min_and_chance
def expectiminimax_search(game: Game, state: State, depth: float = inf, evaluate: Evaluate | None = None) -> Answer:
    """EXPECTIMINIMAX: the (value, action) of best play for Max, Min and chance (AIMA, 4th edition, 5.5).

    At a chance node the value is the mean over the outcomes, weighted by probability, and the action is None.
    `depth` counts players' actions, not chance. If the search stops early, `evaluate(state)` estimates the utility for
    Max, on the scale of the utilities, since means are taken.

    >>> from course_lib.games import Chance, TreeGame
    >>> expectiminimax_search(TreeGame([Chance([(0.5, 4), (0.5, 0)]), 1]), ())
    (2.0, 0)
    """

    def value(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        mover = game.to_move(state)
        if mover == CHANCE:
            return chance_value(state, depth), None
        v, move = None, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), depth - 1)
            if move is None or (v2 > v if mover == MAX else v2 < v):
                v, move = v2, action
        return v, move

    def chance_value(state, depth):
        mean = 0
        for action, p in distribution(game.chances(state), state):
            mean += p * value(game.result(state, action), depth)[0]
        return mean

    return value(state, depth)


def uniform_model(game: Game) -> Model:
    """A model for `expectimax_search`: the opponent takes each legal action with equal probability."""

    def model(state):
        actions = list(game.actions(state))
        return [(action, 1 / len(actions)) for action in actions]

    return model


def expectimax_agent(model: Model, depth: float = inf, evaluate: Evaluate | None = None) -> Agent:
    """An agent, for either player, that plays the action of `expectimax_search`, at least one ply deep."""

    def search(game, state, **options):
        return expectimax_search(game, state, player=game.to_move(state), **options)

    return agent_of(search, depth, model=model, evaluate=evaluate)
