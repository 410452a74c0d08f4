"""The explorer of a watched Monte-Carlo tree search, and a figure of its tree."""

import textwrap
from array import array
from heapq import heappop, heappush
from math import isnan, nan
from numbers import Real

import ipywidgets as widgets
import traitlets

from course_lib.explore.picture import BOARD, ROW, WIDEST, _boards_wanted, _Drawn, _figure, _layout, check_step
from course_lib.explore.scripts import script, style
from course_lib.explore.tree import SLIDER, Explorer, Tree, _board_traits, _send_boards, wire
from course_lib.games import ConnectFour, player_name
from course_lib.watch.columns import Texts, action_text, kind_number, leaf_text, number_text
from course_lib.watch.mcts import PHASES, reward
from course_lib.watch.paths import kind_of, moves_of

MOST_DRAWN = 60
"""A picture has no more nodes than this."""


class SearchTree(Tree):
    """The drawn tree (see mcts.js); `step` counts phases, `stride` is how many a step takes, `c` is shown as chosen."""

    _esm = script("mcts.js")
    _css = style("tree.css", "mcts.css")
    c = traitlets.Float().tag(sync=True)
    stride = traitlets.Int(len(PHASES)).tag(sync=True)


def explore_mcts(watched, step=0, predict="", reorder=False, boards=None, open_depth=-1, height=460):
    """What `explore` returns for a `WatchedMCTS`."""
    if predict or reorder:
        raise ValueError("predict and reorder are for recursive searches; of a Monte-Carlo tree search leave them out")
    check_step(step, watched.steps, "phases")
    game, states = watched.game, [node.state for node in watched.nodes]
    sent = wire(columns_of_mcts(watched)) | facts_of(watched)
    traits = _board_traits(game, states[0], boards, len(states))
    stride = 1 if step % len(PHASES) else len(PHASES)
    tree = SearchTree(name=f"{watched.name} on {game!r}", tree=sent, step=step, stride=stride, c=watched.c,
                      open_depth=open_depth, height=height, **traits)  # fmt: skip
    tree.on_msg(lambda _, message, __: _send_boards(tree, game, states, message))
    above = [widgets.HTML(f"<b>{watched.notice}</b>")] if watched.notice else []
    controls, links = _controls(tree, watched)
    return Explorer(tree, [*above, controls], links, lambda: picture_mcts(watched, step or None, boards))


def _controls(tree, watched):
    """Play, step, what a step is, and speed, in a row; what links them to the tree in the browser."""
    play = widgets.Play(value=tree.step, max=watched.steps, step=tree.stride, interval=600, show_repeat=False)
    slider = widgets.IntSlider(value=tree.step, max=watched.steps, step=tree.stride, readout=False, layout=SLIDER)
    short = {"style": {"description_width": "initial"}, "layout": {"width": "150px"}}
    units = [("iteration", len(PHASES)), ("phase", 1)]
    unit = widgets.Dropdown(options=units, value=tree.stride, description="step by", **short)
    speeds = [("slow", 1500), ("normal", 600), ("fast", 150), ("very fast", 30)]
    speed = widgets.Dropdown(options=speeds, value=600, description="speed", **short)
    links = [widgets.jslink((control, "value"), (tree, "step")) for control in (play, slider)]
    widgets.dlink((speed, "value"), (play, "interval"))
    for target, name in ((play, "step"), (slider, "step"), (tree, "stride")):
        widgets.dlink((unit, "value"), (target, name))
    tips = {play: "play the steps", slider: "step", unit: "step by", speed: "speed"}
    for control, tip in tips.items():
        control.tooltip = tip
    return widgets.HBox([play, slider, unit, speed], layout={"flex_flow": "row wrap", "width": "100%"}), links


def facts_of(watched):
    """What the drawn tree needs to know as a whole."""
    return {"formula": watched.formula, "c": watched.c, "names": [player_name(p) for p in range(_players(watched))]}


def _players(watched):
    return getattr(watched.game, "players", 2)


def columns_of_mcts(watched):
    """The columns of a watched Monte-Carlo tree search with their texts."""
    texts, game, nodes, seen = Texts(), watched.game, watched.nodes, watched.iterations
    tips = [one.path[-1] if one.expanded is None else one.expanded for one in seen]
    rank = array("i", [0]) * len(nodes)
    for children in watched.children:
        for place, child in enumerate(children):
            rank[child] = place
    start = [watched.start.get(number) for number in range(len(nodes))]
    columns = {
        "parent": array("i", [node.parent for node in nodes]),
        "kind": bytes(kind_number(game, node.state) for node in nodes),
        "status": bytes(len(nodes)),
        "action": array("i", [texts[action_text(node.action)] for node in nodes]),
        "edge": array("i", [texts[edge_text(watched, number)] for number in range(len(nodes))]),
        "leaf": array("i", [texts[leaf_text(game, node.state)] for node in nodes]),
        "size": array("i", [texts[""]]) * len(nodes),
        "rank": rank,
        "born": array("i", [node.born for node in nodes]),
        "mover": array("i", [node.player for node in nodes]),
        "moves": array("i", [len(moves_of(game, node.state)) for node in nodes]),
        "prior": array("d", [node.prior for node in nodes]),
        "start_n": array("d", [0 if numbers is None else numbers.visits for numbers in start]),
        "start_u": array("d", [0 if numbers is None else numbers.utility for numbers in start]),
        "start_mean": array("d", [nan if numbers is None else numbers.mean for numbers in start]),
        "start_proven": array("d", [nan if numbers is None else numbers.proven for numbers in start]),
        "op": bytes(range(len(PHASES))) * len(seen),
        "at": array("i", [at for one, tip in zip(seen, tips) for at in (one.path[-1], tip, tip, tip)]),
        "rewards": array("i", [texts[_rewards_text(one.rewards)] for one in seen]),
        "reward": array("d", [reward(one.rewards, nodes[tip].player) for one, tip in zip(seen, tips)]),
    }
    return {"texts": texts, "columns": columns | _playouts(seen, texts) | _changes(seen)}


