"""Logs requests under ``havn``: never tokens, secrets, bodies or parameters."""

from __future__ import annotations

import logging
from typing import Any

import httpx

from ._request import Call

logger = logging.getLogger("havn")


def log_response(call: Call[Any], response: httpx.Response) -> None:
    logger.debug(
        "%s %s: HTTP %d, request %s",
        call.operation.method,
        call.operation.path,
        response.status_code,
        response.headers.get("svc-request-id"),
    )


def log_retry(call: Call[Any], delay: float) -> None:
    logger.info("%s failed; it is repeated in %.1f s", call.operation.id, delay)
