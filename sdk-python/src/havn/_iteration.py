"""Iterates over lists: page by page, by position, or element by element while a response arrives."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Protocol, TypeVar

from ._log import logger


class Page(Protocol):
    """A page of a list."""

    next_cursor: str | None


class PositionedPage(Protocol):
    """A page of what has been recorded since a position."""

    next_after: str
    missed: bool


P = TypeVar("P", bound=Page)
Q = TypeVar("Q", bound=PositionedPage)
Item = TypeVar("Item")


def iterate_pages(
    read: Callable[[str | None], P], items_of: Callable[[P], Sequence[Item]]
) -> Iterator[Item]:
    """Yields the items of all pages; a page is read when its first item is needed."""
    cursor: str | None = None
    while True:
        page = read(cursor)
        yield from items_of(page)
        cursor = page.next_cursor
        if cursor is None:
            return


async def iterate_pages_async(
    read: Callable[[str | None], Awaitable[P]], items_of: Callable[[P], Sequence[Item]]
) -> AsyncIterator[Item]:
    """Yields the items of all pages; a page is read when its first item is needed."""
    cursor: str | None = None
    while True:
        page = await read(cursor)
        for item in items_of(page):
            yield item
        cursor = page.next_cursor
        if cursor is None:
            return


def iterate_positions(
    read: Callable[[str | None], Q], items_of: Callable[[Q], Sequence[Item]], after: str | None
) -> Iterator[Item]:
    """Yields what has been recorded since a position, up to now."""
    while True:
        page = read(after)
        _report_missed(page)
        items = items_of(page)
        if not items:
            return
        yield from items
        after = page.next_after


async def iterate_positions_async(
    read: Callable[[str | None], Awaitable[Q]],
    items_of: Callable[[Q], Sequence[Item]],
    after: str | None,
) -> AsyncIterator[Item]:
    """Yields what has been recorded since a position, up to now."""
    while True:
        page = await read(after)
        _report_missed(page)
        items = items_of(page)
        if not items:
            return
        for item in items:
            yield item
        after = page.next_after


def _report_missed(page: PositionedPage) -> None:
    if page.missed:
        logger.warning("Events after the position were deleted: get the resources themselves")


class ElementReader:
    """Reads the elements of an array in a JSON object while its text arrives."""

    def __init__(self, name: str) -> None:
        self._opening = re.compile(rf'"{re.escape(name)}"\s*:\s*\[')
        self._decoder = json.JSONDecoder(parse_float=Decimal)
        self._text = ""
        self._is_open = False
        self._is_complete = False

    def feed(self, text: str) -> Iterator[Any]:
        """Yields the elements that this part of the text completes."""
        self._text += text
        if not self._is_open:
            opening = self._opening.search(self._text)
            if opening is None:
                return
            self._is_open = True
            self._text = self._text[opening.end() :]
        while not self._is_complete:
            self._text = self._text.lstrip(" \t\r\n,")
            if self._text.startswith("]"):
                self._is_complete = True
                return
            try:
                element, end = self._decoder.raw_decode(self._text)
            except ValueError:
                return
            self._text = self._text[end:]
            yield element

    def finish(self) -> None:
        """Raises if the text has ended before the array."""
        if not self._is_complete:
            raise ValueError("it ends before its last element")
