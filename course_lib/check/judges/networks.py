"""Notebook 7: a policy, a loss of arrays, and a network that is trained."""

from typing import Any

import numpy as np

from course_lib.check.comparing import NO_RETURN, ODD_ANSWER, Wrong, is_number, misfit
from course_lib.check.examine import Student
from course_lib.check.judges import worked as formulas
from course_lib.check.judges.listed import NUMBERS, is_right, one_of
from course_lib.check.tables import Mistake, Row
from course_lib.language import N_, gettext


def policy(row: Row, given: Any, *, tolerance: float, hints: dict[str, str]) -> str | Wrong | None:
    """One of the right lists of probabilities; `hints` has sentences for one with nan, and for a share too many."""
    wrong = one_of(row, given, tolerance=tolerance, worked="policy")
    if not isinstance(wrong, Wrong):
        return wrong
    broken = "division by zero" if any(p != p for p in given) else ""
    shared = "a share for an action without visits" if any(p and not N for N, p in zip(row.case[0], given)) else ""
    name = broken or shared
    ask = wrong.ask if row.case[1] else N_("What does your function return if τ is 0?")
    return wrong._replace(mistake=Mistake(name, hints[name]) if name else None, ask=ask)


def call_with_arrays(student: Student, name: str, case: tuple) -> Any:
    """What the function returns for arrays and a number c; the terms that end a case are for `loss`."""
    *parts, c, _ = case
    with np.errstate(all="ignore"):  # a warning of log 0 may come from a case other than the one shown
        return student.call(name, *(np.array(part, float) for part in parts), c)


def loss(row: Row, given: Any, *, tolerance: float, hints: dict[str, str]) -> str | Wrong | None:
    """The loss: any number between the exact one and that with a little added to p, to avoid log 0."""
    if isinstance(given, float) and given != given:
        sentence = hints["0 · log 0"]
        return Wrong(sentence, mistake=Mistake("0 · log 0", sentence))
    if is_right(row, given, tolerance) or (is_number(given) and min(row.right) <= given <= max(row.right)):
        return None
    words = gettext("It has three terms: {terms}", terms=formulas.loss(row.right[0], *row.case))
    return misfit(row.right[0], given) or Wrong(words, "answer", ask=NUMBERS)


def call_training(student: Student, name: str, case: tuple, *, hidden: int) -> list | None:
    """[error on what the network was trained on, error on others, how much its values differ]; [] if no weights fit.

    A case is (seed, positions to learn from, others); each position is ten signs: its cells, then its value.
    """
    marks = (np.array([["-0+".index(mark) - 1.0 for mark in word] for word in text.split()]) for text in case[1:])
    (X, z), (others, values) = ((numbers[:, :9], numbers[:, 9]) for numbers in marks)
    given = student.call(name, X.copy(), z.copy(), case[0])
    if given is None:
        return None
    try:
        W1, b1, w2, b2 = weights = [np.array(part, float) for part in given]
    except ODD_ANSWER:
        return []
    h = b1.size
    if [part.shape for part in weights] != [(9, h), (h,), (h,), ()] or h > hidden:
        return []
    with np.errstate(all="ignore"):
        v, unseen = (np.tanh(np.maximum(0, each @ W1 + b1) @ w2 + b2) for each in (X, others))
        return [round(float(error), 3) for error in (np.mean((v - z) ** 2), np.mean((unseen - values) ** 2), np.std(v))]


def training(row: Row, given: list | None, *, mark: float, hints: dict[str, str]) -> str | Wrong | None:
    """Errors of a trained network: at most `mark` on others; `hints` has a sentence for each mistake."""
    if not given:
        return NO_RETURN if given is None else hints["shapes"]
    own, unseen, spread = given
    if own == own and unseen <= mark:
        return None
    name = "learnt by heart" if own <= mark / 2 else "worse than no network" if own > 0.9 else ""
    name = "the same value everywhere" if spread < 0.001 else name
    name = "no numbers any more" if own != own or unseen != unseen else name
    words = gettext(hints[name], own, unseen, mark)
    return Wrong(words, mistake=Mistake(name, words) if name else None)
