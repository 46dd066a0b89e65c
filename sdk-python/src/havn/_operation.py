"""An operation of the API, and the arguments of one call of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, TypeAdapter

T = TypeVar("T")

Server = Literal["base", "auth", "onboarding"]


@dataclass(frozen=True)
class Operation(Generic[T]):
    """What the client has to know of an operation; ``T`` is the type of its response."""

    id: str
    method: str
    path: str
    statuses: tuple[int, ...]
    answer: Any
    server: Server = "base"
    needs_token: bool = True
    accepts_key: bool = False
    is_form: bool = False

    @property
    def is_read(self) -> bool:
        """Whether it changes nothing, like a request for a token."""
        return self.method == "GET" or not self.needs_token

    @property
    def is_repeatable(self) -> bool:
        """Whether a second execution does no harm: it reads, or has an idempotency key."""
        return self.is_read or self.accepts_key

    @cached_property
    def adapter(self) -> TypeAdapter[T]:
        """Reads the response; made at first use, since it takes time."""
        return TypeAdapter[T](self.answer)


@dataclass(frozen=True)
class PsuSession:
    """The user's present session, as the partner forwards it; never a stored one."""

    ip_address: str
    """The IP address of the user's session."""
    user_agent: str
    """The User-Agent of the user's browser."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further headers for the bank, such as ``PSU-Accept-Language``."""

    def __post_init__(self) -> None:
        other = [name for name in self.headers if not name.upper().startswith("PSU-")]
        if other:
            raise ValueError(
                f"The headers of a PsuSession begin with PSU-, unlike {', '.join(other)}"
            )


@dataclass(frozen=True)
class Arguments:
    """The arguments of a call, by where they are sent."""

    path: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    body: BaseModel | None = None
    consent_id: str | None = None
    psu: PsuSession | None = None
    idempotency_key: str | None = None
    timeout: float | None = None
