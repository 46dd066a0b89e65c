"""The client of Havn for Python: payments and account information at Nordic banks.

``Havn`` is the synchronous client, ``AsyncHavn`` the asynchronous one. What they send and receive is
in ``havn.models``.
"""

from . import models
from ._operation import PsuSession
from ._version import VERSION as __version__
from ._wire import UnknownEvent
from .async_client import AsyncHavn
from .client import Havn
from .errors import (
    ErrorItem,
    HavnAuthenticationError,
    HavnConflictError,
    HavnConnectionError,
    HavnError,
    HavnNotFoundError,
    HavnPermissionError,
    HavnRateLimitError,
    HavnRejectedError,
    HavnResponseError,
    HavnServerError,
    HavnTimeoutError,
    HavnUnknownOutcomeError,
    HavnValidationError,
)
from .sandbox import move_clock, move_clock_async
from .webhooks import WebhookDelivery, WebhookEvent, WebhookRejectedError, verify_webhook

__all__ = [
    "AsyncHavn",
    "ErrorItem",
    "Havn",
    "HavnAuthenticationError",
    "HavnConflictError",
    "HavnConnectionError",
    "HavnError",
    "HavnNotFoundError",
    "HavnPermissionError",
    "HavnRateLimitError",
    "HavnRejectedError",
    "HavnResponseError",
    "HavnServerError",
    "HavnTimeoutError",
    "HavnUnknownOutcomeError",
    "HavnValidationError",
    "PsuSession",
    "UnknownEvent",
    "WebhookDelivery",
    "WebhookEvent",
    "WebhookRejectedError",
    "__version__",
    "models",
    "move_clock",
    "move_clock_async",
    "verify_webhook",
]
