"""Read from https://docs.crewai.com/v1.15.3/en/concepts/agents: an agent without a crew."""

from dataclasses import dataclass

from crewai.tools import Tool
from scripted import pay


@dataclass
class LiteAgentOutput:
    raw: str


class Agent:
    def __init__(self, *, role: str, goal: str, backstory: str, tools: list[Tool]) -> None:
        self.tools = {tool.name: tool for tool in tools}
        assert not any(tool.cache_function({}, "") for tool in tools)

    def kickoff(self, messages: str) -> LiteAgentOutput:
        return LiteAgentOutput(pay(messages, self.tools["read_bill"].called, self.tools["send_money"].called))
