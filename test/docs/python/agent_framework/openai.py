"""Read from the page of agent-framework-openai 1.18.0 at PyPI."""


class OpenAIChatClient:
    pass
