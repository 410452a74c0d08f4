"""What the tests of checks share."""

import pytest


@pytest.fixture
def in_haste(monkeypatch):
    """A check asks about fewer cases, and looks for a mistake's name among fewer answers."""
    monkeypatch.setattr("course_lib.check.examine.TRY", 0.1)
    monkeypatch.setattr("course_lib.check.examine.SHRINK", 0.05)
    monkeypatch.setattr("course_lib.check.examine.NAME", 0.02)
