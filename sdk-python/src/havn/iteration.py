"""Iterates over lists page by page, and over account entries month by month."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Protocol, TypeVar

from ._operation import PsuSession

if TYPE_CHECKING:
    from .async_client import AsyncHavn
    from .client import Havn
    from .models import AccountEntry, WebhookEventPage

DAYS_PER_REQUEST = 31
"""Long ranges of entries are read in parts, since banks limit the range of one request."""


class Page(Protocol):
    """A page of a list."""

    next_cursor: str | None


P = TypeVar("P", bound=Page)
I = TypeVar("I")  # noqa: E741


def iterate_pages(
    read: Callable[[str | None], P], items_of: Callable[[P], Sequence[I]]
) -> Iterator[I]:
    """Yields the items of all pages."""
    cursor: str | None = None
    while True:
        page = read(cursor)
        yield from items_of(page)
        cursor = page.next_cursor
        if cursor is None:
            return


async def iterate_pages_async(
    read: Callable[[str | None], Awaitable[P]], items_of: Callable[[P], Sequence[I]]
) -> AsyncIterator[I]:
    """Yields the items of all pages."""
    cursor: str | None = None
    while True:
        page = await read(cursor)
        for item in items_of(page):
            yield item
        cursor = page.next_cursor
        if cursor is None:
            return


def iterate_account_entries(
    havn: Havn,
    account_id: str,
    *,
    from_date: date,
    to_date: date,
    consent_id: str,
    psu: PsuSession | None = None,
) -> Iterator[AccountEntry]:
    """Yields the entries of an account, however long the range; each once."""
    seen: set[str] = set()
    for first, last in _parts(from_date, to_date):
        page = havn.list_account_entries(
            account_id, from_date=first, to_date=last, consent_id=consent_id, psu=psu
        )
        yield from _unseen(page.account_entries, seen)


async def iterate_account_entries_async(
    havn: AsyncHavn,
    account_id: str,
    *,
    from_date: date,
    to_date: date,
    consent_id: str,
    psu: PsuSession | None = None,
) -> AsyncIterator[AccountEntry]:
    """Yields the entries of an account, however long the range; each once."""
    seen: set[str] = set()
    for first, last in _parts(from_date, to_date):
        page = await havn.list_account_entries(
            account_id, from_date=first, to_date=last, consent_id=consent_id, psu=psu
        )
        for entry in _unseen(page.account_entries, seen):
            yield entry


def iterate_webhook_event_pages(havn: Havn, after: str | None = None) -> Iterator[WebhookEventPage]:
    """Yields pages of events up to now: store ``next_after`` of each once it is processed."""
    while True:
        page = havn.list_webhook_events(after=after)
        if not page.events and not page.missed:
            return
        yield page
        after = page.next_after


async def iterate_webhook_event_pages_async(
    havn: AsyncHavn, after: str | None = None
) -> AsyncIterator[WebhookEventPage]:
    """Yields pages of events up to now: store ``next_after`` of each once it is processed."""
    while True:
        page = await havn.list_webhook_events(after=after)
        if not page.events and not page.missed:
            return
        yield page
        after = page.next_after


def _parts(from_date: date, to_date: date) -> Iterator[tuple[date, date]]:
    """Both days of a part are included."""
    first = from_date
    while first <= to_date:
        last = min(first + timedelta(days=DAYS_PER_REQUEST - 1), to_date)
        yield first, last
        first = last + timedelta(days=1)


def _unseen(entries: Sequence[AccountEntry], seen: set[str]) -> Iterator[AccountEntry]:
    """Banks return pending entries for any range."""
    for entry in entries:
        if entry.stable_entry_id not in seen:
            seen.add(entry.stable_entry_id)
            yield entry
