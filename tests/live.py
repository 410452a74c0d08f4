"""Which cells of a notebook show live widgets, and which other cells those need: read off their code."""

import ast
import symtable

WIDGETS = {"board", "explore", "interact", "practice", "predict", "warm_up"}
"""The functions that show one."""


def live_cells(cells):
    """The indices of the cells that call one of `WIDGETS`."""
    return [index for index, cell in enumerate(cells) if WIDGETS & called(source(cell))]


def called(code):
    calls = [node.func for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    return {function.id for function in calls if isinstance(function, ast.Name)}


def with_what_they_need(cells, wanted):
    """The indices of these cells, and of the earlier ones that bind names which they use, in order.

    A cell that only changes what a name stands for, as `scores["Hex"] = 1` does, is not found.
    """
    tables = [symtable.symtable(source(cell), "a cell", "exec") for cell in cells]
    needed, to_do = set(), set(wanted)
    while to_do:
        needed.add(index := to_do.pop())
        binders = {last_to_bind(name, tables[:index]) for name in used(tables[index]) - bound(tables[index])}
        to_do |= binders - {None} - needed
    return sorted(needed)


def source(cell):
    return cell["source"] if cell["cell_type"] == "code" else ""


def last_to_bind(name, tables):
    """The index of the last table that binds the name, None if it is one of Python's own."""
    return next((index for index in reversed(range(len(tables))) if name in bound(tables[index])), None)


def bound(table):
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}


def used(table):
    """The names of the notebook, or of Python, that code uses: its functions' own names are not among them."""
    names = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced() and symbol.is_global()}
    return names.union(*map(used, table.get_children()))
