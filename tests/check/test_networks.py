"""Judges of notebook 7: what they say of wrong answers, beside the verdicts of the recorded ones."""

import numpy as np
import pytest

from course_lib.check.examine import Direct, examine
from course_lib.check.report import Report
from course_lib.check.tables import find_table


def report(question, answer):
    return Report(examine(find_table(f"alphazero_lite.{question}"), Direct(answer)).failure, answer)


def test_the_terms_of_a_wrong_loss_are_shown():
    words = report("loss", lambda p, v, pi, z, theta, c: 0.0).words
    assert (
        "three terms: mean of (z − v)²: (0.25)/1 = 0.25; mean of −π·log p: (0.6931)/1 = 0.6931; λ‖θ‖²: 0 · 4.25 = 0."
        in words
    )


def nearest(X, z, seed):
    """The network that has one hidden unit for each of 64 positions."""
    return X[:64].T, np.full(64, -2.0), 9 * z[:64], 0.0


@pytest.mark.parametrize("answer, words", [
    (lambda X, z, seed: 3, "arrays of the shapes (9, h), (h,) and (h,), with at most 64"),
    (lambda X, z, seed: (np.zeros((9, 65)), np.zeros(65), np.zeros(65), 0), "arrays of the shapes"),
    (lambda X, z, seed: (np.zeros((9, 2)), np.zeros(2), np.zeros(2), 0), "the same value for every position."),
    (lambda X, z, seed: (np.full((9, 1), np.inf), np.zeros(1), np.zeros(1), 0), "infinite or NaN"),
    (lambda X, z, seed: (np.eye(9), np.zeros(9), np.full(9, -9.0), 0), "do the steps go against the gradient"),
    (nearest, "wrong gradients, so test them"),
])  # fmt: skip
def test_what_is_wrong_with_a_network(answer, words):
    assert words in report("train", answer).words
