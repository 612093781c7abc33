"""Figures drawn from what was observed, as inline SVG in the colours of the site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

from claimbook.cards.card import Json

CELL, GAP = 84, 10
"""Pixels: side of a cell, space between cells."""


def mesh_figure(seen: Mapping[str, Json], *, words: Mapping[str, str], id: str) -> Markup:
    """A two-dimensional mesh, a row of ranks a line, coloured by shard group.

    `seen` has `mesh` (ranks by row and column), `shard_groups` and `local_shapes` (by rank).
    """
    mesh: Sequence[Sequence[int]] = seen["mesh"]
    group_of = {rank: at for at, group in enumerate(seen["shard_groups"]) for rank in group}
    cells, told = [], []
    for at, row in enumerate(mesh):
        for column, rank in enumerate(row):
            part = "×".join(map(str, seen["local_shapes"][rank]))
            cells.append(_cell(column, at, rank=rank, part=part, group=group_of[rank]))
    for at, group in enumerate(seen["shard_groups"]):
        told.append(f"{words['shard_group']} {chr(ord('A') + at)}: {', '.join(map(str, group))}")
    width = max(map(len, mesh)) * (CELL + GAP) + GAP
    height = len(mesh) * (CELL + GAP) + GAP
    label = escape("; ".join(told))
    return Markup(
        f'<svg class="cb-mesh" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{id}-title">'
        f'<title id="{id}-title">{label}</title>'
        f"{''.join(cells)}</svg>"
    )


def _cell(column: int, row: int, *, rank: int, part: str, group: int) -> str:
    x, y = GAP + column * (CELL + GAP), GAP + row * (CELL + GAP)
    middle = x + CELL / 2
    return (
        f'<g class="cb-group-{group % 8}"><rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="6"/>'
        f'<text class="cb-group" x="{x + 8}" y="{y + 18}">{chr(ord("A") + group)}</text>'
        f'<text class="cb-rank" x="{middle}" y="{y + 44}">{rank}</text>'
        f'<text class="cb-part" x="{middle}" y="{y + 68}">{escape(part)}</text></g>'
    )
