"""Alpha-beta: minimax that leaves out what cannot matter. Values are Max's everywhere."""

from math import inf

from course_lib.games.game import MAX, Agent, Answer, Evaluate, Game, Order, State
from course_lib.search.validation import agent_of, for_max_and_min


@for_max_and_min
def alpha_beta_search(game: Game, state: State, *, alpha: float = -inf, beta: float = inf) -> Answer:
    """ALPHA-BETA-SEARCH: the (value, action) that minimax finds, from fewer leaves.

    α is what Max has for certain on the path to a node, β what Min has. A Min node stops at v ≤ α (the α-cut), a
    Max node at v ≥ β (the β-cut). With another window at the root, a value v ≤ `alpha` or v ≥ `beta` is only a bound of
    minimax's, from above or from below; it may lie outside the window ("fail soft").

    >>> from course_lib.games import TreeGame
    >>> alpha_beta_search(TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), ())
    (3, 0)
    """

    def max_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if game.to_move(state) != MAX:
            return min_value(state, alpha, beta)
        v, move = -inf, None
        for action in game.actions(state):
            v2, _ = min_value(game.result(state, action), alpha, beta)
            if v2 > v:
                v, move = v2, action
                if v > alpha:
                    alpha = v
            if v >= beta:
                return v, move
        return v, move

    def min_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if game.to_move(state) == MAX:
            return max_value(state, alpha, beta)
        v, move = inf, None
        for action in game.actions(state):
            v2, _ = max_value(game.result(state, action), alpha, beta)
            if v2 < v:
                v, move = v2, action
                if v < beta:
                    beta = v
            if v <= alpha:
                return v, move
        return v, move

    return max_value(state, alpha, beta)


@for_max_and_min
def depth_limited_alpha_beta_search(
    game: Game, state: State, depth: float, evaluate: Evaluate | None = None, *, order: Order | None = None,
    alpha: float = -inf, beta: float = inf, strict: bool = False,
) -> Answer:  # fmt: skip
    """Alpha-beta that looks `depth` plies ahead: the (value, action) of `depth_limited_minimax_search`.

    `evaluate(state)` estimates the utility for Max where the search stops (None: 0 everywhere). `order(state)` returns
    the legal actions in the order to try them (None: that of the game), and of equally good ones the first is chosen;
    the value is the same in any order. `alpha` and `beta` are the window at the root, as in `alpha_beta_search`. A
    `strict` search cuts at v > β and v < α only, as some courses ask: the value is the same, from more leaves.

    >>> from course_lib.games import ConnectFour
    >>> from course_lib.search import centre
    >>> depth_limited_alpha_beta_search(ConnectFour(), ConnectFour().initial_state(), 1, centre)
    (1, 3)
    """
    order = order or game.actions

    def value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        maximizing = game.to_move(state) == MAX
        v, move = None, None
        for action in order(state):
            v2, _ = value(game.result(state, action), alpha, beta, depth - 1)
            if move is None or (v2 > v if maximizing else v2 < v):
                v, move = v2, action
                if maximizing and v > alpha:
                    alpha = v
                elif not maximizing and v < beta:
                    beta = v
                if alpha > beta or (alpha == beta and not strict):
                    break
        return v, move

    return value(state, alpha, beta, depth)


@for_max_and_min
def quiescence_search(game: Game, state: State, depth: float, evaluate: Evaluate, noise: Order) -> Answer:
    """Alpha-beta that looks `depth` plies ahead, and further as long as a position is noisy: the (value, action).

    `noise(state)` gives the actions that may upset the evaluation, such as captures. Beyond `depth` the search looks at
    nothing else, and every series of them must end. Nobody has to play a noisy action: the player to move may stop and
    take `evaluate(state)` ("stand pat"), and then the action is None. Source: Shannon (1950); AIMA, 4th edition, 5.3.
    """

    def value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        maximizing = game.to_move(state) == MAX
        if depth > 0:
            v, move, actions = None, None, game.actions(state)
        else:
            v, move, actions = evaluate(state), None, noise(state)
            alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
        for action in actions:
            if alpha >= beta:
                break
            v2, _ = value(game.result(state, action), alpha, beta, depth - 1)
            if v is None or (v2 > v if maximizing else v2 < v):
                v, move = v2, action
                alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
        return v, move

    return value(state, -inf, inf, depth)


def alpha_beta_agent(depth: float, evaluate: Evaluate | None = None, *, order: Order | None = None) -> Agent:
    """An agent that plays the action of `depth_limited_alpha_beta_search` with these options; `depth` is at least 1."""
    return agent_of(depth_limited_alpha_beta_search, depth, evaluate=evaluate, order=order)
