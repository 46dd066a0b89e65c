"""Moves the sandbox clock and waits until it has arrived, however much becomes due on the way."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

import anyio

from .models import ClockMove, SandboxClock

if TYPE_CHECKING:
    from .async_client import AsyncHavn
    from .client import Havn

POLL_SECONDS = 0.5


def move_clock(havn: Havn, move: ClockMove) -> SandboxClock:
    """Moves business time; returns once everything that was due has happened."""
    clock = havn.move_sandbox_clock(move)
    target = clock.moving_to
    while clock.moving_to is not None:
        time.sleep(POLL_SECONDS)
        clock = havn.get_sandbox_clock()
    return _arrived(clock, target)


async def move_clock_async(havn: AsyncHavn, move: ClockMove) -> SandboxClock:
    """Moves business time; returns once everything that was due has happened."""
    clock = await havn.move_sandbox_clock(move)
    target = clock.moving_to
    while clock.moving_to is not None:
        await anyio.sleep(POLL_SECONDS)
        clock = await havn.get_sandbox_clock()
    return _arrived(clock, target)


def _arrived(clock: SandboxClock, target: datetime | None) -> SandboxClock:
    if target is not None and clock.now < target:
        raise RuntimeError(f"The clock was to move to {target}, and the move ended at {clock.now}")
    return clock
