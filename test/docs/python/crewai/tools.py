"""Read from https://docs.crewai.com/v1.15.3/en/learn/create-custom-tools."""

from collections.abc import Callable
from typing import Any

from scripted import Function, checked


class Tool:
    def __init__(self, name: str, function: Function) -> None:
        self.name, self.run = name, checked(function)
        self.cache_function: Callable[[Any, Any], bool] = lambda arguments, result: True
        self.kept: dict[str, str] = {}

    def called(self, **arguments: object) -> str:
        if str(arguments) in self.kept:
            return self.kept[str(arguments)]
        result = str(self.run(**arguments))
        if self.cache_function(arguments, result):
            self.kept[str(arguments)] = result
        return result


def tool(name: str) -> Callable[[Function], Tool]:
    return lambda function: Tool(name, function)
