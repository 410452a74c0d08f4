"""Every number in the text of a notebook has its origin: an output above it, the code beside it, a source, or a list.

Not asked for are the numbers of a notebook, a chapter, a list or an exponent of a formula, what stands in code, and
the small ones that a reader counts in a picture: up to `COUNTED`.
"""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from course_lib.check.question import NOTEBOOKS

ROOT = Path(__file__).parents[2]
COUNTED = 9
KEYWORDS = {"figsize", "dpi", "height", "fontsize", "linewidth", "alpha", "seed"}
"""How something looks or is drawn: no origin of a number in the text."""
TEENS = ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
WORDS = {word: str(number) for number, word in enumerate(TEENS, 11)}
WORDS |= {"a hundred": "100", "a thousand": "1000", "two thousand": "2000", "a million": "1000000"}
NO_NUMBERS = [
    r"```.*?```",
    r"`[^`]*`",
    r"\]\([^)]*\)",  # the address of a link
    r"[Nn]otebooks? \d(?:(?:, | and | to )\d)*",
    r"chapter \d+",
    r"\d(?:st|nd|rd|th) edition",
    r"CSI 4506",
    r"\$[^$]*\$",  # formulas: what they say is proved, and checked by the code beside them
]
NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
POWER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
ORIGINS = {
    "01_game_formalism": {
        "100": "AIMA, cited there: plies of a reasonable game of chess; a ratio of two numbers printed above",
        "42": "the 7 × 6 cells of Connect Four",
        "192": "AIMA, in the row of the table: 3 × 64",
        "64": "AIMA: the doubling cube of backgammon",
    },
    "02_minimax": {
        "13": "bm + 1 for b = 3 and m = 4",
        "35": "notebook 1, named there",
        "100": "notebook 1, named there",
        "3500": "bm for chess",
        "549946": "printed in notebook 1, named there",
        "1000000": "a speed to reckon with",
    },
    "03_alpha_beta": {
        "15516": "printed in notebook 2, named there; and in the table below",
        "100": "notebook 1: m for chess",
        "50": "half of 100",
    },
    "04_evaluation_functions": {
        "40": "20 rounds of two games, in the second cell below",
        "64": "Elo's curve, 1/(1 + 10^(−100/400))",
        "76": "Elo's curve, 1/(1 + 10^(−200/400))",
        "60": "the points of each match that is printed above, in percent",
        "1165": "printed below, by the table of mistakes",
        "35": "notebook 1: moves of a position of chess",
        "361": "the 19 × 19 points of Go",
    },
    "05_expectimax": {
        "0.01": "the slider's step",
        "50": "the rules of the library's Pac-Man",
        "100": "the rules of the library's Pac-Man",
        "99": "one point short of Pig's target",
        "49": "7 · 7",
    },
    "06_mcts_ucb1": {
        "500": "a row of the table below",
        "63": "60 + 1 + 2",
        "4000": "four columns of seven, 1,000 games each",
        "7000": "seven columns, 1,000 games each",
        "12": "notebook 4, named there",
        "13": "notebook 2, named there",
        "1000": "in the code of the second cell below",
        "0.1": "in the code below",
        "800": "in the code of the second cell below",
        "1165": "printed below, by the table of mistakes",
    },
    "07_alphazero_lite": {
        "0.75": "an example: 2 · 0.75 − 1 = 0.5",
        "10": "the report, cited there",
        "40": "the report, cited there",
        "0.8": "in the code of the second cell below",
        "55": "Silver and others, 2017: AlphaGo Zero's gate",
        "13": "notebook 2, where the line is played",
        "80": "the training of seed 0: 4,689 s of CPU",
        **dict.fromkeys(("344", "350", "535", "588", "620", "656", "658", "716"), "`bench_alphazero.py parts` prints"),
        "12244": "`tests/benchmarks/bench_alphazero.py replies 13` prints it",
        "5814": "`tests/benchmarks/bench_alphazero.py replies 13` prints it",
        **dict.fromkeys(("92", "93.5", "95"), "`bench_alphazero.py matches 200 600` prints"),
        **dict.fromkeys(("83", "20835"), "15 + 68 and 5,969 + 14,866, which `bench_alphazero.py small 60` prints"),
        **dict.fromkeys(
            ("1016", "1869", "1627", "1458", "1408", "1211", "1129", "1085", "1036", "912"),
            "`bench_alphazero.py parts small 6` prints: means of lost ends",
        ),
        "30": "the report, cited there: minutes",
        "27": "`tests/benchmarks/bench_alphazero.py own` prints it: CPU seconds",
        "50": "the simulations of `tests/benchmarks/bench_alphazero.py hex5`",
        "11": "iterations of the run that is printed above",
        "800": "Silver and others, 2018",
        "28": "Silver and others, 2017",
        "72": "Silver and others, 2017",
        "155": "Silver and others, 2018",
        "839": "Silver and others, 2018",
        "1600": "Silver and others, 2017: AlphaGo Zero",
        "5000": "Silver and others, 2017: TPUs of the first generation",
    },
}
"""For each notebook its numbers that stand in no output and no code, and where they come from."""

YEARS = {
    "04_evaluation_functions": {
        "1858": "the game of Morphy, named there",
        "1955": "Schaeffer and others on Tinsley",
        "1958": "Schaeffer and others on Tinsley",
        "1975": "Schaeffer and others on Tinsley",
        "1991": "Schaeffer and others on Tinsley",
        "1994": "Schaeffer and others on Tinsley",
        "2017": "AlphaZero's first report; the Literature cites the article of 2018",
        "2020": "Stockfish 12, the first with a network",
    },
}
"""Years in which something happened that the Literature has under another."""


