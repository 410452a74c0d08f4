"""Networks and unfinished trainings as files: NumPy archives without pickle, written whole or not at all."""

import errno
import io
import json
import os
import tempfile
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from course_lib.alphazero.boards import GAMES, board_of
from course_lib.alphazero.network import Network
from course_lib.alphazero.self_play import Examples
from course_lib.saving import write_whole


def write_arrays(path, description, **arrays):
    """Write arrays and a description, plain data for JSON, to a file that is never seen half written."""
    archive = io.BytesIO()
    np.savez(archive, description=np.array(json.dumps(description, default=np.generic.item)), **arrays)
    write_whole(path, archive.getbuffer())


def check_writable(path):
    """`OSError` if no file can be written at this path: better now than after the training."""
    try:
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with tempfile.NamedTemporaryFile(dir=Path(path).parent):
            pass
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(path)) from None


def read_arrays(path):
    """(description, arrays by name) of a file from `write_arrays`; `ValueError` if it is damaged or no such file."""
    with open(path, "rb") as file, _fitting(path):
        if not zipfile.is_zipfile(path):
            raise ValueError("not an archive of arrays")
        with np.load(file, allow_pickle=False) as archive:
            arrays = dict(archive)
        return dict(json.loads(str(arrays.pop("description")))), arrays


def write_network(path, network):
    """Write a network to a file; `load_network(game, path)` reads it."""
    sizes = {"width": network.width, "blocks": network.blocks, "features": network.features}
    write_arrays(path, {"game": repr(network.board.game), "sizes": sizes}, theta=network.theta)


def read_network(path, game):
    """The `Network` for `game` in a file from `write_network`.

    A file for another game, any other file and a damaged one raise `ValueError`, a missing one `OSError`.
    """
    description, arrays = read_arrays(path)
    if "recipe" in description:
        raise ValueError(f"{path} is the checkpoint of a training, not weights; "
                         "give the file of weights that the training writes at its end")  # fmt: skip
    with _fitting(path):
        stored, sizes, theta = description["game"], description["sizes"], arrays["theta"]
    stored = repr(GAMES[stored]()) if stored in GAMES else stored  # files of before have the name
    if stored != repr(game):
        raise ValueError(f"{path} holds a network for {stored}, not for {game!r}")
    board = board_of(game)
    with _fitting(path):
        network = Network(board, **sizes)
        _fill(network.theta, theta)
    return network


def write_training(path, training):
    """Write all that a `Training` needs to go on from here."""
    description = {
        "recipe": plain(training.recipe),
        "seed": training.seed,
        "iteration": training.iteration,
        "seconds": training.seconds,
        "steps": training.adam.steps,
        "luck": training.luck.bit_generator.state,
    }
    window = {f"{name} {age}": array for age, examples in enumerate(training.window)
              for name, array in examples._asdict().items()}  # fmt: skip
    write_arrays(path, description, **_vectors(training), **window)


def read_training(path, training):
    """Set a `Training` to the one in the file; `ValueError` if there is another in it, or none, or it is damaged."""
    description, arrays = read_arrays(path)
    if "sizes" in description:
        raise ValueError(f"{path} holds weights, not the checkpoint of a training; give another path for that")
    with _fitting(path):
        found = description["recipe"], description["seed"]
    if found != (plain(training.recipe), training.seed):
        raise ValueError(f"{path} holds a training by another recipe or seed, {found}; "
                         f"this one is {training.recipe} with seed {training.seed}: give another path")  # fmt: skip
    with _fitting(path):
        ages = sum(name.startswith("outcomes") for name in arrays)
        window = [Examples(*(arrays[f"{name} {age}"] for name in Examples._fields)) for age in range(ages)]
        luck = np.random.default_rng()
        luck.bit_generator.state = description["luck"]
        for name, vector in _vectors(training).items():
            _fill(vector, arrays[name])
        training.iteration, training.seconds = description["iteration"], description["seconds"]
        training.adam.steps, training.luck = description["steps"], luck
        training.window.extend(window)


def plain(recipe):
    """A recipe as plain data, with its game in words."""
    return {**vars(recipe), "game": repr(recipe.game)}


def _vectors(training):
    """What a training keeps for each weight, by its name in a file."""
    adam = training.adam
    return {"theta": training.network.theta, "learner": adam.network.theta, "player": training.player,
            "mean": adam.mean, "square": adam.square}  # fmt: skip


def _fill(array, stored):
    if array.shape != stored.shape or not np.isfinite(stored).all():
        raise ValueError(f"{stored.shape} numbers instead of {array.shape}, or not finite")
    array[:] = stored


@contextmanager
def _fitting(path):
    """Whatever a file with wrong contents raises, and that can be nearly anything, becomes a `ValueError`."""
    try:
        yield
    except Exception as fault:
        raise ValueError(f"{path} is damaged or was not written by AlphaZero's training ({fault}); "
                         "delete it and train again, or take another copy") from fault  # fmt: skip
