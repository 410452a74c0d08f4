"""What recorded answers do not show of the checks of notebook 1."""

from course_lib.check.comparing import Wrong
from course_lib.check.examine import Failure
from course_lib.check.tables import Row, Table
from course_lib.check.views import traced_search
from course_lib.games import TreeGame

GAME = TreeGame([(1, -1), (1, 0)])


def test_a_function_of_the_game_alone_is_watched_from_the_root():
    def own(game):
        def count(state):
            return 1 if game.is_terminal(state) else sum(count(game.result(state, a)) for a in game.actions(state))

        return count(game.initial_state())

    table = Table("a.b", "", 1, "own", "listed.call", "listed.one_of", {}, 0)
    trace = traced_search(Failure(table, Row((GAME,), [3], [], {}), 2, Wrong()), own)
    assert {tuple(node.path) for _, node, _ in trace.events} >= {(0,), (1,)}
