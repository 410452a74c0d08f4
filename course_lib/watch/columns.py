"""The form in which a tree goes to the browser: columns of numbers, and one list of all texts."""

from array import array


class Texts(dict):
    """Numbers for texts, given out in the order in which the texts first come up."""

    def __missing__(self, text):
        self[text] = len(self)
        return self[text]


def columns_of_rows(rows):
    """The columns of nodes that come as dictionaries, parents first; `more` counts the children that a node has."""
    texts = Texts()
    columns = {name: array("i", [row[name] for row in rows]) for name in ("parent", "more")}
    columns |= {name: array("i", [texts[row[name]] for row in rows]) for name in ("action", "edge", "leaf", "size")}
    columns |= {"kind": bytes(row["kind"] for row in rows), "status": bytes(len(rows))}
    return {"texts": texts, "columns": columns}
