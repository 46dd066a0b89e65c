"""The synchronous client."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType
from typing import TypeVar

import httpx
from pydantic import BaseModel
from typing_extensions import Self

from ._deadline import read
from ._generated import operations
from ._generated.methods import Methods
from ._iteration import ElementReader
from ._log import log_response, log_retry
from ._operation import Arguments, Operation
from ._request import Call, prepare
from ._response import read_value, response_error
from ._retry import Attempts, connection_error
from ._settings import MAX_RETRIES, TIMEOUT_SECONDS, Environment, settings_of
from ._token import TokenCache
from .errors import HavnError
from .models import Token, TokenRequest

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


class Havn(Methods):
    """A client with one method for each operation; threads may share it.

    Close it after use, or use it as a context manager. Credentials belong on a trusted backend.
    """

    def __init__(
        self,
        base_url: str,
        *,
        client_id: str,
        client_secret: str,
        environment: Environment | None = None,
        scope: str | None = None,
        auth_url: str | None = None,
        onboarding_url: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        user_agent: str | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Creates a client; no request is sent before the first call.

        Args:
            base_url: The base URL of the API, for example ``http://127.0.0.1:8080``.
            client_id: The client id.
            client_secret: The client secret.
            environment: ``sandbox`` or ``production``.
            scope: The scope of an environment of another name.
            auth_url: The base URL of tokens, where it differs.
            onboarding_url: The base URL of onboarding, where it differs.
            timeout_seconds: How long to wait for the response of one attempt; of iterators, for each part of it.
            max_retries: How often a failed attempt is repeated where that is safe.
            user_agent: The name of your program, for example ``my-erp/7``.
            http_client: Sends the requests, for proxies or tracing; you close it yourself.
        """
        self._settings = settings_of(
            base_url,
            client_id=client_id,
            client_secret=client_secret,
            environment=environment,
            scope=scope,
            auth_url=auth_url,
            onboarding_url=onboarding_url,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
            user_agent=user_agent,
        )
        self._owned_http = httpx.Client() if http_client is None else None
        self._http = self._owned_http or http_client or httpx.Client()
        self._tokens = TokenCache(self._request_token)

    def close(self) -> None:
        """Closes the connections."""
        if self._owned_http is not None:
            self._owned_http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _call(self, operation: Operation[T], arguments: Arguments) -> T:
        call = prepare(self._settings, operation, arguments)
        return read_value(call, self._send(call))

    def _download(self, operation: Operation[T], arguments: Arguments, media_type: str) -> bytes:
        return self._send(prepare(self._settings, operation, arguments, media_type)).content

    def _iterate(
        self, operation: Operation[T], arguments: Arguments, name: str, item: type[M]
    ) -> Iterator[M]:
        call = prepare(self._settings, operation, arguments)
        response = self._send(call, stream=True)
        reader = ElementReader(name)
        try:
            for text in response.iter_text():
                for element in reader.feed(text):
                    yield item.model_validate(element)
            reader.finish()
        except httpx.RequestError as error:
            raise connection_error(call, error, was_sent=True) from error
        except ValueError as error:
            raise response_error(call, response, error) from error
        finally:
            response.close()

    def _send(self, call: Call[T], *, stream: bool = False) -> httpx.Response:
        """Sends a request until it succeeds, fails for good, or has been repeated often enough."""
        attempts = Attempts(call, self._settings.max_retries)
        while True:
            try:
                token = self._tokens.get() if call.operation.needs_token else None
            except HavnError as error:
                # Without a token for its repetition, the request is as the attempt before left it.
                failure = attempts.failure or error
                raise failure from failure.__cause__
            try:
                deadline = time.monotonic() + call.timeout_seconds
                response = self._http.send(call.request(token), stream=True, follow_redirects=False)
                if not stream or response.status_code not in call.operation.statuses:
                    read(response, deadline)
            except httpx.RequestError as error:
                delay = attempts.after_failure(error)
            else:
                log_response(call, response)
                if token is not None and attempts.may_renew_token(response):
                    self._tokens.discard(token)
                    continue
                delay = attempts.after_response(response)
                if delay is None:
                    return response
            log_retry(call, delay)
            time.sleep(delay)

    def _request_token(self) -> Token:
        body = TokenRequest(
            grant_type="client_credentials",
            scope=self._settings.scope,
            client_id=self._settings.client_id,
            client_secret=self._settings.client_secret,
        )
        return self._call(operations.ISSUE_TOKEN, Arguments(body=body))
