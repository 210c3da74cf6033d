"""A client for agents in Python under a guard of AgentCharter, over HTTP: one file, the standard library alone.

    with Guard("http://127.0.0.1:8080", token="...").run("bills", {"bill": "b-7"}, key="bill b-7") as run:
        print(run.call("bill.read", {"bill": "b-7"}).text)
        print(run.conclude({"text": "Read."}).text)
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import hashlib
import http.client
import inspect
import itertools
import json
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, ClassVar, ParamSpec, TypeVar, cast

Json = dict[str, Any]
Arguments = Mapping[str, Any]  # JSON, by name
Function = Callable[..., object]
Coro = Callable[..., Coroutine[Any, Any, object]]
P = ParamSpec("P")
R = TypeVar("R")


class AgentCharterError(Exception):
    """An error of this client. `remedy` says what to do."""

    remedy = "Correct the request."

    def __str__(self) -> str:
        return f"{super().__str__()} {self.remedy}"


class Unreachable(AgentCharterError):
    """No response of an HTTP binding came. What was sent may have been done."""

    remedy = "See that the host runs at this `url`. Then send it again: the same ref or key is the same request."


class Problem(AgentCharterError):
    """The host refused the request (RFC 9457): `status`, `code` and `detail` say why, `errors` what is wrong in it."""

    def __init__(self, status: int, document: Json) -> None:
        self.status, self.code = status, str(document.get("code", f"http_{status}"))
        self.detail = str(document.get("detail", f"the response is HTTP {status} without details"))
        self.errors: list[Json] = document.get("errors", [])
        super().__init__(f"{self.code}: {self.detail}{'' if self.detail.endswith(('.', '?')) else '.'}")


class Invalid(Problem):
    """The host does not accept this, or not now (400, 409, 413, 415, 422)."""


class NotAllowed(Problem):
    """The host does not know the caller, or does not let it do this (401, 403)."""

    remedy = "Pass the token that the host knows as that of an agent: Guard(url, token=...)."


class NotFound(Problem):
    """There is none, or this caller may not see it (404)."""

    remedy = "Correct the name, and see that this agent began the run."


class Unavailable(Problem):
    """The host failed, or is starting or stopping (5xx)."""

    remedy = "Send it again: the same ref or key is the same request. The host's `onError` has the reason."


class NotDone(Exception):
    """Raise it in a guarded function that did nothing: the guard records that nothing happened."""


class NotPerformed(AgentCharterError):
    """A guarded function was not performed, or did nothing: `outcome` says why."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome, self.remedy = outcome, "Tell the model."
        super().__init__(outcome.text)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a call or an answer. `text` says it to a model."""

    status: ClassVar[str]

    @property
    def text(self) -> str:
        match self:
            case Done(changed=changed, of=of):
                by = f"{changed['by']} changed this call to {_json(changed['arguments'])}. " if changed else ""
                return by + (f"Not made again: this is the result of {of}. " if of else "") + _json(self.result)
            case Delivered():
                return _json(self.payload)
            case Refused():
                return f"{self.code}: {self.explanation}"
            case Paused():
                asked = [str(one["message"]["explanation"]) for one in self.questions]
                return f"APPROVAL_REQUIRED: it waits for {'; '.join([*asked, *self.awaits])}"
            case Repairing():
                said = [_json(one["feedback"]) for one in self.answers]
                return " ".join(["The attempt failed; the next one begins.", *_says(self.unmet), *said])
            case Ended():
                return " ".join(["The run is over; no more calls are made.", *_says(self.reasons)])
        return self.status


@dataclass(frozen=True, kw_only=True)
class Done(Outcome):
    """The call was made, now or before. `changed` says who changed its arguments, `of` which call was made for it."""

    status = "done"
    result: Any = None
    evidence: Json | None = None
    changed: Json | None = None
    is_repeated: bool = False
    of: str | None = None


@dataclass(frozen=True, kw_only=True)
class Paused(Outcome):
    """The run waits for a person or an outside event. Make the same call again later."""

    status = "paused"
    questions: list[Json]
    awaits: list[str]


@dataclass(frozen=True, kw_only=True)
class Refused(Outcome):
    """A schema, a check or a person rejected it, or its tool failed. The run goes on."""

    status = "refused"
    code: str
    explanation: str
    issues: list[Json]


@dataclass(frozen=True, kw_only=True)
class Repairing(Outcome):
    """The attempt failed because of what is `unmet`. A new one began."""

    status = "repairing"
    attempt: int
    unmet: list[Json]
    answers: list[Json]


@dataclass(frozen=True, kw_only=True)
class Ended(Outcome):
    """The run is over, and this had no effect."""

    status = "ended"
    state: str
    reasons: list[Json]


@dataclass(frozen=True, kw_only=True)
class Delivered(Outcome):
    """The answer passed every gate. A person may have edited its `payload`."""

    status = "delivered"
    payload: Json


@dataclass(frozen=True, kw_only=True)
class Cleared(Outcome):
    """The call may be made here, once, with these arguments. `intent` is the idempotency key, also after a restart."""

    status = "cleared"
    ref: str
    arguments: Json
    intent: str
    fence: int | None
    expires_at: str


CallOutcome = Done | Paused | Refused | Repairing | Ended
Conclusion = Delivered | Paused | Refused | Repairing | Ended
_kinds: tuple[type[Outcome], ...] = (Done, Paused, Refused, Repairing, Ended, Delivered, Cleared)


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _kept(result: object) -> object:
    """Returns a result as JSON; what JSON cannot hold is its text, or its kind."""

    def text(value: object) -> object:
        return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)

    try:
        written = json.dumps(result, default=text, allow_nan=False)
        return json.loads(written) if len(written) < 900_000 else {"agentcharter:notKept": "too large"}
    except (TypeError, ValueError, RecursionError):
        return {"agentcharter:notKept": f"a {type(result).__name__}"}


def _says(reasons: list[Json]) -> list[str]:
    return [f"{one['code']}: {one['says']}" for one in reasons]


def _read(document: Json) -> Outcome:
    """Returns an outcome of the wire, without the fields that this version does not know."""
    wire = {"isRepeated": "is_repeated", "expiresAt": "expires_at"}
    given = {wire.get(name, name): value for name, value in document.items()}
    try:
        kind = {kind.status: kind for kind in _kinds}[document["status"]]
        return kind(**{one.name: given[one.name] for one in fields(kind) if one.name in given})
    except (KeyError, TypeError) as error:
        raise Unreachable(f"Expected an outcome, and got {_json(document)[:200]}.") from error


class _EveryStatus(urllib.request.HTTPErrorProcessor):
    """Returns each response as it is. A redirect is not followed: the token goes to no other address."""

    def http_response(self, request: urllib.request.Request, response: Any) -> Any:
        return response

    https_response = http_response


_opener = urllib.request.build_opener(_EveryStatus)
_cleared: contextvars.ContextVar[Cleared] = contextvars.ContextVar("cleared")


def clearance() -> Cleared:
    """Returns the clearance of the guarded function that is running."""
    return _cleared.get()


class Guard:
    """The guard at the address of its HTTP binding. What is safe to repeat is sent up to `retries` times more."""

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60, retries: int = 4) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"expected an address such as http://127.0.0.1:8080, not {url!r}")
        self._url, self._timeout, self._retries = url.rstrip("/"), timeout, retries
        self._headers = {"content-type": "application/json"}
        if token is not None:
            self._headers["authorization"] = f"Bearer {token}"

    def run(self, task_class: str, payload: Arguments, *, key: str | None = None, explanation: str = "") -> Run:
        """Begins a run. The same `key` and request, also of a program that starts again, are the same run."""
        body = {"taskClass": task_class, "payload": payload, "explanation": explanation}
        begun = self._send("POST", "/runs", body, key=key, repeats=key is not None)
        return Run(self, str(begun.get("taskId")), key)

    def _send(self, method: str, path: str, body: object = None, key: str | None = None, repeats: bool = True) -> Json:
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        headers = self._headers if key is None else {**self._headers, "idempotency-key": key}
        request = urllib.request.Request(self._url + path, data, headers, method=method)
        for attempt in itertools.count():
            try:
                return self._exchange(request)
            except (Unreachable, Unavailable) as error:
                was_sent = not isinstance(getattr(error.__cause__, "reason", None), ConnectionRefusedError)
                if attempt == self._retries or was_sent and not repeats:
                    raise
            time.sleep(0.5 * 2**attempt)
        raise AssertionError

    def _exchange(self, request: urllib.request.Request) -> Json:
        try:
            with _opener.open(request, timeout=self._timeout) as response:
                status, content = response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"No response came from {self._url}: {error}.") from error
        try:
            document = json.loads(content)
        except ValueError:
            document = None
        if status >= 300:
            kind = {401: NotAllowed, 403: NotAllowed, 404: NotFound}.get(status, Invalid)
            raise (Unavailable if status >= 500 else kind)(status, document if isinstance(document, dict) else {})
        if not isinstance(document, dict):
            raise Unreachable(f"{self._url} sent no JSON object.")
        return document


class Run:
    """A run. As a context manager, it cancels a run without a `key` that an error leaves: nothing could resume it."""

    def __init__(self, guard: Guard, id: str, key: str | None) -> None:
        self.id, self._guard, self._key = id, guard, key
        self._numbers, self._lock = dict[str, set[int]](), threading.Lock()
        self._rollbacks = dict[str, Callable[[Json], object]]()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and self._key is None:
            with suppress(AgentCharterError):
                self.cancel()

    def call(self, tool: str, arguments: Arguments, *, ref: str | None = None, waits: bool = False) -> CallOutcome:
        """Makes a call of a tool at the host. With `waits` it waits for people, and does not return `Paused`.

        The same `ref` is the same call. By default it is made of the tool, the arguments, and how many such calls came
        to an outcome before: a program that starts again finds its calls, and a call that was `Paused` is repeated.
        """
        return self._call(tool, arguments, None, ref, waits)

    def perform(
        self, tool: str, arguments: Arguments, function: Function, *, ref: str | None = None, waits: bool = False
    ) -> CallOutcome:
        """Makes a call of a tool here: by `function(**arguments)`, once the host cleared it. Reports what came of it.

        The host declares the tool. What was cleared and never reported is performed again only if the host clears it
        again. The arguments are those that were approved: a person may have changed them.
        """
        return self._call(tool, arguments, function, ref, waits)

    def guarded(
        self, tool: str, *, rollback: Callable[[Json], object] | None = None, waits: bool = False
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Decorates a function that performs a tool. It returns the recorded result, or raises `NotPerformed`.

        If the function raises `NotDone`, nothing happened. After any other error the host asks a person what did.
        `rollback(action)` undoes a call if the run fails: `action` is what the host described before it.
        """

        def guard(function: Callable[P, R]) -> Callable[P, R]:
            named = _named(function)
            if rollback is not None:
                self._rollbacks[tool] = rollback

            @functools.wraps(function)
            def performed(*args: P.args, **kwargs: P.kwargs) -> R:
                return cast(R, _result(self.perform(tool, named(*args, **kwargs), function, waits=waits)))

            return performed

        return guard

    def conclude(self, payload: Arguments, *, explanation: str = "", waits: bool = False) -> Conclusion:
        """Proposes the answer."""
        body = {"payload": payload, "explanation": explanation}
        return cast(Conclusion, self._propose("conclusion", body, waits))

    def cancel(self, *, urgent: bool = False) -> Json:
        """Cancels the run. Its writes are undone, or reported."""
        key = f"cancel {self.id} {urgent}"
        view = self._guard._send("POST", f"/runs/{self.id}/cancel", {"urgent": urgent}, key=key)
        idle = 0 if self._rollbacks else 20
        while idle < 20 and not view.get("isSettled"):  # the host asks for each rollback when the one before is done
            idle = 0 if self.undo() > 0 else idle + 1
            time.sleep(0.1 if idle else 0)
            view = self.view()
        return view

    def undo(self) -> int:
        """Performs the rollbacks that wait for this program, and reports them. Returns how many there were.

        A call that finds its run failed, and `cancel`, do this for functions that `guarded` has a `rollback` of.
        """
        waiting = self._guard._send("GET", f"/runs/{self.id}/rollbacks")["rollbacks"]
        own = [one for one in waiting if one["tool"] in self._rollbacks]
        for one in own:
            outcome: Json = {"status": "done"}
            try:
                self._rollbacks[one["tool"]](one["action"])
            except Exception as error:
                status = "notDone" if isinstance(error, NotDone) else "unknown"
                outcome = {"status": status, "explanation": f"{type(error).__name__}: {error}"}
            place = f"/runs/{self.id}/rollbacks/{urllib.parse.quote(one['ref'], safe='')}/outcome"
            self._guard._send("POST", place, outcome)
        return len(own)

    def view(self) -> Json:
        """Returns the run: its state, calls, evidence and open questions."""
        return self._guard._send("GET", f"/runs/{self.id}")

    def _propose(self, place: str, body: Json, waits: bool, repeats: bool = True) -> Outcome:
        path, body = f"/runs/{self.id}/{place}", {**body, "waits": waits}
        while True:
            outcome = _read(self._guard._send("POST", path, body, repeats=repeats))
            if isinstance(outcome, Paused) and self._rollbacks and self.undo() > 0:
                continue
            if not waits or not isinstance(outcome, Paused):
                return outcome
            time.sleep(1)  # the host has waited already, by default 25 seconds

    def _call(
        self, tool: str, arguments: Arguments, function: Function | None, ref: str | None, waits: bool
    ) -> CallOutcome:
        digest = hashlib.sha256(json.dumps([tool, arguments], sort_keys=True).encode()).hexdigest()[:32]
        with self._lock:
            taken = self._numbers.setdefault(digest, set())
            number = next(number for number in itertools.count(1) if number not in taken)
            taken.add(number)
        body = {"tool": tool, "arguments": arguments, "ref": ref or f"{digest}-{number}"}
        outcome: Outcome | None = None
        try:
            if function is None:
                outcome = self._propose("calls", body, waits)
            else:  # it is cleared once: whoever asks again is asked what happened
                outcome = self._propose("calls", {**body, "performs": "caller"}, waits, repeats=False)
            if function is not None and isinstance(outcome, Cleared):
                outcome = self._performed(outcome, function)
            return cast(CallOutcome, outcome)
        finally:
            if ref is not None or outcome is None or isinstance(outcome, (Paused, Cleared)):
                taken.discard(number)

    def _performed(self, cleared: Cleared, function: Function) -> Outcome:
        def report(status: str, **more: object) -> Outcome:
            place = f"/runs/{self.id}/calls/{urllib.parse.quote(cleared.ref, safe='')}/outcome"
            return _read(self._guard._send("POST", place, dict(more, status=status)))

        token = _cleared.set(cleared)
        try:
            result = function(**cleared.arguments)
        except NotDone as error:
            return report("notDone", explanation=str(error) or "It did nothing.")
        except BaseException as error:
            with suppress(AgentCharterError):
                report("unknown", explanation=f"{type(error).__name__}: {error}")
            raise
        finally:
            _cleared.reset(token)
        try:
            return report("done", result=_kept(result))
        except Invalid:  # such as too large: that it was done has to be known
            return report("done", result={"agentcharter:notKept": f"a {type(result).__name__}"})