APART = re.compile(r"^## (?:Literature|Glossary)$.*", re.S | re.M)
"""What a reader looks things up in."""


def cells_of(name):
    return nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4).cells


def prose(text):
    """The text without what holds no number of its own."""
    for pattern in NO_NUMBERS:
        text = re.sub(pattern, " ", text, flags=re.S)
    return re.sub(r"\b(?:1[89]|20)\d\d\b", " ", text)  # years: held by another test


def numbers_in(text):
    """The numbers of a text as their digits, "549946" for 549,946, and those from 11 up that are words."""
    powers = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: " " + found[0].translate(POWER), text)
    powers = re.sub(r"(?<=\d)\^(?=\d)", " ", powers)
    found = {number.replace(",", "") for number in NUMBER.findall(powers)}
    return found | {number for word, number in WORDS.items() if re.search(rf"\b{word}\b", text, re.I)}


def literals(source):
    """The numbers written in code, but for those that only say how something looks."""
    tree = ast.parse(source)
    looks = {id(node) for call in ast.walk(tree) if isinstance(call, ast.keyword) and call.arg in KEYWORDS
             for node in ast.walk(call)}  # fmt: skip
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in looks]
    return {str(abs(node.value)) for node in constants if type(node.value) in (int, float)} | {
        number for node in constants if isinstance(node.value, str) for number in numbers_in(node.value)
    }


def shown(cell):
    """The numbers that the stored outputs of a code cell show as text."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return {number for text in texts for number in numbers_in("".join(text))}


def without_origin(cells, origins=()):
    """(id of the cell, number) for each number in the text that no output above, no code and no list explains."""
    known, found = set(origins), []
    for index, cell in enumerate(cells):
        if cell.cell_type == "code":
            known |= literals(cell.source) | shown(cell)
            continue
        text = APART.sub("", cell.source)
        beside = next((literals(other.source) for other in cells[index:] if other.cell_type == "code"), set())
        asked = {number for number in numbers_in(prose(text)) if float(number) > COUNTED or "." in number}
        found += [(cell.id, number) for number in sorted(asked - known - beside)]
    return found


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_number_has_its_origin(name):
    assert without_origin(cells_of(name), {*ORIGINS[name], *map(str, minutes(name).values())}) == []


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_list_of_origins_has_nothing_to_spare(name):
    """A number that an output shows by now, or that the text does not name any more, leaves the list."""
    needed = {number for _, number in without_origin(cells_of(name), set(map(str, minutes(name).values())))}
    assert needed == set(ORIGINS[name])


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_year_is_in_the_literature(name):
    text = "\n\n".join(cell.source for cell in cells_of(name) if cell.cell_type == "markdown")
    before, literature = text.split("## Literature")
    cited = set(re.findall(r"\b(?:1[89]|20)\d\d\b", re.sub(r"\]\([^)]*\)", "", before)))
    assert cited - set(re.findall(r"\b\d{4}\b", literature)) == set(YEARS.get(name, ()))


LONGER = {r"\b(warm_up|board|practice)\(": 4, r"\bpredict\(": 1.5}
"""Minutes for code cells with which a reader does something."""


def minutes(name):
    """The minutes of the core and of the sections *Further* by the README's rule, to the next five."""
    spent, part = {"core": 0.0, "further": 0.0}, "core"
    for cell in cells_of(name):
        if cell.cell_type == "markdown":
            if heading := re.match(r"## (.*)", cell.source):
                part = "further" if heading[1].startswith("Further") else "core"
            spent[part] += len(APART.sub("", cell.source).split()) / 90
        else:
            spent[part] += next((time for name, time in LONGER.items() if re.search(name, cell.source)), 1)
    return {part: 5 * round(time / 5) for part, time in spent.items()}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_head_says_the_minutes_and_the_text_where_to_stop(name):
    head, *rest = [cell.source for cell in cells_of(name) if cell.cell_type == "markdown"]
    core, further = re.search(r"\*\*Time\*\*: about (\d+) minutes.*about (\d+) more", head).groups()
    assert {"core": int(core), "further": int(further)} == minutes(name)
    assert int(core) <= 90
    assert sum("**A good place to stop.**" in text for text in rest) == 1


def notebook(*cells):
    """Cells from texts: code and its output as a pair."""
    made = []
    for cell in cells:
        if isinstance(cell, str):
            made.append(nbformat.v4.new_markdown_cell(cell, id=f"t{len(made)}"))
        else:
            made.append(nbformat.v4.new_code_cell(cell[0], id=f"c{len(made)}"))
            made[-1].outputs = [nbformat.v4.new_output("stream", text=cell[1])]
    return made


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ((("f()", "1,234 nodes"), "It took 1,234 nodes."), []),
        (("It took 1,234 nodes.", ("f()", "1,234 nodes")), [("t0", "1234")]),
        (("The tree [12, 30] has 12.", ("tree([12, 30])", "")), []),
        ((("draw(figsize=(12, 30))", ""), "12 leaves"), [("t1", "12")]),
        (("thirteen plies, a million nodes",), [("t0", "1000000"), ("t0", "13")]),
        (("35¹⁰⁰ leaves, 10^154, 0.81 of it, 7 of 9",), [("t0", n) for n in ("0.81", "10", "100", "154", "35")]),
        (("See notebook 2, chapter 15, `take(77)`, (Ada, 1843), $b^{88}$.",), []),
        (("## Literature\n\nPages 293–326",), []),
    ],
)
def test_a_number_without_an_origin_is_found(cells, found):
    assert without_origin(notebook(*cells)) == found
