"""How values are written on the wire: names, amounts, and values that this client does not know yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Final, TypeAlias, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError
from typing_extensions import Self

UNKNOWN: Final = "unknown"
"""The tag of a branch of a union that this client does not know."""


def wire_name(name: str) -> str:
    """``end_to_end_id`` → ``endToEndId``; ``from_`` → ``from``."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


class Model(BaseModel):
    """What the service sends; fields that this client does not know are in ``model_extra``."""

    model_config = ConfigDict(
        alias_generator=wire_name,
        populate_by_name=True,
        extra="allow",
        defer_build=True,
        protected_namespaces=(),
    )


class RequestModel(Model):
    """What partners send; an unknown field is an error, since it is a typing error."""

    model_config = ConfigDict(extra="forbid")


class UnknownVariant(Model):
    """A branch of a union that this client does not know yet; its fields are in ``model_extra``."""


class UnknownEvent(Model):
    """An event of a type that this client does not know; its fields are in ``model_extra``."""

    id: str
    type: str


SAME_NAMES = ConfigDict(alias_generator=None)
"""For models whose names on the wire are those in Python."""


def alias(name: str) -> Any:
    """A name on the wire that does not follow from that in Python."""
    return Field(validation_alias=name, serialization_alias=name)


class OpenEnum(str, Enum):
    """Known values; a newer service may send another, which becomes a member of its own."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member

    def __str__(self) -> str:
        return str(self.value)

    @property
    def is_known(self) -> bool:
        """Whether this client knows the value."""
        return self._name_ in type(self).__members__


def _without_floats(value: object) -> object:
    if isinstance(value, float):
        raise ValueError("an amount must be a Decimal: a float is not exact")
    return value


def _exact(value: object) -> object:
    """The decimal that was written, not the binary fraction that stands for it."""
    return str(value) if isinstance(value, float) else value


def _plain(value: Decimal) -> str:
    return format(value, "f")


Amount: TypeAlias = Annotated[
    Decimal,
    BeforeValidator(_without_floats),
    PlainSerializer(_plain, return_type=str, when_used="json"),
]
"""An exact decimal, written without an exponent."""

NumericAmount: TypeAlias = Annotated[
    Decimal,
    BeforeValidator(_exact),
    PlainSerializer(float, return_type=float, when_used="json"),
]
"""An exact decimal that is a JSON number on the wire, of at most 14 digits."""


def tag_reader(field: str, *known: str) -> Callable[[Any], str]:
    """Reads the tag of a union's value: the tag itself if it is known."""
    name = wire_name(field)

    def read(value: object) -> str:
        if isinstance(value, dict):
            tag: object = cast("dict[str, object]", value).get(name)
        else:
            tag = getattr(value, field, None)
        return tag if isinstance(tag, str) and tag in known else UNKNOWN

    return read


def event_reader(models: Mapping[str, type[Model]]) -> Callable[[Any], Any]:
    """Reads an event with the model of its type: the one whose key its type begins with.

    An event that no model fits, because its type or its version is newer, is an ``UnknownEvent``.
    """

    def read(value: object) -> object:
        if isinstance(value, Model):
            return value
        event = UnknownEvent.model_validate(value)
        model = next((each for key, each in models.items() if event.type.startswith(key)), None)
        if model is None:
            return event
        try:
            return model.model_validate(value)
        except ValidationError:
            return event

    return read