def _named(function: Function) -> Callable[..., Json]:
    """Returns a function that names the arguments of a call, defaults included: they are approved too."""
    signature = inspect.signature(function)
    for one in signature.parameters.values():
        if one.kind not in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            raise TypeError(f"{function.__qualname__}: expected arguments with names, and not {one}")

    def named(*args: object, **kwargs: object) -> Json:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return dict(bound.arguments)

    return named


def _result(outcome: CallOutcome) -> object:
    if isinstance(outcome, Done):
        return outcome.result
    raise NotPerformed(outcome)


class AsyncGuard:
    """`Guard` for asyncio, on the threads of `asyncio.to_thread`: a request that waits holds one of them."""

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60, retries: int = 4) -> None:
        self._guard = Guard(url, token=token, timeout=timeout, retries=retries)

    def run(self, task_class: str, payload: Arguments, *, key: str | None = None, explanation: str = "") -> AsyncRun:
        """Begins a run: `async with guard.run(...) as run`, or `run = await guard.run(...)`."""
        return AsyncRun(lambda: self._guard.run(task_class, payload, key=key, explanation=explanation))


class AsyncRun:
    """`Run` for asyncio. Guarded functions are coroutines, and run in the loop."""

    def __init__(self, begin: Callable[[], Run]) -> None:
        self._begin, self._run = begin, cast(Run, None)

    def __await__(self) -> Generator[Any, None, AsyncRun]:
        return self.__aenter__().__await__()

    async def __aenter__(self) -> AsyncRun:
        self._run = self._run or await asyncio.to_thread(self._begin)
        return self

    async def __aexit__(self, *error: Any) -> None:
        await asyncio.to_thread(self._run.__exit__, *error)

    @property
    def id(self) -> str:
        return self._run.id

    async def call(
        self, tool: str, arguments: Arguments, *, ref: str | None = None, waits: bool = False
    ) -> CallOutcome:
        return await asyncio.to_thread(self._run.call, tool, arguments, ref=ref, waits=waits)

    async def perform(
        self, tool: str, arguments: Arguments, function: Coro, *, ref: str | None = None, waits: bool = False
    ) -> CallOutcome:
        loop = asyncio.get_running_loop()

        def here(**given: Any) -> object:
            return asyncio.run_coroutine_threadsafe(function(**given), loop).result()

        return await asyncio.to_thread(self._run.perform, tool, arguments, here, ref=ref, waits=waits)

    def guarded(
        self, tool: str, *, rollback: Callable[[Json], object] | None = None, waits: bool = False
    ) -> Callable[[Callable[P, Coroutine[Any, Any, R]]], Callable[P, Coroutine[Any, Any, R]]]:
        def guard(function: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
            named = _named(function)
            if rollback is not None:
                self._run._rollbacks[tool] = rollback

            @functools.wraps(function)
            async def performed(*args: P.args, **kwargs: P.kwargs) -> R:
                return cast(R, _result(await self.perform(tool, named(*args, **kwargs), function, waits=waits)))

            return performed

        return guard

    async def conclude(self, payload: Arguments, *, explanation: str = "", waits: bool = False) -> Conclusion:
        return await asyncio.to_thread(self._run.conclude, payload, explanation=explanation, waits=waits)

    async def cancel(self, *, urgent: bool = False) -> Json:
        return await asyncio.to_thread(self._run.cancel, urgent=urgent)

    async def undo(self) -> int:
        return await asyncio.to_thread(self._run.undo)

    async def view(self) -> Json:
        return await asyncio.to_thread(self._run.view)
