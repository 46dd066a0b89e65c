"""A service that answers as a test says, also by losing the response."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WAIT_SECONDS_MAX = 60
TOKEN_PATH = "/v2/connect/token"


@dataclass(frozen=True)
class Received:
    """A request."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    """A response; ``lost`` closes the connection after the request was read,
    ``byte_seconds`` sends one byte of the body after the other."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    lost: bool = False
    byte_seconds: float | None = None


Script = Callable[[Received], Answer]
LOST = Answer(lost=True)


class ScriptedService:
    """Answers calls by one script, and token requests by another."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.token_requests: list[Received] = []
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._closing = threading.Event()
        self._script: Script = lambda _: Answer(200, [])
        self._token_script: Script = self._next_token
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answers(self, *answers: Answer) -> None:
        """Answers in this order; the last answer is repeated."""
        remaining = list(answers)

        def script(_: Received) -> Answer:
            with self._lock:
                return remaining.pop(0) if len(remaining) > 1 else remaining[0]

        self._script = script

    def answers_by(self, script: Script) -> None:
        self._script = script

    def tokens_by(self, script: Script) -> None:
        self._token_script = script

    def wait_for_requests(self, enough: Callable[[list[Received]], bool]) -> list[Received]:
        """The requests so far, as soon as they are enough."""
        with self._changed:
            assert self._changed.wait_for(lambda: enough(self.requests), WAIT_SECONDS_MAX)
            return list(self.requests)

    def hold(self) -> None:
        """Answers nothing until it is closed."""
        self._script = self._held

    def _held(self, _: Received) -> Answer:
        self._closing.wait()
        return LOST

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _next_token(self, _: Received) -> Answer:
        return token_answer(len(self.token_requests))

    def _take(self, received: Received) -> Answer:
        is_token = received.path == TOKEN_PATH
        with self._changed:
            (self.token_requests if is_token else self.requests).append(received)
            self._changed.notify_all()
        return (self._token_script if is_token else self._script)(received)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = service._take(Received(self.command, self.path, headers, body))
                if answer.lost:
                    self.close_connection = True
                    return
                is_text = isinstance(answer.body, str)
                content = b"" if answer.body is None else _encode(answer.body)
                self.send_response(answer.status)
                self.send_header("content-length", str(len(content)))
                self.send_header("content-type", "text/plain" if is_text else "application/json")
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if answer.byte_seconds is None:
                    self.wfile.write(content)
                    return
                with suppress(OSError):
                    for byte in content:
                        service._closing.wait(answer.byte_seconds)
                        self.wfile.write(bytes([byte]))

            do_GET = do_POST = do_PATCH = do_DELETE = handle_any

            def log_message(self, format: str, *args: Any) -> None:
                """Prints nothing."""

        return Handler


def token_answer(number: int, expires_in: int = 3600) -> Answer:
    """The response of the token endpoint."""
    token = f"token-{number}"
    body = {"token_type": "Bearer", "expires_in": expires_in, "ext_expires_in": expires_in}
    return Answer(200, {**body, "access_token": token})


def _encode(body: Any) -> bytes:
    return body.encode() if isinstance(body, str) else json.dumps(body).encode()
