"""Boards in the pictures of failed checks."""

CELL, MARGIN = 34, 6
"""In pixels."""


def board_picture(rows, lines=(), mark="X", discs=False):
    """A `Picture` of a board; across it `lines`, of cells counted along the rows, in the colour of a mark."""
    from course_lib.explore.board_drawing import COLOURS, draw_board  # late: Matplotlib, which a browser may not have
    from course_lib.explore.drawing import DPI, Picture

    wide, high = len(rows[0]) * CELL, len(rows) * CELL
    sides = [(side + 2 * MARGIN) / DPI for side in (wide, high)]
    figure = Picture(figsize=sides, dpi=DPI, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-MARGIN, wide + MARGIN), ylim=(high + MARGIN, -MARGIN))
    axes.set_axis_off()
    draw_board(axes, rows, 0, 0, max(wide, high), discs)
    colour = COLOURS["max" if mark == "X" else "min"]
    for cells in lines:
        y, x = zip(*(divmod(cell, len(rows[0])) for cell in (cells[0], cells[-1])))
        axes.plot([CELL * (at + 0.5) for at in x], [CELL * (at + 0.5) for at in y], color=colour, alpha=0.35,
                  linewidth=7, solid_capstyle="round", zorder=4)  # fmt: skip
    return figure
