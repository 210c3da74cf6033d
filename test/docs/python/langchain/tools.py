"""Read from https://docs.langchain.com/oss/python/langchain/tools."""

from scripted import Function, checked


class StructuredTool:
    def __init__(self, function: Function) -> None:
        self.name, self.function = function.__name__, checked(function)


def tool(function: Function) -> StructuredTool:
    return StructuredTool(function)
