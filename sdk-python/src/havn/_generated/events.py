"""The webhook events of this version of the API."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

from typing import Final, TypeAlias, Union

from .. import models

KnownEvent: TypeAlias = Union[models.PaymentStatusEvent, models.TestEvent]
"""The events that this client has a model for."""

MODELS_BY_TYPE: Final[dict[str, type[KnownEvent]]] = {
    "PAYMENT_STATUS_UNSIGNED": models.PaymentStatusEvent,
    "PAYMENT_STATUS_IN_PROGRESS": models.PaymentStatusEvent,
    "PAYMENT_STATUS_REJECTED": models.PaymentStatusEvent,
    "PAYMENT_STATUS_COMPLETED": models.PaymentStatusEvent,
    "PAYMENT_STATUS_CANCELLED": models.PaymentStatusEvent,
    "PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED": models.PaymentStatusEvent,
    "webhook.test": models.TestEvent,
}

MODELS_BY_FAMILY: Final[dict[str, type[KnownEvent]]] = {
    "PAYMENT_STATUS_": models.PaymentStatusEvent,
}
"""How the types of a family begin: newer ones of the family have the same fields."""
