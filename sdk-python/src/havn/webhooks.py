"""Verifies webhook deliveries, and only then reads their events."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, Union, runtime_checkable

from ._generated.events import MODELS_BY_TYPE, KnownEvent
from ._wire import UnknownEvent, event_reader

TOLERANCE_SECONDS = 300
SIGNATURE = re.compile(r"v1=[0-9a-fA-F]{64}")
SECONDS = re.compile(r"[0-9]{1,12}")


@runtime_checkable
class HeaderItems(Protocol):
    """A mapping, or headers of a server that are none, as those of ``http.server``."""

    def items(self) -> Iterable[tuple[str, str]]: ...


Headers: TypeAlias = Union[HeaderItems, Iterable[tuple[str, str]]]
"""Received headers, with names in any case."""

RejectionReason = Literal[
    "missing-header",
    "malformed-timestamp",
    "timestamp-outside-tolerance",
    "malformed-signature",
    "wrong-signature",
    "malformed-body",
]


WebhookEvent: TypeAlias = Union[KnownEvent, UnknownEvent]
"""The event of a delivery; tell them apart by ``isinstance``."""

_read = event_reader(MODELS_BY_TYPE)


class WebhookRejectedError(Exception):
    """A delivery that is not authentic, or whose body is no event: answer it with 400."""

    def __init__(self, reason: RejectionReason) -> None:
        super().__init__(f"The webhook delivery was rejected: {reason}")
        self.reason: RejectionReason = reason


@dataclass(frozen=True)
class WebhookDelivery:
    """An authentic delivery."""

    delivery_id: str
    """The same in every attempt; from a header that is not signed, so for logs only."""
    event: WebhookEvent
    """The event, which is signed; its ``id`` identifies repetitions."""


def verify_webhook(
    body: bytes | str,
    headers: Headers,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now_seconds: float | None = None,
) -> WebhookDelivery:
    """Verifies a delivery and reads its event.

    Args:
        body: The received bytes, unchanged: another form of the same JSON has another signature.
        headers: The received headers, with names in any case.
        secret: The signing secret; during a rotation the new one and the old one.
        tolerance_seconds: How far the delivery's timestamp may be from this machine's clock.
        now_seconds: The current time in seconds since 1970, for tests.

    Raises:
        WebhookRejectedError: The delivery is not authentic.
    """
    delivery_id, timestamp, signature = (
        _header(headers, f"x-svc-webhook-{name}") for name in ("id", "timestamp", "signature")
    )
    if delivery_id is None or timestamp is None or signature is None:
        raise WebhookRejectedError("missing-header")
    if not SECONDS.fullmatch(timestamp):
        raise WebhookRejectedError("malformed-timestamp")
    now = time.time() if now_seconds is None else now_seconds
    if not abs(now - int(timestamp)) <= tolerance_seconds:
        raise WebhookRejectedError("timestamp-outside-tolerance")
    if not SIGNATURE.fullmatch(signature):
        raise WebhookRejectedError("malformed-signature")
    content = body.encode() if isinstance(body, str) else body
    if not _is_signed(_secrets(secret), timestamp.encode() + b"." + content, signature[3:].lower()):
        raise WebhookRejectedError("wrong-signature")
    return WebhookDelivery(delivery_id, _read_event(content))


def _secrets(secret: str | Sequence[str]) -> Sequence[str]:
    """With an empty secret anyone could sign."""
    secrets = [secret] if isinstance(secret, str) else secret
    if not secrets or not all(secrets):
        raise ValueError("verify_webhook needs the signing secret of the subscription")
    return secrets


def _is_signed(secrets: Sequence[str], signed: bytes, signature: str) -> bool:
    """Compares with all secrets, in constant time."""
    digests = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets]
    return any([hmac.compare_digest(digest, signature) for digest in digests])


def _header(headers: Headers, name: str) -> str | None:
    """A repeated header is ambiguous, and counts as missing."""
    pairs = headers.items() if isinstance(headers, HeaderItems) else headers
    values = [value for given, value in pairs if given.lower() == name]
    return values[0] if len(values) == 1 else None


def _read_event(content: bytes) -> WebhookEvent:
    try:
        event: WebhookEvent = _read(json.loads(content))
    except ValueError:
        raise WebhookRejectedError("malformed-body") from None
    return event
