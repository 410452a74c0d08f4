"""Hypothesis strategies for random game trees in `TreeGame`'s notation, of mixed shape and with many ties."""

from fractions import Fraction

from hypothesis import strategies as st

from course_lib.games import MAX, MIN, Chance, Turn

LEAVES = st.integers(-3, 3)
"""Few values, so that ties are common."""
FIRST = st.sampled_from([MAX, MIN])
"""Who moves at the root."""
WEIGHTS = st.lists(st.integers(1, 5), min_size=1, max_size=3)


def utility_vectors(players):
    """Leaves for any number of players: a utility for each, of any sum."""
    return st.tuples(*[LEAVES] * players)


def trees(leaves=LEAVES, players=2, chance=False, size=20):
    """Trees of lists, dictionaries and out-of-turn nodes, sometimes a single leaf; with chance nodes on request."""

    def nodes(subtrees):
        lists = st.lists(subtrees, min_size=1, max_size=4)
        named = st.dictionaries(st.sampled_from("abcd"), subtrees, min_size=1)
        turns = st.builds(Turn, st.integers(0, players - 1), lists | named)
        return lists | named | turns | _chances(subtrees) if chance else lists | named | turns

    return st.recursive(leaves, nodes, max_leaves=size)


@st.composite
def _chances(draw, subtrees):
    """A chance node whose probabilities are fractions, so that expectations are exact."""
    weights = draw(WEIGHTS)
    return Chance([(Fraction(weight, sum(weights)), draw(subtrees)) for weight in weights])
