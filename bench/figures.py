"""Medians, spreads and small tables."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def spread(values: Sequence[float]) -> str:
    """The median, with the least and the greatest value."""
    return f"{number(median(values))} ({number(min(values))} to {number(max(values))})"


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> str:
    """The median of the ratios of values that were measured side by side, with the extremes."""
    ratios = [part / whole for part, whole in zip(parts, wholes, strict=True)]
    return f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def quantile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` of the values do not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def number(value: float) -> str:
    """The number with about three digits that count, thousands set apart."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, its columns aligned for reading as plain text."""
    lines = [tuple(head), *map(tuple, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    rule = tuple("-" * width for width in widths)
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in (lines[0], rule, *lines[1:])
    )
