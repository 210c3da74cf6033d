"""Read from python/samples/01-get-started/02_add_tools.py of github.com/microsoft/agent-framework."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from scripted import Function, checked, pay


@dataclass
class FunctionTool:
    function: Callable[..., Coroutine[Any, Any, str]]


@dataclass
class AgentResponse:
    text: str


def tool(*, approval_mode: str) -> Callable[[Function], FunctionTool]:
    assert approval_mode in ("never_require", "always_require")
    return lambda function: FunctionTool(checked(function))


class Agent:
    def __init__(self, *, client: object, name: str, instructions: str, tools: list[FunctionTool]) -> None:
        self.tools = {tool.function.__name__: tool.function for tool in tools}

    async def run(self, messages: str) -> AgentResponse:
        loop = asyncio.get_running_loop()

        def called(name: str) -> Callable[..., str]:
            return lambda **given: asyncio.run_coroutine_threadsafe(self.tools[name](**given), loop).result()

        return AgentResponse(await asyncio.to_thread(pay, messages, called("read_bill"), called("send_money")))
