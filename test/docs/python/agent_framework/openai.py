"""Read from the page of 1.25 at PyPI."""


class OpenAIChatClient:
    pass
