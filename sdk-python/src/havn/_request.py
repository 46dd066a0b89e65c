"""Builds the HTTP request of a call; it is the same in every attempt, apart from the token."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, TypeVar
from urllib.parse import quote, urlencode

import httpx
from pydantic import BaseModel

from ._operation import Arguments, Operation
from ._settings import Settings

T = TypeVar("T")

CONNECT_SECONDS = 10.0
DETAILED_ERRORS = "errors=detailed"
"""So that errors say where, and which order they are about."""


@dataclass(frozen=True)
class Call(Generic[T]):
    """A prepared call of an operation."""

    operation: Operation[T]
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    idempotency_key: str | None
    timeout_seconds: float

    def request(self, token: str | None) -> httpx.Request:
        """The request of one attempt."""
        headers = dict(self.headers)
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        connect_seconds = min(self.timeout_seconds, CONNECT_SECONDS)
        return httpx.Request(
            self.operation.method,
            self.url,
            headers=headers,
            content=self.content,
            extensions={
                "timeout": httpx.Timeout(self.timeout_seconds, connect=connect_seconds).as_dict()
            },
        )


def prepare(
    settings: Settings,
    operation: Operation[T],
    arguments: Arguments,
    media_type: str = "application/json",
) -> Call[T]:
    """Prepares a call; an operation that accepts an idempotency key gets one in any case."""
    key = arguments.idempotency_key
    if key is None and operation.accepts_key:
        key = str(uuid.uuid4())
    return Call(
        operation=operation,
        url=_url(settings, operation, arguments),
        headers=_headers(settings, operation, arguments, key, media_type),
        content=None if arguments.body is None else _content(operation, arguments.body),
        idempotency_key=key,
        timeout_seconds=settings.timeout_seconds
        if arguments.timeout is None
        else arguments.timeout,
    )


def _url(settings: Settings, operation: Operation[T], arguments: Arguments) -> str:
    path = operation.path
    for name, value in arguments.path.items():
        path = path.replace(f"{{{name}}}", _path_segment(name, value))
    query = urlencode(
        [(name, _text(name, value)) for name, value in arguments.query.items() if value is not None]
    )
    return f"{settings.url_of(operation.server)}{path}{'?' if query else ''}{query}"


def _path_segment(name: str, value: str) -> str:
    """Dots alone would address another path, even when they are encoded."""
    if value in ("", ".", ".."):
        raise ValueError(f"{name} must be the text of an id, not {value!r}")
    return quote(str(value), safe="")


def _text(name: str, value: object) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{name} needs a time zone, for example datetime.now(timezone.utc)")
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def _headers(
    settings: Settings,
    operation: Operation[T],
    arguments: Arguments,
    key: str | None,
    media_type: str,
) -> dict[str, str]:
    psu = arguments.psu
    form = "application/x-www-form-urlencoded"
    stated = {
        "accept": media_type,
        "user-agent": settings.user_agent,
        "prefer": DETAILED_ERRORS,
        "consent-id": arguments.consent_id,
        "psu-ip-address": None if psu is None else psu.ip_address,
        "psu-user-agent": None if psu is None else psu.user_agent,
        **({} if psu is None else psu.headers),
        "idempotency-key": key,
        "content-type": None
        if arguments.body is None
        else (form if operation.is_form else "application/json"),
    }
    return {name: value for name, value in stated.items() if value is not None}


def _content(operation: Operation[T], body: BaseModel) -> bytes:
    if operation.is_form:
        return urlencode(body.model_dump(mode="json", by_alias=True, exclude_none=True)).encode()
    return body.model_dump_json(by_alias=True, exclude_none=True).encode()
