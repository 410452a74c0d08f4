"""Explorers saved as pages that need no Python. tests/browser/test_widgets_alone.py opens them."""

import gzip
import json
import re
from base64 import b64decode

from course_lib.explore import explore, watch
from course_lib.games import Nim, TicTacToe, TreeGame
from course_lib.search import alpha_beta_search, minimax_search


def state_in(page):
    """What the first widget of a page finds in it."""
    packed = re.search(r'<script type="application/octet-stream">([^<]+)</script>', page)[1]
    return json.loads(gzip.decompress(b64decode(packed)))


def test_the_page_holds_the_record_and_the_boards(tmp_path):
    explorer = explore(watch(alpha_beta_search, TicTacToe(), TicTacToe().after(0, 1, 2, 4)), step=9)
    sent = state_in(explorer.save(tmp_path / "tree.html").read_text(encoding="utf-8"))
    state, boards = sent["state"], sent["known"]["boards"]
    columns = {name: b64decode(column["base64"]) for name, column in state["tree"]["columns"].items()}
    assert columns == explorer.tree.tree["columns"]
    assert state["step"] == 9
    game, states = explorer.tree.positions
    assert [text for _, _, text in boards] == [game.render(state) for state in states]


def test_nothing_in_a_page_is_asked_of_the_network(tmp_path):
    page = explore(Nim([1, 2])).save(tmp_path / "game.html").read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://[^\s\"'`]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}
    assert not re.search(r"<(link|img|script)[^>]+(src|href)=", page)


def test_text_of_a_game_cannot_end_the_script(tmp_path):
    game = TreeGame({"</script><b>": 1, "other": 2})
    page = explore(watch(minimax_search, game)).save(tmp_path / "odd.html").read_text(encoding="utf-8")
    assert page.count("</script>") == 2
    assert "<b>" not in page
