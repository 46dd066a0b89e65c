"""The client of Havn for Python: payments and account information at Nordic banks.

``Havn`` is the synchronous client, ``AsyncHavn`` the asynchronous one. What they send and receive is
in ``havn.models``.
"""

from . import models
from ._operation import PsuSession
from ._version import VERSION as __version__
from .async_client import AsyncHavn
from .client import Havn
from .errors import (
    AccessForbiddenError,
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    FieldError,
    HavnError,
    MalformedResponseError,
    NotFoundError,
    RateLimitedError,
    ServerError,
    ServiceUnavailableError,
    TimedOutError,
    UnknownOutcomeError,
    ValidationFailedError,
)
from .iteration import (
    iterate_account_entries,
    iterate_account_entries_async,
    iterate_webhook_event_pages,
    iterate_webhook_event_pages_async,
)
from .sandbox import move_clock, move_clock_async
from .webhooks import (
    UnknownEvent,
    WebhookDelivery,
    WebhookEvent,
    WebhookRejectedError,
    verify_webhook,
)

__all__ = [
    "AccessForbiddenError",
    "ApiError",
    "AsyncHavn",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "ConnectionFailedError",
    "FieldError",
    "Havn",
    "HavnError",
    "MalformedResponseError",
    "NotFoundError",
    "PsuSession",
    "RateLimitedError",
    "ServerError",
    "ServiceUnavailableError",
    "TimedOutError",
    "UnknownEvent",
    "UnknownOutcomeError",
    "ValidationFailedError",
    "WebhookDelivery",
    "WebhookEvent",
    "WebhookRejectedError",
    "__version__",
    "iterate_account_entries",
    "iterate_account_entries_async",
    "iterate_webhook_event_pages",
    "iterate_webhook_event_pages_async",
    "models",
    "move_clock",
    "move_clock_async",
    "verify_webhook",
]
