"""Networks and unfinished trainings as files: NumPy archives without pickle, written whole or not at all."""

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from course_lib.alphazero.boards import Array, board_of
from course_lib.alphazero.network import Network
from course_lib.alphazero.self_play import Examples
from course_lib.games import Game
from course_lib.saving import write_whole

if TYPE_CHECKING:
    from course_lib.alphazero.training import Training


def write_arrays(path: str | Path, description: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Write arrays and a description, plain data for JSON, to a file that is never seen half written."""
    archive = io.BytesIO()
    np.savez(archive, description=np.array(json.dumps(description)), **arrays)
    write_whole(path, archive.getbuffer())


def read_arrays(path: str | Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """The description and the arrays of a file from `write_arrays`; `ValueError` if it is damaged or another file."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = dict(archive)
        return dict(json.loads(str(arrays.pop("description")))), arrays
    except FileNotFoundError:
        raise
    except Exception as error:  # nearly anything, for a file with other contents
        raise ValueError(f"{path} is damaged or was not written by AlphaZero's training ({error})") from error


def write_network(path: str | Path, network: Network) -> None:
    """Write a network to a file; `load_network(game, path)` reads it."""
    sizes = {"width": network.width, "blocks": network.blocks, "features": network.features}
    write_arrays(path, {"game": repr(network.board.game), "sizes": sizes}, {"theta": network.theta})


def read_network(path: str | Path, game: Game) -> Network:
    """The `Network` for `game` in a file from `write_network`.

    A file for another game, any other file and a damaged one raise `ValueError`, a missing one `OSError`.
    """
    description, arrays = read_arrays(path)
    if description.get("game") != repr(game):
        raise ValueError(f"expected the weights of a network for {game!r}, got {path} for {description.get('game')}")
    network = Network(board_of(game), **description["sizes"])
    network.theta[:] = arrays["theta"]
    return network


def write_training(path: str | Path, training: "Training") -> None:
    """Write all that a `Training` needs to resume from here."""
    description = {
        "training": training.name,
        "iteration": training.iteration,
        "steps": training.adam.steps,
        "luck": training.luck.bit_generator.state,
        "window": len(training.window),
    }
    window = {f"{age} {name}": array for age, examples in enumerate(training.window)
              for name, array in examples._asdict().items()}  # fmt: skip
    write_arrays(path, description, training.vectors | window)


def read_training(path: str | Path, training: "Training") -> None:
    """Set a `Training` to the one in the file; `ValueError` if that is damaged, or of another recipe or seed."""
    description, arrays = read_arrays(path)
    if description.get("training") != training.name:
        raise ValueError(f"{path} does not hold this training, {training.name}: it is of another recipe or seed, "
                         "or no checkpoint; give another path")  # fmt: skip
    for name, vector in training.vectors.items():
        vector[:] = arrays[name]
    ages = range(description["window"])
    training.window.extend(Examples(*(arrays[f"{age} {name}"] for name in Examples._fields)) for age in ages)
    training.iteration, training.adam.steps = description["iteration"], description["steps"]
    training.luck.bit_generator.state = description["luck"]
