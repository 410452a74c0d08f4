"""The explorer for Monte Carlo tree search in a real JupyterLab."""

from playwright.sync_api import expect

from browser.test_widgets_explorer import node, press

EXAMPLE = """game = TreeGame([[[[[1]]]], 0, 0])
counts = {(): (37, 100), (0,): (60, 79), (1,): (1, 10), (2,): (2, 11), (0, 0): (16, 53), (0, 0, 0): (27, 35)}
grown = watch_mcts(monte_carlo_tree_search, game, iterations=1, c=1.4, root=mcts_tree(game, counts))
e = explore(grown)
e"""
TEXTS = """node => Object.fromEntries([...node.querySelectorAll("[data-node]")].map(g =>
    [g.dataset.node, g.querySelector(".value").textContent]))"""


def by_phase(explorer):
    """Choose to step by phase, and wait until the tree has been told: the choice goes by the kernel."""
    explorer.get_by_label("step by").select_option("phase")
    press(explorer, "Home")
    caption = explorer.locator(".caption")
    for _ in range(50):
        press(explorer, "ArrowRight")
        if "Selection" in caption.text_content():
            return press(explorer, "Home")
        press(explorer, "Home")
    raise AssertionError("the steps are still iterations")


def test_the_phases_of_the_worked_example_forwards_and_backwards(page, shown):
    explorer = shown(EXAMPLE)
    by_phase(explorer)
    caption, new, dotted = explorer.locator(".caption"), node(explorer, 6), explorer.locator(".main path.playout")
    expect(explorer.locator("[data-node]")).to_have_count(6)
    press(explorer, "ArrowRight")
    expect(caption).to_have_text("Iteration 1 of 1. Selection reaches the Min node 0 0 0, which has untried actions.")
    for number in (0, 1, 4, 5):
        expect(node(explorer, number).locator(".halo")).to_have_count(1)
    expect(node(explorer, 3).locator(".halo")).to_have_count(0)
    press(explorer, "ArrowRight")
    expect(caption).to_contain_text("Expansion: action 0 gets a node without visits.")
    expect(new.locator(".value")).to_have_text("0/0")
    expect(new.locator(".score")).to_have_text("UCB1 ∞")
    expect(dotted).to_have_count(1)  # in the legend
    press(explorer, "ArrowRight")
    expect(caption).to_contain_text("Simulation: the playout 0 ends with Max 1, Min 0.")
    expect(dotted).to_have_count(2)
    expect(explorer.locator(".played .value")).to_have_text("Min: 0")
    expect(node(explorer, 5).locator(".value")).to_have_text("27/35")
    press(explorer, "ArrowRight")
    expect(dotted).to_have_count(1)
    after = {"0": "37/101", "1": "61/80", "2": "1/10", "3": "2/11", "4": "16/54", "5": "28/36", "6": "0/1"}
    assert explorer.evaluate(TEXTS) == after
    press(explorer, "ArrowLeft", 4)
    expect(new).to_have_count(0)
    assert explorer.evaluate(TEXTS) == {
        "0": "37/100",
        "1": "60/79",
        "2": "1/10",
        "3": "2/11",
        "4": "16/53",
        "5": "27/35",
    }
