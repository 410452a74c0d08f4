"""The map of the house is that of today's imports."""

from project.house import FLOORS, MAP, draw, imported


def test_the_map_is_current():
    assert MAP.read_text(encoding="utf-8") == draw(), "draw it anew: python tests/project/house.py"


def test_arrows_run_downward():
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    assert all(floor[used] > floor[room] for room in floor for used in imported(room))