def edge_text(watched, number):
    """What is written above a node: its action, and the probability of chance or the prior."""
    node = watched.nodes[number]
    if node.parent < 0:
        return ""
    if not isnan(node.prior):
        return f"{action_text(node.action)}  P {node.prior:.2f}"
    moves = moves_of(watched.game, watched.nodes[node.parent].state)
    return action_text(node.action, dict(moves).get(node.action))


def _rewards_text(rewards):
    if rewards is None or isinstance(rewards, Real):
        return "" if rewards is None else number_text(rewards + 0)  # −0 becomes 0
    return ", ".join(f"{player_name(player)} {number_text(reward)}" for player, reward in enumerate(rewards))


def _playouts(seen, texts):
    """The actions of all playouts one after the other, and where that of each iteration begins."""
    first, actions = array("i", [0]), array("i")
    for one in seen:
        actions.extend(texts[action_text(action)] for action in one.playout)
        first.append(len(actions))
    return {"playout_from": first, "playout": actions}


def _changes(seen):
    """The nodes that iterations changed, one after the other, with the numbers they got."""
    first, changed, numbers = array("i", [0]), array("i"), [array("d") for _ in range(4)]
    for one in seen:
        for number, now in one.changed.items():
            changed.append(number)
            for column, value in zip(numbers, now):
                column.append(value)
        first.append(len(changed))
    return {"changed_from": first, "changed": changed} | dict(zip(("n", "u", "mean", "proven"), numbers))


def picture_mcts(watched, step=None, boards=None):
    """What `picture` draws of a `WatchedMCTS`: U/N in each node, below it U/N and UCB1, or Q and PUCT.

    The edge to the child that selection goes to next is thick. Of a large tree the most visited part is drawn.
    """
    check_step(step, watched.steps, "phases")
    game, numbers = watched.game, watched.numbers(step)
    with_boards = _boards_wanted(game, (None, None, watched.nodes[0].state), boards)
    row = ROW + (BOARD + 4 if with_boards else 0)
    drawn = {0: _drawn(watched, 0, numbers, with_boards)}
    unread = [(0, 0)]
    while unread:
        _, number = heappop(unread)
        children = [child for child in watched.children[number] if child in numbers]
        drawn |= {child: _drawn(watched, child, numbers, with_boards) for child in children}
        drawn[number].children = [drawn[child] for child in children]
        if children and (len(drawn) > MOST_DRAWN or _layout(drawn[0], row) > WIDEST):
            drawn[number].children = []
            drawn[number].interval += f"  +{len(children)}"
            continue
        chosen = watched.chosen(number, numbers)
        if chosen is not None:
            drawn[chosen].chosen = True
        for child in children:
            heappush(unread, (-numbers[child].visits, child))
    figure = _figure(drawn[0], _layout(drawn[0], row), isinstance(game, ConnectFour))
    ucb1 = "U", "the quotient", "UCB1"
    letter, mean, formula = ("W", "Q (the proven value, if any)", "PUCT") if watched.formula == "puct" else ucb1
    return _explained(
        figure,
        f"In a node: {letter}/N for the player who moved into it; below: {mean} · {formula} with "
        f"C = {watched.c:.2f}; +: children not drawn. Thick: selection goes there next.",
    )


def _explained(figure, words):
    """The figure with these words below it."""
    width, height = figure.get_size_inches()
    text = textwrap.fill(words, int(14 * width))
    more = 0.16 * (text.count("\n") + 1) + 0.1
    figure.set_size_inches(width, height + more)
    figure.axes[0].set_position((0, more / (height + more), 1, height / (height + more)))
    figure.text(0.08 / width, 0.06 / (height + more), text, fontsize=8, color="#444", va="bottom")
    return figure


def _drawn(watched, number, numbers, with_board):
    """A node as a picture has it."""
    game, state, mine = watched.game, watched.nodes[number].state, numbers[number]
    score = watched.score(number, numbers)
    below = "" if isnan(mine.mean) else f"{mine.mean:z.2f}"
    below += "" if isnan(score) else " · proven" if watched.proves(number, numbers) else f" · {score:z.2f}"
    below = below.replace("-", "−").replace("inf", "∞")
    return _Drawn(kind_of(game, state), edge_text(watched, number), fraction(mine), interval=below,
                  rows=game.grid(state) if with_board else None)  # fmt: skip


def fraction(numbers):
    """U/N as the course writes it."""
    return f"{number_text(round(float(numbers.utility), 2) + 0)}/{numbers.visits:,}"
