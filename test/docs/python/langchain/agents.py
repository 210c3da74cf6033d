"""Read from https://docs.langchain.com/oss/python/langchain/quickstart."""

from dataclasses import dataclass
from typing import Any

from langchain.tools import StructuredTool
from scripted import pay


@dataclass
class AIMessage:
    text: str


class Agent:
    def __init__(self, tools: list[StructuredTool]) -> None:
        self.tools = {tool.name: tool.function for tool in tools}

    def invoke(self, asked: dict[str, list[dict[str, str]]]) -> dict[str, Any]:
        content = asked["messages"][-1]["content"]
        return {"messages": [AIMessage(pay(content, self.tools["read_bill"], self.tools["send_money"]))]}


def create_agent(*, model: str, tools: list[StructuredTool]) -> Agent:
    return Agent(tools)
