"""Writes single values into a YAML card and leaves every other character as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from claimbook.cards.card import Pointer


def with_value(text: str, mapping: Pointer, key: str, *, value: str, after: Sequence[str]) -> str:
    """The text with `key: value` in the mapping at a pointer.

    A key that is there keeps its place and its comments. A new one stands after the first key of `after` that
    the mapping has, in the style of the mapping. Raises KeyError where there is no such mapping.
    """
    node = _node(yaml.compose(text, Loader=yaml.CSafeLoader), mapping)
    pairs: dict[str, tuple[Any, Any]] = {name.value: (name, found) for name, found in node.value}
    if key in pairs:
        found = pairs[key][1]
        return text[: _at(text, found.start_mark)] + value + text[_at(text, found.end_mark) :]
    name, found = next(pairs[other] for other in after if other in pairs)
    if node.flow_style:
        end = _at(text, found.end_mark)
        return f"{text[:end]}, {key}: {value}{text[end:]}"
    newline = "\r\n" if "\r\n" in text else "\n"
    return _with_line(text, f"{' ' * name.start_mark.column}{key}: {value}{newline}", name, found)


def _node(node: Any, pointer: Pointer) -> Any:
    for step in pointer:
        children = {name.value: found for name, found in node.value}
        node = children[step]
    if not isinstance(node, yaml.MappingNode):
        raise KeyError(pointer)
    return node


def _with_line(text: str, line: str, name: Any, found: Any) -> str:
    """The text with a line after that of a value; before its key where the value is a block of lines."""
    if getattr(found, "style", None) in ("|", ">") or getattr(found, "flow_style", None) is False:
        start = _at(text, name.start_mark) - name.start_mark.column
        return text[:start] + line + text[start:]
    end = text.find("\n", _at(text, found.end_mark))
    if end < 0:
        return f"{text}{line[-1]}{line}"
    return text[: end + 1] + line + text[end + 1 :]


def _at(text: str, mark: Any) -> int:
    """The offset of a mark; its own index counts differently in the two parsers of PyYAML."""
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: mark.line])) + int(mark.column)
