"""Boards in the pictures of failed checks."""

CELL, MARGIN = 34, 6
"""In pixels."""


def board_picture(rows, discs=False):
    """A `Picture` of a board."""
    from course_lib.explore.board_drawing import draw_board  # late: Matplotlib, which a browser may not have
    from course_lib.explore.drawing import DPI, Picture

    wide, high = len(rows[0]) * CELL, len(rows) * CELL
    sides = [(side + 2 * MARGIN) / DPI for side in (wide, high)]
    figure = Picture(figsize=sides, dpi=DPI, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-MARGIN, wide + MARGIN), ylim=(high + MARGIN, -MARGIN))
    axes.set_axis_off()
    draw_board(axes, rows, 0, 0, max(wide, high), discs)
    return figure
